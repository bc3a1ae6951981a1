import type { Price, Quantity } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS } from '../app/cli.ts';
import { createContext } from '../app/create-context.ts';
import { isColoured } from './colour.ts';
import { type Column, csvCell, printRows, type Resource } from './output.ts';
import { shorten } from './shorten.ts';
import { sparkline } from './sparkline.ts';
import { localTime } from './times.ts';

type Row = { name: string; text: string };
const rows: Resource<Row> = {
  empty: 'bots',
  columns: [
    { key: 'name', value: ({ name }) => name },
    { key: 'text', value: ({ text }) => text },
  ],
};

test('a table is never wider than the terminal, and wide letters count twice', async () => {
  const host = fakeHost({ terminal: true, columns: 30 });
  const context = createContext([], host, { color: 'never' }, ENDLESS);
  await printRows(context, rows, [
    { name: 'ada', text: 'a sentence that is much longer than thirty columns' },
    { name: '日本', text: 'two letters,\nfour columns' },
  ]);
  expect(host.out()).toBe('Name  What happened\nada   a sentence that is much…\n日本  two letters, four colum…\n');
});

test('no rows say so on stderr and print nothing', async () => {
  const host = fakeHost({ terminal: true });
  await printRows(createContext([], host, {}, ENDLESS), rows, []);
  expect([host.out(), host.err()]).toEqual(['', 'No bot yet: pilotfish bots create --help\n']);
});

test('a figure keeps its digits in a pipe and is read through its formatter on a terminal; what is not known is empty', async () => {
  type Sale = { price: Price; fee: Quantity | null };
  // @ts-expect-error a figure that no formatter shows would stand as bare digits on a screen
  const bare: Column<Sale> = { key: 'price', value: ({ price }) => price };
  // @ts-expect-error a price is no quantity
  const wrong: Column<Sale> = { ...bare, shown: ({ price }) => formatQuantity(price) };
  const sales: Resource<Sale> = {
    empty: 'orders',
    columns: [
      { ...wrong, shown: ({ price }) => formatPrice(price, undefined) },
      { key: 'fee', value: ({ fee }) => fee, shown: ({ fee }) => (fee === null ? UNKNOWN : formatQuantity(fee)) },
    ],
  };
  const row = { price: '64250.10000000', fee: null };
  const [pipe, terminal] = [fakeHost(), fakeHost({ terminal: true })];
  await printRows(createContext([], pipe, {}, ENDLESS), sales, [row]);
  await printRows(createContext([], terminal, { color: 'never' }, ENDLESS), sales, [row]);
  expect(pipe.out()).toBe('64250.10000000\t\n');
  expect(terminal.out()).toBe('Price     Fee\n64,250.1  –\n');
});

test('CSV quotes what needs it and defuses formulas, not negative numbers', () => {
  expect(['a,b', 'say "x"', '=SUM(A1)', '-1.5', '+3', '@x', 'plain'].map(csvCell)).toEqual([
    '"a,b"',
    '"say ""x"""',
    "'=SUM(A1)",
    '-1.5',
    '+3',
    "'@x",
    'plain',
  ]);
});

describe('colour', () => {
  const tty = { write: () => true, isTTY: true };
  const of = (env: Record<string, string>, color: 'auto' | 'always' | 'never' = 'auto', output = tty) =>
    isColoured({ env, globals: { color } as never }, output);
  test.each([
    ['a terminal', of({}), true],
    ['a pipe', of({}, 'auto', { ...tty, isTTY: false }), false],
    ['NO_COLOR', of({ NO_COLOR: '1' }), false],
    ['an empty NO_COLOR', of({ NO_COLOR: '' }), true],
    ['FORCE_COLOR in a pipe', of({ FORCE_COLOR: '1' }, 'auto', { ...tty, isTTY: false }), true],
    ['FORCE_COLOR=0', of({ FORCE_COLOR: '0' }), false],
    ['--color always over NO_COLOR', of({ NO_COLOR: '1' }, 'always'), true],
    ['TERM=dumb', of({ TERM: 'dumb' }), false],
  ])('%s', (_, found, expected) => expect(found).toBe(expected));
});

test('small things', () => {
  expect(shorten('abcdef', 4, true)).toBe('abc…');
  expect(shorten('abcdef', 5, false)).toBe('ab...');
  expect(shorten('\u001b[31mabcdef\u001b[39m', 4, true, (text) => text.replace(/[^a-f…]/g, '').length)).toBe('abc…');
  expect(sparkline([1, 2, 3], true)).toBe('▁▅█');
  expect(sparkline([5, 5], false)).toBe('  ');
  expect(sparkline([1], true)).toBe('');
  expect(localTime(null)).toBe('');
});

test('a long name gives way to what stands behind it, and a column of little weight goes first', async () => {
  type Bot = { name: string; state: string; note: string; sum: string };
  const bots: Resource<Bot> = {
    empty: 'bots',
    columns: [
      { key: 'name', value: ({ name }) => name },
      { key: 'state', value: ({ state }) => state },
      { key: 'note', value: ({ note }) => note, rank: 1 },
      { key: 'realised', value: ({ sum }) => sum, right: true },
    ],
  };
  const host = fakeHost({ terminal: true, columns: 40 });
  const context = createContext([], host, { color: 'never' }, ENDLESS);
  await printRows(context, bots, [
    { name: 'a bot with a very long name that says everything', state: 'Running', note: 'x', sum: '1,200.00' },
    { name: 'short', state: 'Halted', note: 'y', sum: '-3.00' },
  ]);
  const lines = host.out().trimEnd().split('\n');
  expect(lines[1]).toBe('a bot with a very lo…  Running  1,200.00');
  expect(lines[2]).toBe('short                  Halted      -3.00');
});
