import { type AutoTradeConfig, autoTradeConfigSchema } from '../src/auto-trades/config/auto-trade-config.ts';
import type { BacktestOptions } from '../src/backtest/backtest.ts';
import { DEFAULT_FILL_MODEL } from '../src/backtest/fill-model.ts';
import type { CandleSeries } from '../src/prices/candle-series.ts';
import type { Pair } from '../src/prices/prices-contract.ts';
import { WALLET_ID } from './auto-trade-fixtures.ts';
import { btcusdt } from './pairs.ts';

/** Pairs with other ticks and lots, and what their prices are of those of the series. */
const PAIRS: readonly { readonly pair: Pair; readonly factor: number }[] = [
  { pair: btcusdt, factor: 1 },
  { pair: { ...btcusdt, filters: { ...btcusdt.filters, tickSize: '0.05', stepSize: '0.00002' } }, factor: 1 },
  {
    pair: {
      ...btcusdt,
      pricePrecision: 4,
      quantityPrecision: 1,
      filters: {
        ...btcusdt.filters,
        tickSize: '0.0001',
        minPrice: '0.0001',
        stepSize: '0.1',
        minQty: '0.1',
        maxQty: '900000',
        marketMaxQty: '900000',
      },
    },
    factor: 0.0001,
  },
  {
    pair: {
      ...btcusdt,
      pricePrecision: 8,
      quantityPrecision: 0,
      filters: {
        ...btcusdt.filters,
        tickSize: '0.00000001',
        minPrice: '0.00000001',
        stepSize: '1',
        minQty: '1',
        maxQty: '90000000',
        marketMaxQty: '90000000',
      },
    },
    factor: 0.000_000_1,
  },
];

/** A random walk of bars: how many, its seed, and the length of a bar. */
type RandomSeries = (size: number, seed: number, intervalMs: number) => CandleSeries;

/**
 * A random bot with every kind of rule, over a random market: with gaps in time, bars without volume, finer candles, other
 * fees and spreads. `draw` answers numbers from 0 to below 1.
 */
export function backtestCase(draw: () => number, randomSeries: RandomSeries): BacktestOptions {
  const chance = (share: number): boolean => draw() < share;
  const whole = (from: number, to: number): number => from + Math.floor(draw() * (to - from + 1));
  const text = (from: number, to: number, places: number): string => String(Number((from + draw() * (to - from)).toFixed(places)));
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(draw() * values.length)]!;

  const intervalMs = pick([60_000, 60_000, 300_000, 3_600_000]);
  const bars = whole(200, 900);
  const shifted = chance(0.05);
  const zoomed = chance(0.3);
  const gaps = chance(0.3);
  const several = chance(0.4);
  const coins = Array.from({ length: several ? whole(2, 4) : 1 }, (_, number) => {
    const { pair, factor } = pick(PAIRS);
    const name = ['DOGE', 'BTC', 'COMP', 'ADA'][number]!;
    const own = several ? { ...pair, symbol: `${name}USDT`, baseAsset: name } : pair;
    const made = randomSeries(bars - (chance(0.08) ? whole(1, 100) : 0), whole(1, 1e9), intervalMs);
    const market = series(made, own, factor, gaps ? draw : undefined);
    // A market in which an order takes several bars.
    const thin = chance(0.2) ? whole(100, 10_000) : 1;
    if (thin > 1) for (let bar = 0; bar < market.volume.length; bar += 1) market.volume[bar] = market.volume[bar]! / thin;
    // Bars that begin within a minute: what they leave in a look-back window depends on how they were walked.
    if (shifted) for (let bar = 0; bar < market.openTime.length; bar += 1) market.openTime[bar]! += 30_000;
    const zoom = intervalMs > 60_000 && zoomed ? finer(market, intervalMs / 5, draw) : undefined;
    const quoteVolume = market.volume.map((volume, bar) => Math.round(volume * market.close[bar]! * 1e8) / 1e8);
    return { pair: own, candles: { ...market, quoteVolume }, ...(zoom ? { zoom } : {}) };
  });
  const own = config(chance, whole, text, pick);
  const conditions = own.entry.trigger.kind === 'conditions' || own.exit.conditions !== null;
  const seed = whole(1, 1000);
  return {
    config: own,
    coins,
    ...(conditions ? { judgeFor: judgeOf(seed) } : {}),
    startBalance: pick(['1000', '10000', '250.5', '10000']),
    reservePct: pick(['0', '0', '1', '12.5']),
    model: chance(0.5)
      ? DEFAULT_FILL_MODEL
      : {
          halfSpreadPct: pick([0, 0.01, 0.07]),
          slippagePct: pick([0, 0.02, 0.3]),
          volumeSharePct: pick([5, 100]),
          takerFee: pick(['0', '0.00075', '0.001', '0.004']),
          makerFee: pick(['0', '0.0005', '0.001']),
        },
    ...(chance(0.15) ? { delayBars: whole(1, 3) } : {}),
  };
}

function config(
  chance: (share: number) => boolean,
  whole: (from: number, to: number) => number,
  text: (from: number, to: number, places: number) => string,
  pick: <Value>(values: readonly Value[]) => Value,
): AutoTradeConfig {
  // Half of the bots trade all the time.
  const busy = chance(0.5);
  const levels = pick([0, 1, 1, 1, 2, 3, 4]);
  const shares = Array.from({ length: levels }, (_, level) => (level === levels - 1 ? 0 : whole(1, Math.floor(100 / levels))));
  // A first level that leaves about as little as may be sold: what is dust then hangs on the last price.
  const scanty = levels === 2 && chance(0.5);
  if (scanty) shares[0] = 95;
  const last = 100 - shares.reduce((sum, share) => sum + share, 0);
  let gain = busy ? 0.05 : 0.2;
  const order = () => ({
    offsetPct: pick(['0', '0', text(0, 0.3, 2)]),
    timeoutSec: pick([5, 30, 60, 600, 86_400]),
    onTimeout: pick(['cancel', 'cancel', 'cancel', 'reprice', 'market'] as const),
    maxSlippagePct: text(0, 1, 2),
  });
  // A line that lies further below than the next rebuy: the buy takes it away.
  const far = chance(0.15);
  const deep = (): string => text(0.05, busy ? 0.3 : 2, 2);
  const much = (): string => pick(['1', '1', '2', text(0.3, 2.5, 2)]);
  function rebuys() {
    if (chance(0.4)) return {};
    const basis = pick(['firstBuy', 'lastBuy', 'avgCost'] as const);
    const rungs = whole(1, 5);
    return {
      ...(chance(0.5)
        ? { levels: Array.from({ length: rungs }, () => ({ dropPct: deep(), sizeMultiplier: much() })) }
        : { generator: { count: rungs, stepPct: deep(), stepScale: pick(['1', '1.3', '0.7']), sizeScale: much() } }),
      basis,
      minMinutesBetween: pick([0, 0, 5, 60]),
      trailingReboundPct: chance(0.4) ? text(0.05, 0.5, 2) : '0',
    };
  }
  return autoTradeConfigSchema.parse({
    name: 'Random',
    walletId: WALLET_ID,
    coins: { symbols: ['BTCUSDT'] },
    maxOpenPositions: whole(1, 3),
    pickOrder: pick(['filterOrder', 'volume', 'dropDepth'] as const),
    maxExposurePerCoin: chance(0.1) ? text(50, 500, 2) : null,
    entry: {
      size: scanty
        ? { mode: 'fixed', value: text(99.6, 100.6, 2) }
        : chance(0.6)
          ? { mode: 'fixed', value: text(6, 400, 2) }
          : { mode: 'percentOfWallet', value: text(1, 99, 1) },
      trigger: chance(0.1)
        ? { kind: 'conditions', rules: anything }
        : chance(0.7)
          ? { kind: 'drop', dropPct: text(0.05, busy ? 0.3 : 2, 2), lookbackMin: whole(1, 300) }
          : { kind: 'immediate' },
      trailing: { enabled: chance(0.5), reboundPct: text(0.1, 0.5, 2), expiryMin: whole(1, 120), maxChasePct: text(0.1, 1, 2) },
      order: { type: pick(['Market', 'Market', 'Limit'] as const), ...order() },
      maxSpreadPct: '0.3',
    },
    takeProfit: {
      levels: shares.map((share, level) => {
        gain += Number(text(0.05, busy ? 0.3 : 1.5, 2));
        return { gainPct: gain.toFixed(2), sellPct: String(level === levels - 1 ? last : share) };
      }),
    },
    rebuys: rebuys(),
    protectiveStop: { enabled: chance(0.3), limitOffsetPct: pick(['0', '0.5', text(0, 1, 2)]) },
    trailingCost: {
      enabled: far || chance(0.6),
      armGainPct: far ? '0.1' : text(0.2, busy ? 0.5 : 1.5, 2),
      distancePct: far ? text(1, 3, 2) : text(0.02, busy ? 0.2 : 1, 2),
      stepPct: chance(0.3) ? '0' : text(0, 0.3, 2),
      expiryMin: chance(0.4) ? whole(1, 300) : 0,
      onExpiry: pick(['rearm', 'disarm', 'sellIfProfit'] as const),
      floor: far ? 'none' : pick(['breakEven', 'breakEven', 'none'] as const),
    },
    stopLoss: chance(0.1)
      ? { mode: 'none' }
      : {
          mode: 'percent',
          pct: text(0.2, busy ? 0.8 : 4, 2),
          basis: pick(['avgCost', 'firstBuy'] as const),
          confirmSec: pick([0, 0, 20, 120, 600]),
        },
    timeStop: chance(0.3) ? { hours: whole(1, 12), onlyIfGainPctAbove: chance(0.5) ? text(-1, 1, 2) : null } : null,
    exit: {
      order: { type: pick(['Market', 'Market', 'Limit'] as const), ...order() },
      conditions: chance(0.07) ? anything : null,
      minGainPct: chance(0.3) ? text(-0.5, 0.5, 2) : null,
    },
    cooldown: { afterWinMin: whole(0, busy ? 2 : 60), afterLossMin: whole(0, busy ? 2 : 120), scope: pick(['coin', 'bot'] as const) },
    protections: {
      lossStreak: { count: busy ? pick([0, 0, 0, 4]) : pick([0, 0, 1, 3]), lookbackHours: whole(1, 24), pauseHours: whole(1, 6) },
      drawdown: { maxPct: pick(['0', '20', '0.05', '0.1', '0.3', '1.5']), lookbackHours: whole(1, 48), pauseHours: whole(1, 12) },
      lowProfitCoin: chance(0.1) ? { minTrades: whole(1, 4), minProfitPct: text(-1, 1, 2), lookbackHours: 24, pauseHours: 3 } : null,
      btcGuard: chance(0.07) ? { dropPct: text(0.1, 2, 2), windowMin: whole(5, 300), resumePct: text(0, 0.5, 2) } : null,
      dailyLoss: chance(0.1) ? { amount: text(0.5, 20, 2), tz: pick(['UTC', 'Europe/Istanbul']) } : null,
    },
    dust: { policy: pick(['leave', 'leave', 'includeInNext'] as const), maxResidualPct: text(0, 10, 1) },
  });
}

/** Rules that are judged by chance here: what follows from them is what is looked at. */
const anything = { match: 'all' as const, rules: [{ key: 'price', operation: 'gt' as const, value: 0 }] };

/** Says of each close what nobody can foresee, and the same again when it is asked again. */
const judgeOf =
  (seed: number): NonNullable<BacktestOptions['judgeFor']> =>
  ({ pair, candles }) => {
    const say = (share: number): boolean | null => (share < 0.2 ? true : share < 0.9 ? false : null);
    return {
      close(bar) {
        const mixed = Math.imul(bar + seed, 2_654_435_761) >>> 8;
        if (mixed % 3 === 0) return undefined;
        const at = candles.openTime[bar]! + candles.intervalMs;
        const observed = { [`close ${pair.symbol}`]: String(bar) };
        const validUntil = at + candles.intervalMs * (mixed % 4);
        return { at, entry: say((mixed % 101) / 101), exit: say((mixed % 103) / 103), observed, validUntil };
      },
    };
  };

/** A random market in the ticks of a pair; with `draw` it has gaps, and bars in which nothing was traded. */
function series(made: CandleSeries, pair: Pair, factor: number, draw: (() => number) | undefined): CandleSeries {
  const { intervalMs } = made;
  const size = made.openTime.length;
  const unit = 10 ** pair.pricePrecision;
  const tick = Number(pair.filters.tickSize);
  const ticks = (value: number) => Math.round(Math.round((value * factor) / tick) * tick * unit) / unit;
  for (let bar = 0; bar < size; bar += 1) {
    for (const column of [made.open, made.high, made.low, made.close]) column[bar] = ticks(column[bar]!);
    made.volume[bar] = Math.round((made.volume[bar]! / factor) * 1000) / 1000;
  }
  // Now and then a bar opens far from where the last one closed.
  const jumps = made.openTime[0] !== undefined && made.volume[0]! % 1 < 0.3;
  for (let bar = 7; jumps && bar < size; bar += 11 + (bar % 5)) {
    const to = made.volume[bar]! % 2 < 1 ? made.low[bar]! : made.high[bar]!;
    made.open[bar] = to;
  }
  if (!draw) return made;
  let late = 0;
  for (let bar = 1; bar < size; bar += 1) {
    if (draw() < 0.01) late += intervalMs * Math.ceil(draw() * 40);
    made.openTime[bar]! += late;
    if (draw() < 0.02) made.volume[bar] = 0;
  }
  return made;
}

/** Five parts of every bar, which together have its prices. */
function finer(whole: CandleSeries, intervalMs: number, draw: () => number): CandleSeries {
  const bars = whole.openTime.length;
  const column = () => new Float64Array(bars * 5);
  const made = {
    ...whole,
    intervalMs,
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  for (let bar = 0; bar < bars; bar += 1) {
    const [open, high, low, close] = [whole.open[bar]!, whole.high[bar]!, whole.low[bar]!, whole.close[bar]!];
    const prices = draw() < 0.5 ? [open, low, high, close] : [open, high, low, close];
    for (let part = 0; part < 5; part += 1) {
      const at = bar * 5 + part;
      const [from, to] = [prices[Math.max(0, part - 1)]!, prices[Math.min(part, 3)]!];
      made.openTime[at] = whole.openTime[bar]! + part * intervalMs;
      made.open[at] = from;
      made.close[at] = to;
      made.high[at] = Math.max(from, to);
      made.low[at] = Math.min(from, to);
      made.volume[at] = whole.volume[bar]! / 5;
    }
  }
  return made;
}
