import { runBacktest } from '../src/backtest/backtest.ts';
import { DEFAULT_FILL_MODEL } from '../src/backtest/fill-model.ts';
import { runSweepSet, splitHeldOut } from '../src/backtest/sweep.ts';
import { parseAxis, sweepSets } from '../src/backtest/sweep-axes.ts';
import { botConfig } from '../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../testing/pairs.ts';
import { randomSeries } from './series.ts';

// A backtest with the whole life of its positions, beside a bare loop that follows the same levels over the same bars.
// The two take turns, so that a busy machine slows both; CPU seconds of the fastest turn of each.
const BARS = 1_000_000;
const candles = randomSeries(BARS);
const config = botConfig({
  entry: {
    size: { mode: 'fixed', value: '100' },
    trigger: { kind: 'drop', dropPct: '1', lookbackMin: 60 },
    trailing: { enabled: false },
    order: { type: 'Market' },
  },
});
/** The levels of a loop, as factors: stop of the entry, distance under the peak, gain that takes. */
type Levels = { readonly stop: number; readonly trail: number; readonly take: number };
const loopOver = ({ open, high, low, close }: typeof candles, { stop, trail, take }: Levels) => {
  let held = false;
  let entry = 0;
  let peak = 0;
  let result = 0;
  const window = new Float64Array(64);
  let at = 0;
  let top = 0;
  for (let bar = 0; bar < close.length; bar += 1) {
    const slot = at++ & 63;
    const leaving = window[slot]!;
    window[slot] = high[bar]!;
    if (high[bar]! >= top) top = high[bar]!;
    else if (leaving >= top) {
      top = 0;
      for (let index = 0; index < 64; index += 1) if (window[index]! > top) top = window[index]!;
    }
    if (!held) {
      if (low[bar]! <= top * 0.99) {
        held = true;
        entry = open[Math.min(bar + 1, open.length - 1)]!;
        peak = entry;
      }
      continue;
    }
    if (low[bar]! <= entry * stop || (peak >= entry * 1.01 && low[bar]! <= peak * trail) || high[bar]! >= entry * take) {
      result += close[bar]! - entry;
      held = false;
    } else if (high[bar]! > peak) peak = high[bar]!;
  }
  return result;
};
const loop = () => loopOver(candles, { stop: 0.97, trail: 0.995, take: 1.04 });
const loopOfReference = () => loopOver(candles, { stop: 0.95, trail: 0.98, take: 1.5 });

function cpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };

// The exits that other engines were measured with: a stop at 5 %, and 2 % under the peak from a gain of 1 % on.
const reference = {
  ...options,
  config: botConfig({
    ...config,
    takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
    stopLoss: { mode: 'percent', pct: '5' },
    trailingCost: { enabled: true, armGainPct: '1', distancePct: '2' },
    cooldown: { afterWinMin: 0, afterLossMin: 0 },
  }),
};

// A bot that buys again three times on the way down, with a stop that rests at the exchange.
const averaging = botConfig({
  ...config,
  rebuys: { generator: { count: 3, stepPct: '0.8', stepScale: '1.2', sizeScale: '1.3' } },
  stopLoss: { mode: 'percent', pct: '6' },
  protectiveStop: { enabled: true },
});
const again = { ...options, config: averaging };
// A fifth of the candles each, for a bot that holds three of five coins.
const basket = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE'].map((baseAsset, index) => {
  const symbol = `${baseAsset}USDT`;
  return { pair: { ...btcusdt, symbol, baseAsset }, candles: { ...randomSeries(BARS / 5, 100 + index), symbol } };
});
const five = { ...options, config: botConfig({ ...config, coins: { symbols: basket.map(({ pair }) => pair.symbol) } }), coins: basket };

function checked(each: typeof options) {
  const result = runBacktest(each);
  if (JSON.stringify(runBacktest({ ...each, walkEveryBar: true })) !== JSON.stringify(result))
    throw new Error('a run that passes bars over differs from one that walks them; nothing is measured');
  return result;
}
const one = checked(options);
const referenced = checked(reference);
const averaged = checked(again);
const several = checked(five);

/** CPU seconds of the fastest turn of each; they take turns, so that a busy machine slows all of them. */
function fastest(turns: number, works: readonly (() => unknown)[]): number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let turn = 0; turn < turns; turn += 1)
    works.forEach((work, index) => {
      best[index] = Math.min(
        best[index]!,
        cpu(() => void work()),
      );
    });
  return best;
}
const rate = (count: number, seconds: number) => `${(count / seconds / 1e6).toFixed(2)} M/s`;

// A bot that waits for a fall that does not come: what the candles themselves cost.
const quiet = { ...config, entry: { ...config.entry, trigger: { kind: 'drop' as const, dropPct: '90', lookbackMin: 60 } } };

// Exits around those, as a sweep runs them on one core, each over both parts.
const exits = [parseAxis('stopLoss.pct=4:7:1'), parseAxis('trailingCost.distancePct=1.4:2.6:0.4')];
const sets = sweepSets(exits);
const SWEPT = BARS / 5;
const task = {
  config: reference.config,
  axes: exits,
  split: splitHeldOut([{ pair: btcusdt, candles: randomSeries(SWEPT) }], 0.3),
  startBalance: '10000',
  model: DEFAULT_FILL_MODEL,
};

const [anchor = 0, figures = 0, idle = 0, sweep = 0, rebought = 0, baskets = 0, referenceLoop = 0, referred = 0] = fastest(5, [
  loop,
  () => runBacktest(options),
  () => runBacktest({ ...options, config: quiet }),
  () => sets.map((set) => runSweepSet(task, set)),
  () => runBacktest(again),
  () => runBacktest(five),
  loopOfReference,
  () => runBacktest(reference),
]);
const ratio = (seconds: number) => (anchor / seconds).toFixed(3);
const perTrace = (seconds: number, traces: number) => `${(((seconds - idle) / traces) * 1e6).toFixed(1)} µs a trace`;
console.log(`${BARS.toLocaleString('en-US')} candles; bare loop ${rate(BARS, anchor)}`);
for (const [name, seconds, { report, traces }] of [
  ['one coin, report with its curve and benchmarks', figures, one],
  ['a bot with rebuys and a resting stop', rebought, averaged],
  ['five coins, a fifth of the candles each', baskets, several],
] as const)
  console.log(
    `${name}: ${rate(BARS, seconds)}, ratio ${ratio(seconds)}; ${report.trades} trades, ${traces.length} traces, ${perTrace(seconds, traces.length)}`,
  );
console.log(`the first without a trade: ${rate(BARS, idle)}, ratio ${ratio(idle)}`);
console.log(
  `exits at 5 % and 2 % under the peak, beside its own loop: ${rate(BARS, referred)}, ratio ${(referenceLoop / referred).toFixed(3)}; ${referenced.report.trades} trades, ${referenced.traces.length} traces`,
);
console.log(
  `${sets.length} exit sets around those, beside the same loop: ${rate(sets.length * SWEPT, sweep)} candles × sets a core, ratio ${((referenceLoop * sets.length * SWEPT) / BARS / sweep).toFixed(3)}; ${((sweep / sets.length) * 1e3).toFixed(0)} ms a set of ${SWEPT.toLocaleString('en-US')} candles`,
);

globalThis.gc?.();
const before = process.memoryUsage();
const result = runBacktest(options);
const after = process.memoryUsage();
console.log(
  `${((after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers) / 1e6).toFixed(0)} MB beside the candles, ${result.traces.length} traces among them`,
);
