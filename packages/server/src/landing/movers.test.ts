import { expect, test } from 'vitest';
import { figureTable } from '../prices/figure-table.ts';
import { marketFixture } from '../prices/market-fixture.ts';
import { createMovers } from './movers.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const HOURS = { high7d: 1, low7d: 1, volumeChange: 1, correlation7d: 1, correlation30d: 1, sparkline: undefined };

test('rank by the interval that was asked, thin and foreign pairs left out, each with its line', async () => {
  const { market, tell } = marketFixture(
    [
      { base: 'UP', price: '120', open: '100' },
      { base: 'MORE', price: '150', open: '100' },
      { base: 'DOWN', price: '80', open: '100' },
      { base: 'FLAT', price: '100', open: '100' },
      { base: 'THIN', price: '900', open: '100', quoteVolume: '9999' },
      { base: 'HALTED', price: '900', open: '100', status: 'BREAK' },
      { base: 'UP', quote: 'BTC', price: '900', open: '100' },
    ],
    AT,
  );
  const figures = figureTable(market, () => []);
  figures.setHours('DOWNUSDT', { ...HOURS, close7d: 10, close30d: 800 });
  figures.setHours('UPUSDT', { ...HOURS, close7d: 240, close30d: Number.NaN });
  figures.refresh();
  const asked: string[] = [];
  let time = 0;
  let hidden = '';
  const movers = createMovers(
    {
      market,
      isOffered: ({ baseAsset }) => baseAsset !== hidden,
      figures: () => figures.table,
      closes: async (symbol, interval, count) => {
        asked.push(`${symbol} ${interval} ${count}`);
        return symbol === 'MOREUSDT' ? [1, 2, 3] : undefined;
      },
    },
    () => time,
  );
  const list = async (...query: Parameters<typeof movers.of>) =>
    (await movers.of(...query)).map(({ symbol, changePct }) => [symbol, changePct]);
  expect(await list(1, '24h')).toEqual([
    ['MOREUSDT', '50.00'],
    ['UPUSDT', '20.00'],
  ]);
  expect((await movers.of(1, '24h'))[0]).toMatchObject({ price: '150', baseAsset: 'MORE', sparkline: [1, 2, 3] });
  expect(asked).toEqual(['MOREUSDT 30m 48', 'UPUSDT 30m 48']);
  expect(await list(-1, '24h')).toEqual([['DOWNUSDT', '-20.00']]);
  expect(await list(1, '7d')).toEqual([['DOWNUSDT', '700.00']]);
  expect(await list(-1, '7d')).toEqual([['UPUSDT', '-50.00']]);
  expect(await list(-1, '30d')).toEqual([['DOWNUSDT', '-90.00']]);
  expect(await list(1, '1h')).toEqual([]);

  const index = market.board.index('UPUSDT')!;
  market.minutes.seed(
    index,
    Array.from({ length: 120 }, (_, n) => [AT - (119 - n) * 60_000, 100 + n]),
  );
  figures.refresh();
  time += 6000;
  const [mover] = await movers.of(-1, '1h');
  expect([mover?.symbol, mover?.sparkline.length]).toEqual(['UPUSDT', 30]);
  tell([{ base: 'FLAT', price: '300', open: '100' }]);
  figures.refresh();
  // The same for everybody within some seconds, then anew.
  expect(await list(1, '24h')).toEqual([
    ['FLATUSDT', '200.00'],
    ['MOREUSDT', '50.00'],
    ['UPUSDT', '20.00'],
  ]);
  tell([{ base: 'FLAT', price: '100', open: '100' }]);
  figures.refresh();
  expect((await list(1, '24h'))[0]).toEqual(['FLATUSDT', '200.00']);
  hidden = 'MORE';
  time += 6000;
  expect(await list(1, '24h')).toEqual([['UPUSDT', '20.00']]);
});
