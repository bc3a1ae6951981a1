// Tests that lean on the wall clock fail on a busy machine, and pass for the wrong reason on a fast one: they wait for
// events, or move a clock of their own. Part of `npm run structure`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const WAITS = 'waits for time: wait for an event, or use virtual time';
const JUDGES = 'judges the wall clock: use virtual time or a benchmark';
const PATIENT = 'has a patience of its own: the limit of the test is enough';

/** What is wrong wherever it stands, with what to do instead. */
const LEANS = [
  [/timers\/promises|\bsleep\(|\bwaitForTimeout\(|\bAbortSignal\.timeout\(/g, WAITS],
  [/\binterval:\s*\d|\bpatienceMs:\s*\d/g, PATIENT],
];

/** Files that are about real time or real processes, and why. Nothing else may join them without a reason as good. */
const EXCEPTIONS = {
  'packages/cli/e2e/process-redraw.e2e.ts': 'how often a screen is drawn is about real time; a slow machine only takes longer',
  'packages/core/src/http/client.test.ts': 'the limit of a client whose answer never comes: a slow machine only takes longer',
  'packages/core/src/time/wall-clock.test.ts': "sets Vitest's fake timers",
  'packages/core/testing/quiet-process.ts': 'gives up at last a job of another thread that never ends',
  'packages/core/testing/until.ts': 'looks at other processes, which share no clock with the test',
  'packages/server/src/app/testing/bot-audit.ts': 'looks at other processes',
  'packages/server/e2e/crash-points.e2e.ts': 'kills other processes',
  'packages/server/e2e/kill-bot.e2e.ts': 'kills other processes at moments that are drawn',
  'packages/server/e2e/lockstep.ts': 'gives up at last on a server that is stuck',
  'packages/server/e2e/parity.e2e.ts': 'runs a market that does not wait',
  'packages/server/e2e/soak.e2e.ts': 'lasts as long as it is told to',
  'packages/server/src/app/server.test.ts': 'the script of another process',
  'packages/server/src/database/server-lease.test.ts': 'its four deep tests are about the real time of PostgreSQL',
  'packages/server/src/http/request-times.deep.test.ts': "Node's own limits of requests know no other clock",
  'packages/simulator/e2e/binance-spot.e2e.ts': "other people's clients have limits of their own",
  'packages/simulator/e2e/stage.ts': "looks at other people's clients, which have their own timers",
  'packages/simulator/src/faults/faults.test.ts': 'a clock is at least as far ahead as was asked for; a slow machine only adds to it',
  'packages/web/e2e/keyboard-trading.e2e.ts': 'makes the frames of a page slow',
};

const isTest = (path) => /\.(?:test|e2e)\.tsx?$|(?:^|\/)(?:e2e|testing)\//.test(path) && /\.tsx?$/.test(path);

/** Without comments and without what stands in quotes, at the same places. Programs for other processes stay, and templates. */
const bare = (text) =>
  text.replaceAll(/(?<!:)\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, (found) =>
    /^['"].*(?:timers\/promises|\bset(?:Timeout|Interval)\()/.test(found) ? found : found.replaceAll(/[^\n]/g, '_'),
  );

/** The arguments of the call whose bracket opens at `open`, as texts. */
function argumentsAt(text, open) {
  const found = [''];
  let depth = 0;
  for (const letter of text.slice(open)) {
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    if (depth === 0) return found.map((each) => each.slice(each.startsWith('(') ? 1 : 0).trim()).filter(Boolean);
    if (letter === ',' && depth === 1) found.push('');
    else found[found.length - 1] += letter;
  }
  return [];
}

/** The name of the call around a place: `poll`, `test`; empty where what is called is itself the answer of a call. */
function callAround(text, place) {
  let depth = 0;
  for (let at = place - 1; at >= 0; at -= 1) {
    if (')]}'.includes(text[at])) depth += 1;
    if (!'([{'.includes(text[at])) continue;
    if (depth > 0) depth -= 1;
    else if (text[at] === '(') return /([\w.]*)$/.exec(text.slice(0, at))[1];
  }
  return undefined;
}

const NOW = String.raw`(?:Date|performance)\.now\(\)`;
const COMPARES = / [<>]=? |\.toBe(?:Less|Greater|CloseTo)/;
/** `test(…, { timeout })`, `test.each(…)(…, { timeout })`: the limit of the test itself. */
const OF_TEST = /^$|^(?:test|it|describe|deepTest)\b/;

/** What is compared although it came from the wall clock: directly, or by a name that was given such a moment. */
function judged(text) {
  const names = new Set();
  const isTimed = (piece) => new RegExp([NOW, ...[...names].map((name) => String.raw`(?<![\w.])${name}\b(?!:)`)].join('|')).test(piece);
  const assignments = [...text.matchAll(/(?<![\w.])(\w+)(?:: \w+)? [-+]?=\s+((?:[^;{}\n]|\n\s*[-+*/?:.])+)/g)];
  for (let before = -1; before < names.size; ) {
    before = names.size;
    for (const [, name, value] of assignments) if (isTimed(value)) names.add(name);
  }
  const found = [];
  for (const { 0: piece, index } of text.matchAll(/[^;{}]+/g)) {
    const compared = COMPARES.exec(piece);
    if (compared && isTimed(piece)) found.push(index + compared.index);
  }
  return found;
}

/** What leans on the wall clock in the text of a test: the line and what to do instead. */
export function leansOf(source) {
  const text = bare(source);
  const found = LEANS.flatMap(([pattern, instead]) => [...text.matchAll(pattern)].map(({ index }) => [index, instead]));
  for (const call of text.matchAll(/(?<!(?<!\b(?:globalThis|window|self))\.)\bset(?:Timeout|Interval)\(/g)) {
    const [, delay = '0'] = argumentsAt(text, call.index + call[0].length - 1);
    if (delay !== '0') found.push([call.index, WAITS]);
  }
  for (const call of text.matchAll(/\.(?:waitFor|waitUntil)\(/g)) {
    const [, options = ''] = argumentsAt(text, call.index + call[0].length - 1);
    if (/^\d/.test(options)) found.push([call.index, PATIENT]);
  }
  for (const { index } of text.matchAll(/\btimeout:\s*\d/g))
    if (!OF_TEST.test(callAround(text, index) ?? 'none')) found.push([index, PATIENT]);
  for (const index of judged(text)) found.push([index, JUDGES]);
  const lineOf = (index) => text.slice(0, index).split('\n').length;
  return found.map(([index, instead]) => ({ line: lineOf(index), instead })).sort((one, other) => one.line - other.line);
}

/** What leans on the wall clock, as lines for a person. */
export function wallClockProblems(root) {
  const problems = [];
  const unused = new Set(Object.keys(EXCEPTIONS));
  for (const name of readdirSync(join(root, 'packages'))) {
    for (const folder of ['src', 'e2e', 'testing']) {
      for (const path of filesBelow(root, `packages/${name}/${folder}`)) {
        if (!isTest(path)) continue;
        const leans = leansOf(readFileSync(join(root, path), 'utf8'));
        if (leans.length > 0) unused.delete(path);
        if (EXCEPTIONS[path] === undefined) problems.push(...leans.map(({ line, instead }) => `${path}:${line}: ${instead}`));
      }
    }
  }
  for (const path of unused) problems.push(`scripts/wall-clock.mjs: ${path} needs no exception`);
  return problems;
}

function filesBelow(root, folder) {
  try {
    return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`);
  } catch {
    return [];
  }
}
