// `npm run dev`: the server restarts at every change, the web app is served by Vite with hot reload in front of it.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleOnChange } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
let server;
const restart = () => {
  const start = () => {
    server = spawn(process.execPath, [join(root, 'packages/cli/dist/pilotfish.js'), 'serve', ...process.argv.slice(2)], {
      cwd: root,
      stdio: 'inherit',
    });
  };
  if (!server || server.exitCode !== null) return start();
  server.once('exit', start);
  server.kill('SIGTERM');
};
const watcher = bundleOnChange(restart);
const web = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js')], { cwd: join(root, 'packages/web'), stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    server?.kill('SIGTERM');
    web.kill('SIGTERM');
    void watcher.close();
  });
}
