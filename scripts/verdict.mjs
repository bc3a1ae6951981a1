// What became of the tests over several tries: a test is broken when it never passed. Nothing here runs anything;
// `test.mjs` does, and the lines that it reads are those of `result-reporter.ts`.

/** More files than these fail for one cause, not by chance: so many of them are tried again, and only once. */
const MOST_FILES = 8;
const TRIES = 3;

/** Stands for the hooks and imports around the tests of a file. */
export const THE_FILE = '(the file)';
/** Stands for errors that no test caught. */
export const BESIDE = '(beside the tests)';
const AROUND = new Set([THE_FILE, BESIDE]);

const placeOf = ({ project, file }) => `${project} ${file}`;

/** What is known before the first try. */
export const newTally = () => ({ planned: new Map(), finished: new Set(), tests: new Map(), homeless: [], leftOut: [] });

function note(tally, { project, file }, { name, state, error, told = [] }) {
  const key = `${project} ${file} > ${name}`;
  const known = tally.tests.get(key) ?? { project, file, name, failures: 0, hasPassed: false };
  if (state === 'passed') known.hasPassed = true;
  if (state === 'failed') {
    if (known.failures === 0) Object.assign(known, { error, told });
    known.failures += 1;
  }
  tally.tests.set(key, known);
}

/**
 * Adds one run to what is known.
 * @param lines what the reporter wrote, parsed; a run that was stopped or crashed has fewer of them
 */
export function addRun(tally, lines) {
  const unhandled = new Map();
  const homeless = [];
  for (const { error, file } of lines.find(({ end }) => end)?.end.unhandled ?? []) {
    if (file) unhandled.set(file, error);
    else homeless.push(error);
  }
  // A process that ended before its time leaves an error without a file, and files that did not end: those are tried again.
  const isCut = lines.flatMap(({ planned }) => planned ?? []).length > lines.filter(({ file }) => file).length;
  if (!isCut) tally.homeless.push(...homeless);
  for (const { planned, file: at, end } of lines) {
    for (const each of planned ?? []) tally.planned.set(placeOf(each), each);
    if (end) tally.leftOut = end.leftOut;
    if (!at) continue;
    tally.finished.add(placeOf(at));
    for (const test of at.tests) note(tally, at, test);
    const beside = unhandled.get(at.file);
    note(tally, at, { name: THE_FILE, state: at.broken ? 'failed' : 'passed', ...at.broken });
    note(tally, at, { name: BESIDE, state: beside ? 'failed' : 'passed', error: beside });
  }
}

const isOpen = ({ failures, hasPassed }) => failures > 0 && !hasPassed;
const isListed = (quarantine, { file, name }) => quarantine.some((entry) => entry.file === file && entry.test === name);

/** The files that no run finished: it was stopped, or their process crashed. Each `{ project, file }`. */
const cutOff = (tally) => [...tally.planned].filter(([place]) => !tally.finished.has(place)).map(([, at]) => at);

/**
 * Files that were not needed and for which there was no time: from now on they are no part of the run.
 * @returns their paths
 */
export function dropUnfinished(tally) {
  const files = cutOff(tally);
  for (const file of files) tally.planned.delete(placeOf(file));
  return files.map(({ file }) => file);
}

/**
 * What to run next: files with failures one by one, what was cut off together.
 * @param tryNumber of the runs to come, from 2
 * @returns a list of runs, each a list of `{ project, file }`; empty when nothing is left to be tried
 */
export function nextRuns(tally, quarantine, tryNumber) {
  if (tryNumber > TRIES) return [];
  const cut = cutOff(tally);
  const open = new Map();
  for (const test of tally.tests.values()) if (isOpen(test) && !isListed(quarantine, test)) open.set(placeOf(test), test);
  const files = [...open.values()].map(({ project, file }) => ({ project, file }));
  // What still fails of many after the second try is known to be broken.
  if (files.length > MOST_FILES) files.splice(tryNumber === 2 ? MOST_FILES : 0);
  return [...(cut.length > 0 ? [cut] : []), ...files.map((at) => [at])];
}

/**
 * @param isLate whether time was over before all tries were done: what did not end may be fine then
 * @param isOptional whether it is well when nothing ran
 * @returns `verdict`: `passed` (fit to land), `refused` (something never passed, or nothing ran) or `unknown` (time was over
 *   before everything had run); the tests behind it; how many passed, failed and were skipped
 */
export function verdictOf(tally, quarantine, { isLate = false, isOptional = false } = {}) {
  const all = [...tally.tests.values()].sort((one, other) => one.file.localeCompare(other.file));
  const isHeld = (test) => isListed(quarantine, test);
  const failed = all.filter((test) => isOpen(test) && !isHeld(test));
  const cut = cutOff(tally);
  const tests = all.filter(({ name }) => !AROUND.has(name));
  const broken = failed.length + tally.homeless.length + (isLate ? 0 : cut.length);
  const isWhole = cut.length === 0 && (isOptional || tally.finished.size > 0);
  return {
    verdict: broken > 0 ? 'refused' : isWhole ? 'passed' : isLate ? 'unknown' : 'refused',
    failed,
    quarantined: all.filter((test) => test.failures > 0 && isHeld(test)),
    retried: all.filter((test) => test.failures > 0 && test.hasPassed && !isHeld(test)),
    cut,
    homeless: tally.homeless,
    leftOut: tally.leftOut,
    counts: {
      passed: tests.filter(({ hasPassed }) => hasPassed).length,
      failed: broken,
      skipped: tests.filter(({ failures, hasPassed }) => failures === 0 && !hasPassed).length,
    },
  };
}

/** What several parts come to together: passed when all of them did. */
export function allOf(results) {
  const sum = (name) => results.reduce((total, { counts }) => total + counts[name], 0);
  const all = (name) => results.flatMap((result) => result[name]);
  return {
    verdict: ['refused', 'unknown'].find((bad) => results.some(({ verdict }) => verdict === bad)) ?? 'passed',
    failed: all('failed'),
    quarantined: all('quarantined'),
    retried: all('retried'),
    cut: all('cut'),
    homeless: all('homeless'),
    leftOut: [...new Set(all('leftOut'))],
    counts: { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') },
  };
}
