import { profitFactor, winRatePct } from '../auto-trades/exit-tally.ts';
import { add, type Decimal, isNegative, isPositive, negate, toText, ZERO } from '../money/decimal.ts';
import type { Performance, PerformanceReason } from './performance-contract.ts';

/** What an exit is counted by. `day` and `hour` are those of the reader's zone; `whose` is a bot's id or `hand`. */
type Traits = {
  /** Of the last fill, epoch ms. */
  readonly at: number;
  readonly day: string;
  readonly hour: number;
  readonly whose: string;
  readonly walletId: string | null;
  readonly coin: string;
};
/** What came of an order that sold something. Money in the primary currency. */
export type CountedExit = Traits & {
  readonly reason: PerformanceReason;
  /** After all fees. Of so few digits that sums of it leave the server as they are: then parts add up exactly. */
  readonly net: Decimal;
  /** Of the sale, and its share of those of the buys. */
  readonly fees: Decimal;
  /** Null where it is not known when the coins were bought. */
  readonly heldMs: number | null;
  /** False for coins that paid a fee: what they won or lost until then is in every sum, but no order sold them. */
  readonly isExit: boolean;
};
/** An exit that is in no figure. What cannot be read has no reason that is known. */
export type UncountedExit = Traits & {
  readonly reason: PerformanceReason | null;
  readonly cause: Performance['leftOut'][number]['cause'];
};

export type PerformanceFilter = {
  readonly bots?: readonly string[] | undefined;
  readonly coins?: readonly string[] | undefined;
  readonly reasons?: readonly PerformanceReason[] | undefined;
  readonly hour?: number | undefined;
};

/** Whether a filter leaves anything out: equity is that of everything. */
export const narrows = ({ bots, coins, reasons, hour }: PerformanceFilter): boolean =>
  [bots, coins, reasons].some((list) => list !== undefined && list.length > 0) || hour !== undefined;

/** Whether an exit passes. An empty list asks for nothing; what has no reason that is known may have the chosen one. */
export function passes({ bots, coins, reasons, hour }: PerformanceFilter): (exit: Omit<UncountedExit, 'cause'>) => boolean {
  const among = <Item>(list: readonly Item[] | undefined): ((item: Item) => boolean) => {
    if (list === undefined || list.length === 0) return () => true;
    const set = new Set(list);
    return (item) => set.has(item);
  };
  const [isBot, isCoin, isReason] = [among(bots), among(coins), among(reasons)];
  return (exit) =>
    isBot(exit.whose) && isCoin(exit.coin) && (exit.reason === null || isReason(exit.reason)) && (hour === undefined || exit.hour === hour);
}

/** Sums of exits, built one by one. `lost` is zero or negative. */
export class ExitSums {
  exits = 0;
  wins = 0;
  net: Decimal = ZERO;
  won: Decimal = ZERO;
  lost: Decimal = ZERO;
  fees: Decimal = ZERO;

  add({ net, fees, isExit }: Pick<CountedExit, 'net' | 'fees' | 'isExit'>): void {
    this.net = add(this.net, net);
    this.fees = add(this.fees, fees);
    if (isPositive(net)) this.won = add(this.won, net);
    else if (isNegative(net)) this.lost = add(this.lost, net);
    if (!isExit) return;
    this.exits += 1;
    if (isPositive(net)) this.wins += 1;
  }

  /** As every list of the answer says it. */
  tally() {
    const rate = winRatePct(this.wins, this.exits);
    const factor = profitFactor(this.won, this.lost);
    return {
      exits: this.exits,
      wins: this.wins,
      winRatePct: rate && toText(rate),
      profitFactor: factor && toText(factor),
      net: toText(this.net),
    };
  }

  get lostSize(): Decimal {
    return negate(this.lost);
  }
}

/** So many exits are summed before others have their turn: a history may have hundreds of thousands. */
const AT_ONCE = 2000;
/** Work with pauses in it. */
export type InSteps<Value> = Generator<undefined, Value, void>;

/** Takes the steps of some work without a pause. */
export function atOnce<Value>(steps: InSteps<Value>): Value {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

export function* sumsOf(exits: Iterable<CountedExit>): InSteps<ExitSums> {
  return (yield* sumsBy(exits, () => '')).get('') ?? new ExitSums();
}

/** Sums by a key of each exit. */
export function* sumsBy<Key>(exits: Iterable<CountedExit>, keyOf: (exit: CountedExit) => Key): InSteps<Map<Key, ExitSums>> {
  const groups = new Map<Key, ExitSums>();
  let count = 0;
  for (const exit of exits) {
    const key = keyOf(exit);
    let sums = groups.get(key);
    if (sums === undefined) {
      sums = new ExitSums();
      groups.set(key, sums);
    }
    sums.add(exit);
    count += 1;
    if (count % AT_ONCE === 0) yield;
  }
  return groups;
}
