import { expect, test } from 'vitest';
// @ts-expect-error -- a script without types
import { leansOf } from './wall-clock.mjs';

const linesOf = (text: string): number[] => (leansOf(text) as { line: number }[]).map(({ line }) => line);

test.each([
  ['a wait', 'await new Promise((done) => setTimeout(done, 500));'],
  ['a wait on several lines', 'setTimeout(\n  () => {\n    look();\n  },\n  PAUSE_MS,\n);'],
  ['a computed wait', 'await new Promise((done) => setTimeout(done, 200 + draw() * 800));'],
  ['a beat', "const timer = setInterval(() => response.write(' '), 20);"],
  ['one of the window', 'window.setTimeout(done, pauseOf(1, 2));'],
  ['a program in a template', 'const PROGRAM = `\n  setTimeout(end, 50);\n`;'],
  ['a program in quotes', "spawn('node', ['-e', 'setTimeout(end, 50)']);"],
  ['a sleep', "import { setTimeout as pause } from 'node:timers/promises';"],
  ['a sleep of a page', 'await page.waitForTimeout(300);'],
  ['a deadline', 'const signal = AbortSignal.timeout(50);'],
  ['a clock compared', 'while (Date.now() < end) look();'],
  ['the other way round', 'while (end > performance.now()) look();'],
  ['an expectation', 'expect(performance.now() - began).toBeLessThan(5);'],
  ['an expectation on several lines', 'expect(\n  performance.now() - began,\n  name,\n).toBeLessThan(5);'],
  ['patience on a line', 'await expect.poll(look, { timeout: 5000 }).toBe(1);'],
  ['patience on a line of its own', 'await expect\n  .poll(look, {\n    timeout: 5000,\n  })\n  .toBe(1);'],
  ['patience of a page', 'await page.getByText(name).waitFor({\n  timeout: 1000,\n});'],
  ['patience as a number', 'await vi.waitFor(() => expect(seen).toBe(1), 10_000);'],
  ['looks by the clock', 'await vi.waitUntil(look, { interval: 10 });'],
])('%s leans on the wall clock', (_, text) => {
  expect(linesOf(text)).toHaveLength(1);
});

test('a start that is kept and compared later, with what is computed of it', () => {
  expect(linesOf('const began = performance.now();\nawait work();\nexpect(performance.now() - began).toBeLessThan(9);')).toEqual([3]);
  expect(linesOf('const began = Date.now();\nawait work();\nconst took = Date.now() - began;\n\nexpect(took).toBeLessThan(9);')).toEqual([
    5,
  ]);
  expect(linesOf('const patience = Date.now() + MOST_MS;\nfor (; simulator.now() < end && clock < patience; ) look();')).toEqual([2]);
  expect(linesOf('let took: number;\ntook = performance.now() - x;\nexpect({ soon: took < SOON_MS }).toEqual({ soon: true });')).toEqual([
    3,
  ]);
  expect(linesOf('const took =\n  performance.now() - x;\nexpect(took).toBeGreaterThan(990);')).toEqual([3]);
});

test.each([
  ['a turn of the event loop', 'await new Promise((done) => setTimeout(done, 0));\nsetTimeout(done);'],
  ['the limit of a test', "test('x', { timeout: 60_000 }, async () => undefined);"],
  ['the limit on a line of its own', "test(\n  'x',\n  {\n    timeout: 60_000,\n  },\n  work,\n);"],
  ['the limit of cases', "test.each(cases)('%s', { timeout: 60_000 }, work);\ntest.skipIf(!there)('x', { timeout: 60_000 }, work);"],
  ['a limit with a name', 'connect({ timeout: LIMIT_MS });'],
  ['a comment', '// setTimeout(done, 500) took longer than Date.now() < end\n/* sleep(1) */'],
  ['a text', "const title = 'sleep(1) until Date.now() < end';"],
  ['the limit of a socket', 'socket.setTimeout(15_000, () => socket.destroy());'],
  ['time of a virtual clock', 'expect(time.elapsed).toBeLessThan(5);\nexpect(now() - began).toBeGreaterThan(5);'],
  ['processor time', 'const before = process.cpuUsage();\nexpect(process.cpuUsage(before).user).toBeLessThan(5);'],
  ['a moment that is told', 'const began = performance.now();\nconsole.info(performance.now() - began);'],
])('%s does not', (_, text) => {
  expect(linesOf(text)).toEqual([]);
});
