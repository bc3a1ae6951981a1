import { expect, test } from 'vitest';
import { randomSeries } from '../../bench/series.ts';
import { botConfig } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { candleLoader } from '../candles/candle-loader.ts';
import { intervalLength } from '../prices/candle-gaps.ts';
import type { CandleSeries } from '../prices/candle-series.ts';
import { mapColumns } from '../prices/candle-series.ts';
import type { Candle } from '../prices/prices-contract.ts';
import type { FilterRule } from '../prices/screener-contract.ts';
import { runBacktest } from './backtest.ts';
import { createBacktestFigures } from './backtest-figures.ts';
import { createCandleRoll } from './candle-roll.ts';
import { historyNeeds, withHistory } from './figure-history.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Forty days of five minutes, from a midnight. */
const LENGTH = 5 * MINUTE;
const BARS = 40 * 288;
const FROM = Date.UTC(2025, 0, 1);
const whole = (seed: number): CandleSeries => {
  const made = randomSeries(BARS, seed, LENGTH);
  const quoteVolume = made.volume.map((volume, bar) => Math.round(volume * made.close[bar]! * 1e8) / 1e8);
  return { ...made, quoteVolume, trades: made.volume.map(Math.ceil), openTime: made.openTime.map((_, bar) => FROM + bar * LENGTH) };
};
const markets = new Map([
  ['ETHUSDT', whole(5)],
  ['BTCUSDT', whole(6)],
]);
const pair = { ...btcusdt, symbol: 'ETHUSDT', baseAsset: 'ETH' };
const asking = (...rules: FilterRule[]) =>
  botConfig({
    takeProfit: { levels: [{ gainPct: '0.5', sellPct: '100' }] },
    trailingCost: { enabled: false },
    timeframe: '15m',
    stopLoss: { mode: 'percent', pct: '0.5' },
    protections: { lossStreak: { count: 0 }, drawdown: { maxPct: '0' } },
    entry: {
      ...botConfig().entry,
      trailing: { ...botConfig().entry.trailing, enabled: false },
      trigger: { kind: 'conditions', rules: { match: 'all', rules } },
    },
  });

/** A server that has these markets, a page of at most 500 candles at a time; what was asked of it is kept. */
function server() {
  const asked: string[] = [];
  const page = (symbol: string, interval: string, endTime: string): Promise<Candle[]> => {
    asked.push(`${symbol} ${interval}`);
    const market = markets.get(symbol)!;
    const length = intervalLength(interval)!;
    const roll = createCandleRoll(length, BARS);
    for (let bar = 0; bar < BARS; bar += 1)
      roll.add(market.openTime[bar]!, LENGTH, market.high[bar]!, market.low[bar]!, market.close[bar]!, market.quoteVolume![bar]);
    const { openTime, high, low, close, quoteVolume } = roll.columns();
    const items = Array.from(openTime, (at, index): Candle => {
      const bar = (at - FROM) / LENGTH;
      return {
        openTime: new Date(at).toISOString(),
        open: String(market.open[bar]!),
        high: String(high[index]!),
        low: String(low[index]!),
        close: String(close[index]!),
        volume: '1',
        quoteVolume: String(quoteVolume[index]!),
        trades: length === LENGTH ? market.trades![bar]! : 1,
        closed: true,
      };
    });
    return Promise.resolve(items.filter((candle) => candle.openTime <= endTime).slice(-500));
  };
  return { asked, page };
}

test('most bots reach back to nothing; others to what the server keeps, up to the candle in which the run begins', () => {
  const start = FROM + 10 * DAY + 7 * MINUTE;
  expect(historyNeeds(botConfig(), start, '1m', 1)).toEqual([]);
  expect(historyNeeds({ ...botConfig(), pickOrder: 'volume' }, start, '1m', 1)).toEqual([]);
  expect(historyNeeds({ ...botConfig(), pickOrder: 'volume' }, start, '1m', 2)).toEqual([{ interval: '1m', from: start - DAY, to: start }]);
  const config = asking(
    { key: 'range', timeframe: '52w', operation: 'gt', value: 0 },
    { key: 'rsi', timeframe: '4h', operation: 'lt', of: { key: 'rsi', timeframe: '1h' } },
  );
  expect(historyNeeds(config, start, '1m', 1)).toEqual([
    { interval: '1h', from: FROM + 10 * DAY + HOUR - 1001 * HOUR, to: FROM + 10 * DAY + HOUR },
    { interval: '1d', from: FROM + 11 * DAY - 401 * DAY, to: FROM + 11 * DAY },
    { interval: '1m', from: start - DAY, to: start },
  ]);
  expect(historyNeeds(asking({ key: 'listedDays', operation: 'gt', value: 9 }), start, '1m', 1)).toEqual([
    { interval: '1d', from: 0, to: FROM + 11 * DAY },
  ]);
});

const loaderOver = (page: ReturnType<typeof server>['page']) => candleLoader({ page, months: async () => [], read: async () => '' });

test('a run that begins in the middle is the end of one that began before, once it has what came before it', async () => {
  const config = asking(
    { key: 'btcCorrelation', timeframe: '7d', operation: 'lt', value: 0.9 },
    { key: 'volumeVs20dAvg', operation: 'gt', value: 0.98 },
    { key: 'lowDistance', timeframe: '24h', operation: 'lt', value: 6 },
    { key: 'rsi', timeframe: '1h', operation: 'lt', value: 70 },
    { key: 'change', timeframe: '4h', operation: 'lt', value: 2 },
    { key: 'listedDays', operation: 'gte', value: 30 },
  );
  const eth = markets.get('ETHUSDT')!;
  const begin = 30 * 288 + 100;
  const candles = mapColumns(eth, (column) => column.subarray(begin));
  const { asked, page } = server();
  const back = await withHistory(config, [{ pair, candles }], '5m', loaderOver(page));
  expect(new Set(asked)).toEqual(new Set(['ETHUSDT 1h', 'ETHUSDT 1d', 'ETHUSDT 5m', 'BTCUSDT 1h']));
  expect(back.coins[0]?.listedAt).toBe(FROM);
  const late = runBacktest({ config, ...back, startBalance: '10000' });
  expect(late.report.trades).toBeGreaterThan(2);
  for (const other of [{ veiled: true }, { walkEveryBar: true }])
    expect(JSON.stringify(runBacktest({ config, ...back, startBalance: '10000', ...other }))).toBe(JSON.stringify(late));
  // The same bot over the same bars, with its figures from a run over everything: the same first entry.
  const cut = { pair, candles, listedAt: FROM, before: { candles: mapColumns(eth, (column) => column.subarray(0, begin)) } };
  const reference = { candles: markets.get('BTCUSDT')! };
  expect(JSON.stringify(runBacktest({ config, coins: [cut], reference, startBalance: '10000' }))).toBe(JSON.stringify(late));
  // Without it, the rules cannot be judged in these ten days.
  expect(() => runBacktest({ config, coins: [{ pair, candles }], startBalance: '10000' })).toThrow('needsHistory');
});

test('what is cut after a hole has the day before it all the same', () => {
  const eth = markets.get('ETHUSDT')!;
  const kept = (column: Float64Array) => column.filter((_, bar) => bar < 3000 || bar >= 3030);
  const holed = mapColumns(eth, kept);
  const refs = [{ key: 'range', timeframe: '24h' }, { key: 'quoteVolume' }, { key: 'change', timeframe: '1h' }] as const;
  const [before, candles] = [0, 3000].map((from) => mapColumns(holed, (column) => column.subarray(from, from === 0 ? 3000 : undefined)));
  const whole = createBacktestFigures(refs, { pair, candles: holed }, undefined);
  const cut = createBacktestFigures(refs, { pair, candles: candles!, before: { candles: before! } }, undefined);
  for (let bar = 0; bar < 3000; bar += 1) whole.close(bar, true);
  for (let bar = 0; bar < 40; bar += 1) {
    whole.close(3000 + bar, true);
    cut.close(bar, true);
    expect(cut.table.numbers).toEqual(whole.table.numbers);
  }
  expect([...cut.table.numbers.values()].every(([value]) => Number.isFinite(value))).toBe(true);
});
