import { gzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { candlesOfMonthFile } from './month-file.ts';

const START = Date.UTC(2024, 0, 1);
const key = { symbol: 'BTCUSDT', interval: '1h', month: '2024-01' } as const;
const text = Buffer.from(`${START},1,2,1,1,5,${START + 3_599_999},5,3,0,0,0\n`);

test.each(['ETHUSDT-1h-2024-01', 'BTCUSDT-30m-2024-01', 'BTCUSDT-1h-2024-02', 'BTCUSDT-1h-2024-01-01'])(
  'a file that is named %s is refused for other candles, whatever is in it',
  async (found) => {
    for (const [ending, bytes] of [
      ['.csv', text],
      ['.csv.gz', gzipSync(text)],
    ] as const)
      await expect(candlesOfMonthFile(bytes, key, `${found}${ending}`)).rejects.toMatchObject({ code: 'OTHER_FILE', found });
  },
);

test.each(['BTCUSDT-1h-2024-01.csv', 'candles.csv', ''])('a file that is named %j is read', async (name) => {
  expect(await candlesOfMonthFile(text, key, name)).toHaveLength(1);
});

test('a month is read row by row: one text of all of them would hold back the process', async () => {
  const rows = Array.from({ length: 700 }, (_, hour) => START + hour * 3_600_000).map(
    (at) => `${at},1,2,1,1,5,${at + 3_599_999},5,3,0,0,0`,
  );
  const file = Buffer.from(rows.join('\r\n'));
  const texts = vi.spyOn(Buffer.prototype, 'toString');
  expect(await candlesOfMonthFile(file, key, '')).toHaveLength(rows.length);
  expect(Math.max(...texts.mock.results.map(({ value }) => (value as string).length))).toBeLessThan(100);
  texts.mockRestore();
});
