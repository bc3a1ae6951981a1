import { Decision, decide, mayDecide, type PositionColumns } from '../auto-trades/decide.ts';
import type { Desk, DeskOptions } from './backtest-desk.ts';
import { createQuickColumns } from './quick-columns.ts';
import { createQuickFills } from './quick-fills.ts';
import { createQuickJudge } from './quick-judgement.ts';
import { ASK, BID, createQuickBook, HIGH, PRICE, type QuickState } from './quick-position.ts';
import { COST_PLACES, NotCovered } from './quick-scales.ts';

/** Most decisions of one tick, as in the engine. */
const ROUNDS = 4;

/** A desk whose position can be looked at between its steps. */
export type QuickDesk = Desk & { readonly columns: PositionColumns; readonly state: Readonly<QuickState> };

/**
 * The engine and the exchange of a backtest for a bot of one coin that buys once and sells at the market: the same
 * decisions (`decide.ts`), the same rules (asked of `position-lines.ts` where doubles leave a doubt), the same rows, but
 * in whole numbers instead of contexts of decimal text. `quick-run.test.ts` holds it against the engine, figure by
 * figure. Throws `NotCovered` for whatever it does not know.
 */
export function createQuickDesk(options: DeskOptions): QuickDesk {
  const { delayBars, dataGapMs } = options;
  const book = createQuickBook(options);
  const { state, tally, columns, market, pauses, scales, traces } = book;
  const { symbol } = book.settings;
  const levels = createQuickColumns(book);
  const fills = createQuickFills(book, levels);
  const act = createQuickJudge(book, levels, delayBars);

  return {
    columns,
    state,
    engine: {
      tickSlot(_slot, at, price, bid, ask, high) {
        market[PRICE] = price;
        market[BID] = bid;
        market[ASK] = ask;
        market[HIGH] = high;
        pauses.pass(at);
        for (let round = 0; round < ROUNDS; round += 1) {
          const decision = decide(columns, 0, price, at, high, dataGapMs);
          if (decision === Decision.None) break;
          if ((decision === Decision.Triggered || decision === Decision.Enter) && !pauses.allows(symbol, at)) break;
          if (!act(decision, book.now(at))) break;
        }
        columns.lastTickAt[0] = at;
      },
      observeSlot(_slot, at, price, bid, ask, high) {
        market[PRICE] = price;
        market[BID] = bid;
        market[ASK] = ask;
        market[HIGH] = high;
        columns.lastTickAt[0] = at;
      },
      mayDecideSlot: (_slot, low, high, top, from, until) => mayDecide(columns, 0, low, high, top, from, until, dataGapMs),
      reference: never,
      conditions: never,
    },
    brokers: [fills.broker],
    get cash() {
      return book.cash;
    },
    waiting: false,
    hear: never,
    finish: () => ({
      get traces() {
        return traces?.rows ?? [];
      },
      ambiguous: new Set(),
      tally: {
        fees: { units: tally.fees, scale: scales.fees },
        gains: { units: tally.gains, scale: COST_PLACES },
        losses: { units: tally.losses, scale: COST_PLACES },
        wins: tally.wins,
        lost: tally.lost,
        ambiguousExits: tally.ambiguousExits,
        exits: tally.exits,
      },
      money: { units: BigInt(state.free) + BigInt(state.reserved), scale: scales.wallet },
      bases: [{ units: BigInt(state.base), scale: scales.held }],
      realised: { units: state.walletResult, scale: COST_PLACES },
      slippage: { units: BigInt(fills.slippage), scale: scales.quote },
      refusals: {},
    }),
  };
}

/** Nobody tells a quick run these. */
function never(): never {
  throw new NotCovered('an input that is none of its');
}
