import type { BacktestOptions } from './backtest.ts';
import { deskOptions } from './backtest-desk.ts';
import type { WalkedRun } from './backtest-run.ts';
import { createTimeline } from './backtest-timeline.ts';
import { createEquityCurve, rangeOver } from './equity-curve.ts';
import { createQuickCoin, newView, type QuickCoin } from './quick-coin.ts';
import { createQuickDesk } from './quick-desk.ts';
import { createPickVolumes } from './traded-volumes.ts';
import { leavesTheSame } from './trigger-bars.ts';

/** Whether the bars of a run may be passed over: all coins have theirs at the same times, how one was walked leaves no
 * mark, and nobody wants to see all of them: conditions look at every close, the guard at every price of its reference. */
export const canLeap = ({ coins, config, judgeFor }: BacktestOptions): boolean =>
  !judgeFor &&
  config.entry.trigger.kind !== 'conditions' &&
  config.exit.conditions === null &&
  config.protections.btcGuard === null &&
  (config.entry.trigger.kind !== 'drop' || coins.every(leavesTheSame)) &&
  createTimeline(coins.map(({ candles }) => candles)).aligned;

/**
 * Walks the candles of a bot's coins as `walkCandles` does, but goes from one step that may decide something to the
 * next: bars are passed over by the extremes of blocks while something is held, by the kept bars of the trigger while
 * nothing is, and the curve is drawn a stretch at a time; untold it has neither points nor traces. For what
 * `canLeap` says yes to. Throws `NotCovered` like the desk it tells its prices to.
 */
export function walkQuickly<Result>(
  options: BacktestOptions,
  finish: (options: BacktestOptions, run: WalkedRun) => Result,
  { told }: { readonly told: boolean },
): Result {
  const { startBalance, onProgress, signal } = options;
  const timeline = createTimeline(options.coins.map(({ candles }) => candles));
  const { size, intervalMs, openTime } = timeline;
  const views = options.coins.map(newView);
  const deskWith = deskOptions(options, views, intervalMs, told);
  const { config, model, dataGapMs } = deskWith;
  const desk = createQuickDesk(deskWith);
  const volumesAt = createPickVolumes(config, options.coins);
  const half = model.halfSpreadPct / 100;
  const coins = options.coins.map((coin, slot) => createQuickCoin(coin, views[slot]!, desk, config.entry.trigger, half, dataGapMs));
  const curve = createEquityCurve(Number(startBalance), size, told);
  const ranges = coins.map(({ candles, standing, blocks }) => rangeOver(timeline, candles, standing, blocks));
  let marked = 0;

  /** Marks everything before a step with what is held now. */
  function markTo(step: number): void {
    if (marked >= step) return;
    const from = marked;
    marked = step;
    let own = 0;
    let count = 0;
    let holding = false;
    for (const { slot, baseFloat, held } of views) {
      holding ||= held > 0;
      if (baseFloat === 0) continue;
      own = slot;
      count += 1;
    }
    const { cash } = desk;
    if (count < 2) {
      const range = ranges[own]!;
      range.from = from;
      range.to = step;
      range.cash = cash;
      range.units = views[own]!.baseFloat;
      range.holding = holding;
      curve.markRange(range);
      return;
    }
    for (let each = from; each < step; each += 1) {
      let value = cash;
      for (let slot = 0; slot < coins.length; slot += 1) value += views[slot]!.baseFloat * ranges[slot]!.close[each]!;
      curve.mark(each, openTime[each]! + intervalMs, value, holding);
    }
  }

  /** All prices of a step, the earliest first; of equal times the earlier coin first. */
  function walkStep(): void {
    for (;;) {
      let earliest: QuickCoin | undefined;
      for (const coin of coins) {
        if (!coin.walking || coin.done >= coin.path.length) continue;
        if (!earliest || coin.path.at[coin.done]! < earliest.path.at[earliest.done]!) earliest = coin;
      }
      if (!earliest) return;
      earliest.tick();
    }
  }

  const every = Math.max(1, Math.floor(size / 100));
  let nextTold = 0;
  let last = -1;
  /** Tells how far the walk is; true when it is to end here. */
  function stopsAt(step: number): boolean {
    if (step < nextTold) return false;
    nextTold = step + every;
    onProgress?.(step / size);
    return signal?.aborted === true;
  }
  function walkOne(coin: QuickCoin): void {
    for (let step = 0; step < size && !stopsAt(step); step = last + 1) {
      const next = coin.nextBar(step);
      if (next > step) coin.pass(step, next);
      if (next >= size) return;
      markTo(next);
      if (coin.begin(next)) coin.tickAll();
      last = next;
    }
  }
  function walkAll(): void {
    for (let step = 0; step < size && !stopsAt(step); step = last + 1) {
      let next = size;
      for (const coin of coins) {
        if (coin.next < step) coin.next = coin.nextBar(step);
        if (coin.next < next) next = coin.next;
      }
      if (next > step) for (const coin of coins) coin.pass(step, next);
      if (next >= size) return;
      markTo(next);
      if (volumesAt) desk.tellVolumes(volumesAt(openTime[next]!));
      let walking = 0;
      for (const coin of coins) {
        // A bar without volume is no market: nothing traded, so nothing is decided.
        coin.walking = false;
        if (coin.candles.volume[next] === 0) continue;
        if (coin.next > next && coin.broker.idle) coin.pass(next, next + 1);
        else if (coin.begin(next)) {
          coin.walking = true;
          walking += 1;
        }
      }
      if (walking > 0) walkStep();
      // What a coin does next changes with its own bars, and with an order that another's end has made room for.
      for (const coin of coins) if (coin.next <= next || !coin.broker.idle) coin.next = -1;
      last = next;
    }
  }
  if (coins.length === 1) walkOne(coins[0]!);
  else walkAll();
  markTo(signal?.aborted ? last + 1 : size);
  onProgress?.(1);
  let ambiguousBars = 0;
  let zoomedBars = 0;
  for (const coin of coins) {
    ambiguousBars += coin.ambiguousBars;
    zoomedBars += coin.zoomedBars;
  }
  return finish(options, {
    timeline,
    desk: desk.finish(),
    curve,
    closes: coins.map(({ standing }) => standing[size - 1]!),
    ambiguousBars,
    zoomedBars,
  });
}
