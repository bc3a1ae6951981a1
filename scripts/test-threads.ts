import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const dist = fileURLToPath(new URL('../packages/server/dist', import.meta.url));

/** The threads of the server, of the simulated exchange, and the one that reads candles for the terminal; each names itself by `import.meta.url`. */
const THREADS = /packages\/(?:(?:server|simulator)\/src\/[\w/-]+-worker|cli\/src\/backtest\/candle-worker)\.ts$/;

let folder: string | undefined;
const built = new Map<string, Promise<string>>();

async function bundle(source: string): Promise<string> {
  if (folder === undefined) {
    mkdirSync(dist, { recursive: true });
    const made = mkdtempSync(join(dist, 'test-threads-'));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const work = await rolldown({
    input: source,
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@pilotfish/'),
  });
  await work.write({ dir: folder, format: 'esm' });
  await work.close();
  return pathToFileURL(join(folder, `${basename(source, '.ts')}.js`)).href;
}

/**
 * Tests run from source, which a thread of Node cannot: it gets a bundle of its file, made once in a run. The modules of
 * the test itself stay the sources.
 */
export const bundledThreads = {
  name: 'bundled-threads',
  enforce: 'pre' as const,
  async transform(code: string, id: string): Promise<string | undefined> {
    const source = id.split('?')[0] ?? id;
    if (!THREADS.test(source)) return undefined;
    const work = built.get(source) ?? bundle(source);
    built.set(source, work);
    return code.replace('import.meta.url', JSON.stringify(await work));
  },
};
