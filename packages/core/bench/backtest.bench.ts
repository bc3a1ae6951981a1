import { runBacktest } from '../src/backtest/backtest.ts';
import { candleBlocks } from '../src/backtest/candle-blocks.ts';
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
const loop = () => {
  const { open, high, low, close } = candles;
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
    if (low[bar]! <= entry * 0.97 || (peak >= entry * 1.01 && low[bar]! <= peak * 0.995) || high[bar]! >= entry * 1.04) {
      result += close[bar]! - entry;
      held = false;
    } else if (high[bar]! > peak) peak = high[bar]!;
  }
  return result;
};

function cpu(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const options = { config, coins: [{ pair: btcusdt, candles }], startBalance: '10000' };
const skipped = runBacktest(options);
const walked = runBacktest({ ...options, walkEveryBar: true });
if (JSON.stringify(skipped) !== JSON.stringify(walked)) throw new Error('passing over quiet bars changes the result; nothing is measured');
candleBlocks(candles);

let [anchor, ours] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
let kept = 0;
for (let turn = 0; turn < 8; turn += 1) {
  anchor = Math.min(
    anchor,
    cpu(() => void loop()),
  );
  globalThis.gc?.();
  const heap = process.memoryUsage();
  ours = Math.min(
    ours,
    cpu(() => {
      runBacktest(options);
    }),
  );
  const after = process.memoryUsage();
  kept = Math.max(kept, after.heapUsed + after.arrayBuffers - heap.heapUsed - heap.arrayBuffers);
}
const decisions = skipped.traces.length;
console.log(
  `${BARS.toLocaleString('en-US')} candles, ${skipped.report.trades} trades, ${decisions} traces: ${ours.toFixed(3)} s, ` +
    `${(BARS / ours / 1e6).toFixed(2)} M candles/s; bare loop ${(BARS / anchor / 1e6).toFixed(1)} M candles/s; ` +
    `ratio ${(anchor / ours).toFixed(3)}; ${(((ours - anchor) / decisions) * 1e6).toFixed(0)} µs a trace; at most ${(kept / 1e6).toFixed(0)} MB beside the candles`,
);
