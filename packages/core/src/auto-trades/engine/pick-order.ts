import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import { Decision, decide, Phase } from './decide.ts';
import type { EngineSlots } from './engine-slots.ts';

/** A coin whose entry holds while others want the same slot. `rank` is its place in the settings or the filter. */
export type Pick = {
  readonly slot: number;
  readonly decision: Decision;
  readonly symbol: string;
  readonly rank: number;
  readonly volume: number;
  readonly dropDepth: number;
};

/** Who comes first: by place, by traded volume, or by the deepest fall; ties by symbol. */
export function comparePicks(order: AutoTradeConfig['pickOrder']): (a: Pick, b: Pick) => number {
  const bySymbol = (a: Pick, b: Pick) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : 0);
  if (order === 'volume') return (a, b) => b.volume - a.volume || bySymbol(a, b);
  if (order === 'dropDepth') return (a, b) => b.dropDepth - a.dropDepth || bySymbol(a, b);
  return (a, b) => a.rank - b.rank || bySymbol(a, b);
}

/**
 * The coins whose entry holds at their last price, in the order in which they may have a free slot. One without a
 * trusted price is not among them, nor one whose trail would only begin: that takes up no slot.
 */
export function picksFor(
  slots: EngineSlots,
  volumes: ReadonlyMap<string, number>,
  { at, except, dataGapMs, mayEnter }: { at: number; except: number; dataGapMs: number; mayEnter: (slot: number, at: number) => boolean },
): Pick[] {
  const { columns, config } = slots;
  const picks: Pick[] = [];
  for (let slot = 0; slot < slots.pairs.length; slot += 1) {
    const phase = columns.phase[slot]!;
    if (slot === except || (phase !== Phase.Watching && phase !== Phase.Trailing)) continue;
    if (phase === Phase.Watching && config.entry.trailing.enabled) continue;
    const [seen, price, high] = [slots.at[slot]!, slots.price[slot]!, slots.high[slot]!];
    if (seen === 0 || at - seen > dataGapMs || !mayEnter(slot, at)) continue;
    const decision = decide(columns, slot, price, slots.bid[slot]!, at, high, dataGapMs);
    if (decision !== Decision.Triggered && decision !== Decision.Enter) continue;
    const { symbol } = slots.pairs[slot]!;
    const dropDepth = high > 0 ? 1 - price / high : 0;
    picks.push({ slot, decision, symbol, rank: slots.coins.indexOf(symbol), volume: volumes.get(symbol) ?? 0, dropDepth });
  }
  return picks.sort(comparePicks(config.pickOrder));
}
