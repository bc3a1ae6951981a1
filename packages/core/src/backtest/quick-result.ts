import { add, type Decimal, ZERO } from '../money/decimal.ts';
import type { DeskResult } from './backtest-desk.ts';
import type { QuickBook, QuickRun } from './quick-position.ts';
import { BIG_TENS, COST_PLACES } from './quick-scales.ts';

/** What a quick run came to. @param slippage by coin, what its orders at the market paid beyond the opens, in units of lots × price */
export function quickResult({ wallet, tally, rows }: QuickRun, coins: readonly QuickBook[], slippage: readonly number[]): DeskResult {
  let fees = 0n;
  let slipped: Decimal = ZERO;
  coins.forEach(({ state, scales }, slot) => {
    fees += state.allFees.units * BIG_TENS[COST_PLACES - scales.fees]!;
    slipped = add(slipped, { units: BigInt(slippage[slot]!), scale: scales.quote });
  });
  const { sums, places } = wallet;
  return {
    get traces() {
      return rows?.all ?? [];
    },
    ambiguous: new Set(),
    tally: {
      fees: { units: fees, scale: COST_PLACES },
      gains: { units: tally.gains, scale: COST_PLACES },
      losses: { units: tally.losses, scale: COST_PLACES },
      wins: tally.wins,
      lost: tally.lost,
      ambiguousExits: tally.ambiguousExits,
      exits: tally.exits,
    },
    money: { units: BigInt(sums.free) + BigInt(sums.reserved), scale: places },
    bases: coins.map(({ state, scales }) => ({ units: BigInt(state.base), scale: scales.held })),
    realised: { units: sums.realised, scale: COST_PLACES },
    slippage: slipped,
    refusals: {},
  };
}
