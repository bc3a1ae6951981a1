import { describe, expect, test } from 'vitest';
import { newest, sinceTime } from './bot-history.ts';

const rows = Array.from({ length: 450 }, (_, index) => 450 - index);
const pages = () => {
  const asked: number[] = [];
  const load = async (page: number, pageSize: number) => {
    asked.push(page);
    return { items: rows.slice((page - 1) * pageSize, page * pageSize), total: rows.length };
  };
  return { asked, load };
};

describe('the newest of a paged list', () => {
  test('no more pages than it takes', async () => {
    const { asked, load } = pages();
    expect(await newest(3, load)).toEqual([450, 449, 448]);
    expect(await newest(250, load)).toHaveLength(250);
    expect(asked).toEqual([1, 1, 2]);
    expect(await newest(10_000, load)).toHaveLength(450);
  });
  test('what is not wanted is passed over until there are enough', async () => {
    const { load } = pages();
    expect(await newest(3, load, { keep: (row) => row % 100 === 0 }, 50)).toEqual([400, 300, 200]);
  });
  test('it ends at the first row that is too old', async () => {
    const { asked, load } = pages();
    expect(await newest(100, load, { over: (row) => row < 448 }, 200)).toEqual([450, 449, 448]);
    expect(asked).toEqual([1]);
  });
});

test('since when', () => {
  const now = Date.UTC(2026, 0, 2);
  expect(['30m', '2h', '1d', '2026-01-01', '2026-01-01T10:00Z'].map((text) => (now - sinceTime(text, now)) / 60_000)).toEqual([
    30, 120, 1440, 1440, 840,
  ]);
  for (const wrong of ['soon', '2w', '01.01.2026', '2026-13-01']) expect(() => sinceTime(wrong, now)).toThrow('since');
});
