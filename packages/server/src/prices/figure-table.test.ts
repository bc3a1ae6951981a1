import { expect, test } from 'vitest';
import { figureTable } from './figure-table.ts';
import { marketFixture } from './market-fixture.ts';

const AT = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;
const setup = () => {
  const fixture = marketFixture(
    [
      { base: 'BTC', price: '110', open: '100', bid: 109, ask: 111, quoteVolume: '600' },
      { base: 'ETH', price: '10' },
    ],
    AT,
  );
  const figures = figureTable(fixture.market, () => ['tag']);
  const value = (id: string, symbol = 'BTCUSDT') => figures.table.numbers.get(id)![figures.row(symbol)!]!;
  const before = (id: string) => figures.table.before.get(id)![figures.row('BTCUSDT')!]!;
  return { ...fixture, figures, value, before };
};

test('live figures follow the price and what candles said', () => {
  const { figures, value } = setup();
  figures.setHours('BTCUSDT', {
    close7d: 55,
    close30d: 220,
    high7d: 120,
    low7d: 80,
    volumeChange: 7,
    correlation7d: 1,
    correlation30d: 0.5,
    sparkline: undefined,
  });
  figures.setDays('BTCUSDT', { volume20d: 300, volatility7d: 3, high52w: 105, low52w: 50 });
  figures.setListing('BTCUSDT', AT - 10.5 * 86_400_000);
  figures.refresh();
  expect(value('change.24h')).toBeCloseTo(10, 10);
  expect(value('change.7d')).toBeCloseTo(100, 10);
  expect(value('change.30d')).toBeCloseTo(-50, 10);
  expect(value('highDistance.7d')).toBeCloseTo((110 / 120 - 1) * 100, 10);
  expect(value('lowDistance.7d')).toBeCloseTo(37.5, 10);
  // A price above all closed candles is its own high.
  expect(value('highDistance.52w')).toBe(0);
  expect(value('range.52w')).toBeCloseTo(120, 10);
  expect(value('volumeVs20dAvg')).toBe(2);
  expect(value('spreadPct')).toBeCloseTo((2 / 110) * 100, 10);
  expect(value('tickSizePct')).toBeCloseTo(0.01 / 1.1, 10);
  expect([value('minNotional'), value('listedDays')]).toEqual([5, 10]);
  for (const id of ['change.7d', 'range.52w', 'spreadPct', 'listedDays', 'bookDepth1pct', 'change.1m'])
    expect([id, value(id, 'ETHUSDT')]).toEqual([id, Number.NaN]);
});

test('crossings compare with the minute before, indicators with the candle before', () => {
  const { figures, state, tell, value, before } = setup();
  figures.tick();
  expect(before('price')).toBeNaN();
  state.at += MINUTE;
  tell([{ base: 'BTC', price: '120' }]);
  figures.tick();
  state.at += 10_000;
  tell([{ base: 'BTC', price: '130' }]);
  figures.tick();
  figures.refresh();
  expect([before('price'), value('price')]).toEqual([120, 130]);
  figures.setIndicators('BTCUSDT', '1h', { rsi: [40, 20], macdSign: [-1, 1] }, AT - 60 * MINUTE);
  expect([value('rsi.1h'), before('rsi.1h')]).toEqual([40, 20]);
  expect(figures.table.words.get('macdSign.1h')![figures.row('BTCUSDT')!]).toBe('below');
});

test('figures of candles that never came again become unknown', () => {
  const { figures, state, tell, value } = setup();
  figures.setIndicators('BTCUSDT', '1h', { rsi: [40, 20], macdSign: [1, 1] }, AT - 60 * MINUTE);
  figures.setHours('BTCUSDT', {
    close7d: 55,
    close30d: 1,
    high7d: 1,
    low7d: 1,
    volumeChange: 7,
    correlation7d: 1,
    correlation30d: 1,
    sparkline: undefined,
  });
  const at = (hours: number) => {
    state.at = AT + hours * 60 * MINUTE;
    tell([{ base: 'BTC', price: '110' }]);
    figures.tick();
  };
  at(3);
  expect([value('rsi.1h'), value('volumeChange')]).toEqual([40, 7]);
  at(5);
  expect([value('rsi.1h'), value('volumeChange')]).toEqual([Number.NaN, Number.NaN]);
  figures.refresh();
  expect(value('change.7d')).toBeNaN();
  expect(figures.table.words.get('macdSign.1h')![0]).toBeNull();
});

test('pairs that come later find their place, and what is known of the others stays', () => {
  const { figures, market, value } = setup();
  figures.setListing('ETHUSDT', AT);
  const [btc, eth] = market.pairs();
  const added = { ...btc!, symbol: 'AAAUSDT', baseAsset: 'AAA' };
  Object.assign(market, { pairs: () => [added, eth!, btc!] });
  figures.refresh();
  expect(figures.table.symbols).toEqual(['AAAUSDT', 'ETHUSDT', 'BTCUSDT']);
  expect([value('listedAt', 'ETHUSDT'), value('price'), value('price', 'AAAUSDT')]).toEqual([AT, 110, Number.NaN]);
});

test('lines of the last hours stay while pairs come, and go where no hour came again', () => {
  const { figures, state, tell } = setup();
  const HOUR = 60 * MINUTE;
  const nothing = { close7d: 1, close30d: 1, high7d: 1, low7d: 1, volumeChange: 1, correlation7d: 1, correlation30d: 1 };
  const hour = (symbol: string, openTime: number, sparkline: readonly number[] | undefined) => {
    figures.setIndicators(symbol, '1h', {}, openTime);
    figures.setHours(symbol, { ...nothing, sparkline });
  };
  expect(figures.sparklines()).toEqual({ until: Number.NaN, items: [] });
  hour('BTCUSDT', AT - HOUR, [0, 100]);
  hour('ETHUSDT', AT - HOUR, undefined);
  tell([{ base: 'SOL', price: '1' }]);
  expect(figures.sparklines()).toEqual({ until: AT, items: [{ symbol: 'BTCUSDT', points: [0, 100] }] });
  expect(figures.sparklines(['ETHUSDT', 'NOPEUSDT'])).toEqual({ until: AT, items: [] });
  hour('ETHUSDT', AT + 3 * HOUR, [50, 50]);
  expect(figures.sparklines().items.map(({ symbol }) => symbol)).toEqual(['BTCUSDT', 'ETHUSDT']);
  hour('ETHUSDT', AT + 4 * HOUR, [50, 50]);
  expect(figures.sparklines()).toEqual({ until: AT + 5 * HOUR, items: [{ symbol: 'ETHUSDT', points: [50, 50] }] });
  state.at = AT + 20 * HOUR;
  tell([{ base: 'BTC', price: '1' }]);
  figures.tick();
  expect(figures.sparklines().items).toEqual([]);
});
