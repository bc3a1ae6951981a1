import { toText } from '@pilotfish/core/money/decimal';
import { expect, test } from 'vitest';
import { midnightPrices } from './midnight-prices.ts';

const MIDNIGHT = Date.UTC(2026, 0, 5);

test('a price of midnight is asked for once, and again only where none was known', async () => {
  let now = MIDNIGHT + 1000;
  const asked: unknown[] = [];
  const closes: Record<string, string> = { BTCUSDT: '10800.00' };
  const pricesAt = midnightPrices(
    {
      candles: async (symbol, interval, query) => {
        asked.push([symbol, interval, query]);
        if (symbol === 'DOWNUSDT') throw new Error('away');
        return closes[symbol] === undefined
          ? []
          : [{ openTime: new Date((query.endTime ?? 0) - 59_999).toISOString(), close: closes[symbol] } as never];
      },
    },
    () => now,
  );
  const known = async (...symbols: string[]) =>
    Object.fromEntries([...(await pricesAt(symbols, MIDNIGHT))].map(([symbol, price]) => [symbol, price && toText(price)]));
  expect(await known('BTCUSDT', 'NEWUSDT', 'DOWNUSDT', 'BTCUSDT')).toEqual({ BTCUSDT: '10800', NEWUSDT: null, DOWNUSDT: null });
  // The minute that ends with the day.
  expect(asked[0]).toEqual(['BTCUSDT', '1m', { limit: 1, endTime: MIDNIGHT - 1 }]);
  await known('BTCUSDT', 'NEWUSDT', 'DOWNUSDT');
  expect(asked).toHaveLength(3);
  now += 60_000;
  closes.NEWUSDT = '2';
  expect(await known('BTCUSDT', 'NEWUSDT')).toEqual({ BTCUSDT: '10800', NEWUSDT: '2' });
  expect(asked).toHaveLength(4);
  // Another day, or somebody in another zone.
  await pricesAt(['BTCUSDT'], MIDNIGHT + 3_600_000);
  expect(asked).toHaveLength(5);
});

test('a price of an earlier minute, which a history ends with while the exchange is away, is asked for again', async () => {
  let now = MIDNIGHT + 1000;
  let newest = { openTime: new Date(MIDNIGHT - 120_000).toISOString(), close: '100' };
  const pricesAt = midnightPrices({ candles: async () => [newest as never] }, () => now);
  const price = async () => toText((await pricesAt(['BTCUSDT'], MIDNIGHT)).get('BTCUSDT')!);
  expect(await price()).toBe('100');
  newest = { openTime: new Date(MIDNIGHT - 60_000).toISOString(), close: '104' };
  now += 60_000;
  expect(await price()).toBe('104');
  newest = { ...newest, close: '999' };
  now += 86_400_000;
  expect(await price()).toBe('104');
});
