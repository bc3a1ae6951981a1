import { expect, test } from 'vitest';
import type { Translate } from '../app/texts.ts';
import { hintsIn } from '../dashboard/dashboard-frame.ts';
import type { Colours } from './colour.ts';
import { layoutTable } from './table-layout.ts';
import { hanging, wrapped } from './wrap.ts';

const paint = new Proxy({}, { get: () => (text: string) => text }) as Colours;
const t = ((key: string) => key) as unknown as Translate;

test('a line too long for the terminal goes on below, at a word, under where it began', () => {
  expect(wrapped('names: averageCost, price, realised', 20)).toEqual(['names: averageCost,', 'price, realised']);
  expect(hanging('  stop loss  ', '92,298.41 / 89,450.83', 31)).toBe('  stop loss  92,298.41 /\n             89,450.83');
  expect(hanging('\u001b[2mName\u001b[22m  ', 'short enough', 18)).toBe('\u001b[2mName\u001b[22m  short enough');
  expect(hanging('a label that leaves nothing  ', 'stays as it is', 30)).toBe('a label that leaves nothing  stays as it is');
});

test('where a table is too wide, its widest words are cut: a moment before them stays whole', () => {
  const rows = [{ at: '2026-11-23 10:02:45', title: 'A bot with quite a long name: entering BNBUSDT', text: 'at 671.4' }];
  const columns = (['at', 'title', 'text'] as const).map((key) => ({ key, head: key, value: (row: (typeof rows)[0]) => row[key] }));
  const { body, left } = layoutTable(columns, rows, { room: 60, unicode: true, paint, width: (text) => text.length, t });
  expect(body).toEqual(['2026-11-23 10:02:45  A bot with quite a long name…  at 671.4']);
  // One that is cut is not one that is left out.
  expect(left).toEqual([]);
});

test('keys that find no room are left out whole; help and the way out stay', () => {
  const keys = 'enter chart  / filter  s sort  a alert  1-5 tabs  ? help  q quit';
  expect(hintsIn(keys, 80)).toBe(keys);
  expect(hintsIn(keys, 60)).toBe('enter chart  / filter  s sort  a alert  ? help  q quit');
  expect(hintsIn(keys, 10)).toBe('? help  q quit');
});
