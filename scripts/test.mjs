// `npm test`: every unit, and one path of each feature in each app. A file in which something failed is run again, alone
// and in a fresh process, up to twice; a test is broken when it never passed. What passed only then is said, and stands in
// gate-report.json. Words after `--` are Vitest's, e.g. `npm test -- --project core`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addRun, newTally, nextRuns, verdictOf } from './verdict.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const words = process.argv.slice(2);
const began = Date.now();
const minutes = (name, otherwise) => Number(process.env[name] ?? otherwise) * 60_000;
/** No run goes on after this. */
const DEADLINE = began + minutes('PILOTFISH_TEST_MINUTES', 75);
/** A run in which no test ends for so long hangs; the limits of tests end first. Before the first one it may build. */
const STALL_MS = minutes('PILOTFISH_TEST_STALL_MINUTES', 12);
const BEGIN_MS = Math.max(STALL_MS, 600_000);

const folder = mkdtempSync(join(tmpdir(), 'pilotfish-tests-'));
const reportFile = process.env.PILOTFISH_GATE_REPORT ?? join(root, 'gate-report.json');
const quarantineFile = process.env.PILOTFISH_QUARANTINE ?? join(root, 'quarantine.json');
const quarantine = existsSync(quarantineFile) ? JSON.parse(readFileSync(quarantineFile, 'utf8')) : [];
const say = (text) => process.stdout.write(`${text}\n`);
const clock = () => `${Math.floor((Date.now() - began) / 60_000)} min ${Math.floor(((Date.now() - began) / 1000) % 60)} s`;

/** The options that decide what a file means; they are the same in every try. */
const lasting = words.flatMap((word, index) =>
  word === '--config' ? [word, words[index + 1]] : word.startsWith('--config=') ? [word] : [],
);

/**
 * Runs Vitest in a process group of its own, which ends as a whole: workers outlive their parent otherwise.
 * @returns the lines that its reporter wrote until then
 */
function vitest(given, results) {
  writeFileSync(results, '');
  return new Promise((done) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...given], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, PILOTFISH_RESULTS: results },
    });
    const end = () => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended already.
      }
    };
    const interrupt = (signal) => {
      end();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    };
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, interrupt);
    const watch = setInterval(() => {
      const { mtimeMs, size } = statSync(results);
      const isStuck = Date.now() - mtimeMs > (size > 0 ? STALL_MS : BEGIN_MS);
      if (!isStuck && Date.now() < DEADLINE) return;
      say(isStuck ? `No test has ended for ${STALL_MS / 60_000} minutes: this run is stopped.` : 'Time is over: this run is stopped.');
      end();
    }, 1000);
    child.once('close', () => {
      clearInterval(watch);
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
      end();
      const whole = readFileSync(results, 'utf8').split('\n').slice(0, -1);
      done(whole.map((line) => JSON.parse(line)));
    });
  });
}

async function allTries() {
  const tally = newTally();
  const run = async (given) => addRun(tally, await vitest(given, join(folder, 'results.jsonl')));
  await run(words);
  for (let tryNumber = 2; Date.now() < DEADLINE; tryNumber += 1) {
    const next = nextRuns(tally, quarantine, tryNumber);
    if (next.length === 0) break;
    say(`\nTry ${tryNumber} after ${clock()}: ${next.flat().length} file(s) in which something did not pass`);
    for (const files of next) {
      if (Date.now() >= DEADLINE) break;
      const projects = [...new Set(files.map(({ project }) => project))].flatMap((project) => ['--project', project]);
      await run([...lasting, ...projects, ...files.map(({ file }) => join(root, file))]);
    }
  }
  return tally;
}

/** What a person has to know, the most important last: a log is read from its end. */
function tell({ verdict, failed, quarantined, retried, cut, homeless, leftOut, counts }) {
  const nameOf = ({ file, name, error }) => `${file} > ${name} (${error})`;
  say('');
  for (const test of failed) say(test.told.length > 0 ? test.told.join('\n') : `Failed: ${nameOf(test)}`);
  for (const error of homeless) say(`Failed: an error that belongs to no file: ${error}`);
  for (const { file } of cut) say(`Failed: ${file} did not end`);
  for (const test of quarantined) say(`in quarantine, failed: ${nameOf(test)}`);
  for (const test of retried) say(`passed on retry: ${nameOf(test)}`);
  for (const line of leftOut) say(line);
  if (verdict === 'refused' && counts.failed === 0) say('Failed: no test ran; the reason stands above.');
  if (counts.failed > 0) say('Do: mend what is named above. Each of it was tried again, or there was too much of it for chance.');
  if (verdict === 'unknown') say('TOO SLOW TO JUDGE: start again. Nothing was found broken, but time was over before everything had run.');
  if (retried.length > 0) say('Do: mend what passed only on retry, or put it into quarantine.json, within a day.');
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
  say(`${verdict} after ${clock()}`);
  say(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
}

const result = verdictOf(await allTries(), quarantine, { isLate: Date.now() >= DEADLINE });
const named = (tests) => tests.map(({ project, file, name, error, failures }) => ({ project, file, name, error, failures }));
const report = {
  verdict: result.verdict,
  seconds: Math.round((Date.now() - began) / 1000),
  counts: result.counts,
  failed: named(result.failed),
  passedOnRetry: named(result.retried),
  quarantined: named(result.quarantined),
  didNotEnd: result.cut,
  leftOut: result.leftOut,
};
writeFileSync(reportFile, `${JSON.stringify(report, null, 2)}\n`);
rmSync(folder, { recursive: true, force: true });
tell(result);
process.exitCode = result.verdict === 'passed' ? 0 : 1;
