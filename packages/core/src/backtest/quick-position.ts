import type { AutoTradeConfig } from '../auto-trades/auto-trade-config.ts';
import { createColumns } from '../auto-trades/decide.ts';
import type { PositionSettings } from '../auto-trades/position-state.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { BACKTEST_ID, type DeskCoin, type DeskOptions } from './backtest-desk.ts';
import { createQuickEntries } from './quick-entries.ts';
import { createQuickLines, type QuickHeld } from './quick-lines.ts';
import { createQuickPauses } from './quick-protections.ts';
import { COST_PLACES, createScales, nearestUnits, unitsOf } from './quick-scales.ts';
import { createQuickTraces, type QuickAverage, type QuickMoment } from './quick-traces.ts';

/** The order in flight; a bot of one coin without rebuys has one at most. */
export type QuickOrder = {
  readonly buys: boolean;
  readonly purpose: 'entry' | 'exit' | 'takeProfit';
  readonly lots: number;
  /** 0 at the market. */
  readonly limit: number;
  readonly level: number | null;
  /** First bar that may fill it. */
  readonly from: number;
  cancel: boolean;
};

/** What a quick run remembers of the wallet and of the position of its coin; NaN and 0 where the context says null. */
export type QuickState = {
  /** The wallet: free and reserved in its own units, the result and what was paid in at 28 places. */
  free: number;
  reserved: number;
  walletResult: bigint;
  paid: bigint;
  /** On the account, dust included, in units of what is held. */
  base: number;
  number: number;
  step: number;
  order: QuickOrder | null;
  nextTrade: number;
  ownReserve: number;
  triggerPrice: number;
  low: number;
  openedAt: number;
  matched: bigint;
  result: bigint;
  fees: bigint;
  most: number;
  least: number;
  stop: number;
  line: number;
  peak: number;
  lineAt: number;
  disarmed: boolean;
  exitReason: string | null;
  average: QuickAverage;
  breakEven: number;
  /** It sold in a bar that holds both its stop and its target. */
  ambiguous: boolean;
};

/** What the positions that are over came to; fees of all, in units of fees. */
export type QuickTally = {
  fees: bigint;
  gains: bigint;
  losses: bigint;
  wins: number;
  lost: number;
  ambiguousExits: number;
  readonly exits: Record<string, number>;
};

/** Where the market stood, by index. */
export const [PRICE, BID, ASK, HIGH] = [0, 1, 2, 3];

/** Everything that the steps of a quick run share. */
export function createQuickBook({ config, coins, wallet, model, startBalance, told }: DeskOptions) {
  const view: DeskCoin = coins[0]!;
  const settings = settingsOf(view.pair, config, model.takerFee);
  const scales = createScales(view.pair, model, startBalance);
  const free = unitsOf(startBalance, scales.wallet);
  const state: QuickState = {
    free,
    reserved: 0,
    walletResult: 0n,
    paid: BigInt(free) * 10n ** BigInt(COST_PLACES - scales.wallet),
    base: 0,
    number: 0,
    step: 0,
    order: null,
    nextTrade: 1,
    ownReserve: 0,
    triggerPrice: 0,
    low: 0,
    openedAt: 0,
    matched: 0n,
    result: 0n,
    fees: 0n,
    most: 0,
    least: 0,
    stop: Number.NaN,
    line: Number.NaN,
    peak: Number.NaN,
    lineAt: Number.NaN,
    disarmed: false,
    exitReason: null,
    average: () => '',
    breakEven: Number.NaN,
    ambiguous: false,
  };
  const held: QuickHeld = { quantity: 0, bought: 0, cost: 0n, costFloat: 0, firstBuy: 0, levelsDone: 0 };
  const tally: QuickTally = { fees: 0n, gains: 0n, losses: 0n, wins: 0, lost: 0, ambiguousExits: 0, exits: {} };
  const gains = config.takeProfit.levels.map(({ gainPct }) => Number(gainPct) / 100);
  const market = new Float64Array(4);
  const moment: QuickMoment = { at: 0, price: 0, bid: 0, ask: 0 };
  let knownPrice = Number.NaN;
  const quote = (units: number): number => units / scales.priceUnit;
  const units = (price: number): number => nearestUnits(price, scales.price);

  return {
    settings,
    config,
    model,
    view,
    scales,
    state,
    held,
    tally,
    market,
    columns: createColumns(1),
    lines: createQuickLines(scales, settings),
    entries: createQuickEntries(scales, settings, wallet.reservePct),
    pauses: createQuickPauses(config.protections, wallet),
    traces: told ? createQuickTraces(scales, settings, view.pair.baseAsset) : undefined,
    /** A price of this many units as a double, and back. */
    quote,
    units,
    /** The market at the last price, with the time of what happens now; the same object each time. */
    now(at: number): QuickMoment {
      const price = market[PRICE]!;
      if (knownPrice !== price) {
        moment.price = units(price);
        moment.bid = units(market[BID]!);
        moment.ask = units(market[ASK]!);
        knownPrice = price;
      }
      moment.at = at;
      return moment;
    },
    /** Widens the extremes seen at decisions. */
    seen(price: number): void {
      if (price > state.most) state.most = price;
      if (price < state.least) state.least = price;
    },
    get cash(): number {
      return state.free / scales.walletUnit + state.reserved / scales.walletUnit;
    },
    /** What the walk asks of the coin after a step. */
    show(holding: boolean): void {
      const { stop, line } = state;
      view.held = holding ? held.quantity / scales.heldUnit : 0;
      view.stopLevel = Number.isNaN(stop) ? quote(line) : Number.isNaN(line) ? quote(stop) : quote(Math.max(stop, line));
      const gain = gains[held.levelsDone];
      view.targetLevel = view.held > 0 && gain ? (held.costFloat / view.held) * (1 + gain) : Number.NaN;
    },
  };
}
export type QuickBook = ReturnType<typeof createQuickBook>;

const settingsOf = (pair: Pair, config: AutoTradeConfig, takerFee: string): PositionSettings => {
  const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = pair;
  const run = { autoTradeId: BACKTEST_ID, runNo: 1, mode: 'paper', configVersion: 1 } as const;
  return { ...run, config, symbol, baseAsset, quoteAsset, filters, pricePrecision, takerFee };
};
