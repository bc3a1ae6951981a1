import { claimSchema, downloadAccountExport } from '@pilotfish/core/account/account-contract';
import { isolated } from '@pilotfish/core/fields/isolated';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS } from '../app/cli.ts';
import { createContext } from '../app/create-context.ts';
import { colours } from './colour.ts';
import { printOne, printRows } from './output.ts';
import { printable, visible, visibleWithin, wholeIsolates } from './visible.ts';

const ESC = '\u001b';
/** Clears the screen, sets the title, asks the terminal to answer, hides what follows, turns the direction, C1 of the same. */
const BAD = [
  `${ESC}[2J`,
  `${ESC}]0;title\u0007`,
  `${ESC}[6n`,
  `${ESC}P$q${ESC}\\`,
  '\u009b31m',
  '\u009d0;x\u009c',
  '\r',
  '\b',
  '\u202e',
  '\u0000',
];
const OBEYED = /(?!\n)[\p{Cc}\u202a-\u202e\u2066\u2067]/u;

test.each(BAD)('%j is shown, never obeyed, in a table, in one thing, in a sentence and in an error', async (bad) => {
  const host = fakeHost({ terminal: true, env: { NO_COLOR: '1' } });
  const context = createContext([], host, {}, ENDLESS);
  const row = { name: `a${bad}b` };
  const resource = { empty: 'entries', columns: [{ key: 'name', value: ({ name }: typeof row) => name }] };
  await printRows(context, resource, [row]);
  await printOne(context, resource, row);
  await printRows(createContext([], host, { json: true }, ENDLESS), resource, [row]);
  await context.say('cli.auth.signedIn', { username: row.name, url: row.name });
  context.stderr.write(`${row.name}\n`);
  expect(host.out() + host.err()).not.toMatch(OBEYED);
  expect(host.out()).toMatch(/a.+b/);
});

test('own colours, lines and moves stay; a pipe gets the exact text', () => {
  const terminal = fakeHost({ terminal: true });
  const context = createContext([], terminal, { color: 'always' }, ENDLESS);
  const painted = `${colours(context, context.stdout).red('lost')}\tof\n`;
  for (const text of [painted, 'a,b\r\n', '\b \b\b \b', `\r${ESC}[K`]) expect(printable(text)).toBe(text);
  context.stdout.write(painted);
  expect(terminal.out()).toBe(painted);
  const pipe = fakeHost();
  createContext([], pipe, {}, ENDLESS).stdout.write(`a${ESC}[2Jb`);
  expect(pipe.out()).toBe(`a${ESC}[2Jb`);
});

test('answers for full screens hold nothing that is obeyed, wherever it stands', () => {
  const answer = { items: [{ name: `x${ESC}[2J`, deep: [['\u009b', 1, null]] }], frozen: Object.freeze({ name: 'y' }) };
  expect(visibleWithin(answer)).toEqual({ items: [{ name: 'x\u241b[2J', deep: [['\ufffd', 1, null]] }], frozen: { name: 'y' } });
  expect(visible('Überraschung şğı 👩‍👩‍👧')).toBe('Überraschung şğı 👩‍👩‍👧');
});

test('a name that runs from right to left is isolated, and takes no more room', async () => {
  expect(stringWidth(isolated('שלום'))).toBe(4);
  const host = fakeHost({ terminal: true, env: { NO_COLOR: '1' } });
  const context = createContext([], host, {}, ENDLESS);
  await context.say('cli.auth.signedIn', { username: 'שלום', url: 'http://127.0.0.1' });
  expect(host.err()).toContain('\u2068שלום\u2069');
  expect(wholeIsolates('\u2068a\u2069 and \u2068\u2068b\u2069\u2069')).toBe('\u2068a\u2069 and \u2068\u2068b\u2069\u2069');
  expect(wholeIsolates('\u2069a\u2068')).toBe('a');
  // One that is cut off inside, or comes so, turns nothing on its line.
  expect(visible('\u2068שלום')).toBe('שלום');
  expect(printable('\u2068שלום\n\u2068ok\u2069\n')).toBe('שלום\n\u2068ok\u2069\n');
});

test('at a terminal answers and errors hold nothing that is obeyed; files and what is written back stay exact, and so do pipes', async () => {
  const name = `a${ESC}[8mb\u202e`;
  const contract = { get: { ...downloadAccountExport, answers: 'json', answer: claimSchema }, file: downloadAccountExport } as const;
  const answering = (status: number) => ({
    env: { PILOTFISH_TOKEN: 't' },
    fetch: (async () =>
      new Response(
        JSON.stringify(status === 200 ? { name, value: '' } : { type: 'about:blank', title: name, status, detail: name, code: 'conflict' }),
        {
          status,
        },
      )) as typeof fetch,
  });
  const clientOf = (terminal: boolean, status = 200, exact = false) =>
    createContext([], fakeHost({ terminal, ...answering(status) }), {}, ENDLESS).client(contract, { exact });
  expect(await (await clientOf(true)).get()).toMatchObject({ name: 'a\u241b[8mb\ufffd' });
  await expect((await clientOf(true, 409)).get()).rejects.toMatchObject({ code: 'conflict', detail: 'a\u241b[8mb\ufffd' });
  expect(await (await clientOf(true)).file()).toContain('\u202e');
  expect(await (await clientOf(true, 200, true)).get()).toMatchObject({ name });
  expect(await (await clientOf(false)).get()).toMatchObject({ name });
});
