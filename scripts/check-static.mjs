// `npm run check:static`: types, lint, structure, unused code. All of them are run and told, whatever the first one says.
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runGroup } from './process-group.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** No check takes so long, unless it hangs. */
const LIMIT_MS = 10 * 60_000;

/** Runs one script of package.json; `code` is null when it was stopped. */
async function runOnce(name) {
  const began = performance.now();
  let said = '';
  const run = await runGroup('npm', ['run', '--silent', name], {
    cwd: root,
    hear: (text) => {
      said += text;
    },
    isOver: () => performance.now() - began > LIMIT_MS,
  });
  return { code: run.code, said, seconds: Math.round((performance.now() - began) / 1000) };
}

/** What a check prints is shown when it has ended: two at once would write between each other. */
async function check(name) {
  let run = await runOnce(name);
  // Nothing here is left to chance, so nothing is tried again but what was stopped or killed.
  if (run.code === null) run = await runOnce(name);
  const verdict = run.code === 0 ? 'fine' : run.code === null ? 'did not end' : 'REFUSED';
  process.stdout.write(`${run.code === 0 ? '' : run.said}${name}: ${verdict} (${run.seconds} s)\n`);
  return run.code === 0 ? [] : [name];
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
