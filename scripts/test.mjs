// `npm test`: every unit, then one path of each feature in each app (the end-to-end tests tagged `smoke`). A file in which
// something failed is run again, alone and in a fresh process, up to twice; a test is broken when it never passed. What
// passed only then is said, and stands in gate-report.json. Words after `--` are Vitest's, e.g. `npm test -- --project core`;
// one is not: `--gate=<epoch s>`, when the gate began, which then runs end-to-end tests of what the change touches, too.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles } from './changed-files.mjs';
import { smokeFiles, touchedBy } from './features.mjs';
import { filesThatFit, learned, PLANNED, patienceAt, TARGET_MS } from './pace.mjs';
import { runGroup } from './process-group.mjs';
import { addRun, allOf, dropUnfinished, newTally, nextRuns, verdictOf } from './verdict.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const isGate = (word) => word.startsWith('--gate=');
const words = process.argv.slice(2).filter((word) => !isGate(word));
const gate = process.argv.find(isGate)?.slice('--gate='.length);
const began = gate === undefined ? Date.now() : Number(gate) * 1000;
const minutes = (name, otherwise) => Number(process.env[name] ?? otherwise) * 60_000;
/** No run goes on after this. */
const DEADLINE = began + minutes('PILOTFISH_TEST_MINUTES', 75);
/** A run in which no test ends for so long hangs; the limits of tests end first. Before the first one it may build. */
const STALL_MS = minutes('PILOTFISH_TEST_STALL_MINUTES', 12);
const BEGIN_MS = Math.max(STALL_MS, 600_000);

const folder = mkdtempSync(join(tmpdir(), 'pilotfish-tests-'));
const results = join(folder, 'results.jsonl');
const reportFile = process.env.PILOTFISH_GATE_REPORT ?? join(root, 'gate-report.json');
const quarantineFile = process.env.PILOTFISH_QUARANTINE ?? join(root, 'quarantine.json');
const quarantine = existsSync(quarantineFile) ? JSON.parse(readFileSync(quarantineFile, 'utf8')) : [];
const say = (text) => process.stdout.write(`${text}\n`);
const lasted = (ms) => `${Math.floor(ms / 60_000)} min ${Math.floor((ms / 1000) % 60)} s`;
const clock = () => lasted(Date.now() - began);

/** How much longer than planned things take here. */
let slowness = 1;
const places = (files) => files.map((file) => join(root, file));
const projects = (names) => [...new Set(names)].flatMap((name) => ['--project', name]);

/**
 * Runs Vitest.
 * @param given its words
 * @param deadline epoch ms: what still runs then is stopped
 * @returns the lines that its reporter wrote until it ended
 */
async function vitest(given, env, deadline = DEADLINE) {
  writeFileSync(results, '');
  // Not by the time of the file: the clock of this process may be a faked one.
  let seen = { size: 0, at: performance.now() };
  const isOver = () => {
    const { size } = statSync(results);
    if (size !== seen.size) seen = { size, at: performance.now() };
    const isStuck = performance.now() - seen.at > (size > 0 ? STALL_MS : BEGIN_MS);
    if (!isStuck && Date.now() < deadline) return false;
    say(isStuck ? `No test has ended for ${STALL_MS / 60_000} minutes: this run is stopped.` : 'Time is over: this run is stopped.');
    return true;
  };
  const patience = process.env.PILOTFISH_PATIENCE ?? String(patienceAt(slowness));
  await runGroup(process.execPath, [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...given], {
    cwd: root,
    env: { ...process.env, PILOTFISH_PATIENCE: patience, ...env, PILOTFISH_RESULTS: results },
    isOver,
  });
  const whole = readFileSync(results, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line));
}

/** Tries again what did not pass. @param lasting the words that decide what a file means; they are the same in every try */
async function tryAgain(tally, lasting, env) {
  for (let tryNumber = 2; Date.now() < DEADLINE; tryNumber += 1) {
    const next = nextRuns(tally, quarantine, tryNumber);
    if (next.length === 0) break;
    say(`\nTry ${tryNumber} after ${clock()}: ${next.flat().length} file(s) in which something did not pass`);
    for (const files of next) {
      if (Date.now() >= DEADLINE) break;
      const given = [...lasting, ...projects(files.map(({ project }) => project)), ...places(files.map(({ file }) => file))];
      addRun(tally, await vitest(given, env));
    }
  }
}

/** One run of Vitest with its further tries. */
async function part({ name, select = [], lasting = [], plannedMs, env }) {
  if (name) say(`\n== ${name} (${clock()})`);
  const started = Date.now();
  const tally = newTally();
  addRun(tally, await vitest([...lasting, ...select], env));
  const took = Date.now() - started;
  if (plannedMs) slowness = learned(slowness, plannedMs, took);
  if (name) say(`${name}: ${lasted(took)}; this machine takes ${slowness.toFixed(1)} times as long as planned`);
  await tryAgain(tally, lasting, env);
  return verdictOf(tally, quarantine, { isLate: Date.now() >= DEADLINE });
}

/** End-to-end tests of the features that the change touches, as many as fit into the time; the others are named. */
async function touched() {
  const changed = changedFiles(root);
  const { features, files } = touchedBy(root, changed);
  const of = features.length > 0 ? ` of ${features.join(', ')}` : '';
  say(`\n== end to end, what the change touches: ${files.length} file(s)${of} (${clock()})`);
  if (changed.length === 0) say('What was changed is not known here: no earlier commit to compare with.');
  const tally = newTally();
  const lasting = ['--config', 'vitest.deep.config.ts'];
  const env = { PILOTFISH_E2E_BUILD: 'off' };
  const left = [...files];
  while (left.length > 0) {
    // Few at a time: what one batch took says whether the next one fits.
    const batch = left.splice(0, Math.min(6, filesThatFit(Date.now() - began, slowness)));
    if (batch.length === 0) break;
    const started = Date.now();
    const given = [...lasting, ...projects(batch.map((file) => `e2e-${file.split('/')[1]}`)), ...places(batch)];
    addRun(tally, await vitest(given, env, began + TARGET_MS));
    slowness = learned(slowness, PLANNED.endToEndFile * batch.length, Date.now() - started);
    if (Date.now() - began >= TARGET_MS) left.unshift(...dropUnfinished(tally));
  }
  await tryAgain(tally, lasting, env);
  const result = verdictOf(tally, quarantine, { isLate: Date.now() >= DEADLINE, isOptional: true });
  return { ...result, leftOut: left.map((file) => `Left out for want of time: ${file}`) };
}

async function everything() {
  if (words.length > 0) {
    const lasting = words.flatMap((word, index) =>
      word === '--config' ? [word, words[index + 1]] : word.startsWith('--config=') ? [word] : [],
    );
    return [await part({ select: words.filter((word) => !lasting.includes(word)), lasting })];
  }
  const units = ['core', 'simulator', 'web', 'cli', 'server', 'scripts'];
  const smoke = smokeFiles(root);
  return [
    await part({ name: 'units', select: projects(units), plannedMs: PLANNED.units }),
    await part({
      name: 'end to end, each feature once',
      select: [...projects(smoke.map((file) => `e2e-${file.split('/')[1]}`)), ...places(smoke)],
      lasting: ['--tags-filter=smoke'],
      plannedMs: PLANNED.smoke,
    }),
    ...(gate === undefined ? [] : [await touched()]),
  ];
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
  say(`${verdict} after ${clock()}; this machine takes ${slowness.toFixed(1)} times as long as planned`);
  say(`${counts.passed} passed, ${counts.failed} failed${skipped}`);
}

const result = allOf(await everything());
const named = (tests) => tests.map(({ project, file, name, error, failures }) => ({ project, file, name, error, failures }));
const report = {
  verdict: result.verdict,
  seconds: Math.round((Date.now() - began) / 1000),
  slowness,
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
