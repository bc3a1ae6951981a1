// `npm run check:static`: types, lint, structure, unused code. All of them are run and told, whatever the first one says.
import { spawn } from 'node:child_process';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs one script of package.json. What it prints is shown when it has ended: two at once would write between each other. */
function check(name) {
  const began = performance.now();
  return new Promise((done) => {
    const child = spawn('npm', ['run', '--silent', name], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        said += text;
      });
    }
    child.once('close', (code) => {
      process.stdout.write(
        `${code === 0 ? '' : said}${name}: ${code === 0 ? 'fine' : 'REFUSED'} (${Math.round((performance.now() - began) / 1000)} s)\n`,
      );
      done(code === 0 ? [] : [name]);
    });
  });
}

// The compiler passes over a file that is new to a project and older than its last build, e.g. one that git restored.
const now = new Date();
for (const name of readdirSync(join(root, 'packages')))
  for (const file of readdirSync(join(root, 'packages', name)))
    if (/^tsconfig.*\.json$/.test(file)) utimesSync(join(root, 'packages', name, file), now, now);

/** Types take as long as all the others together. */
async function others() {
  const refused = [];
  for (const name of ['structure', 'lint', 'unused']) refused.push(...(await check(name)));
  return refused;
}

const refused = (await Promise.all([check('types'), others()])).flat();
if (refused.length > 0) process.stdout.write(`Do: ${refused.map((name) => `npm run ${name}`).join(' && ')} until nothing is refused.\n`);
process.exitCode = refused.length > 0 ? 1 : 0;
