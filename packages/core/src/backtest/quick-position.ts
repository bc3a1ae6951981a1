import { createColumns, type PositionColumns } from '../auto-trades/decide.ts';
import type { PositionSettings } from '../auto-trades/position-state.ts';
import { rebuyLevels } from '../auto-trades/rebuy-levels.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { BACKTEST_ID, type DeskCoin, type DeskOptions } from './backtest-desk.ts';
import { createQuickEntries, type QuickLadder } from './quick-entries.ts';
import { createQuickLines, type QuickHeld } from './quick-lines.ts';
import { createQuickPauses } from './quick-protections.ts';
import { createScales, ExactSum, nearestUnits, walletPlaces } from './quick-scales.ts';
import { createQuickTraces, type QuickAverage, type QuickMoment, type QuickRows } from './quick-traces.ts';
import { createQuickWallet, type QuickWallet } from './quick-wallet.ts';

/** What a position is doing: the states of `position-chart.ts` that a quick run knows. */
export const Stage = {
  Watching: 0,
  Trailing: 1,
  EntryPending: 2,
  Open: 3,
  Protected: 4,
  Adding: 5,
  Reducing: 6,
  ExitPending: 7,
} as const;
export type Stage = (typeof Stage)[keyof typeof Stage];

/** An order, as the position and the exchange know it. Prices and lots in units; 0: at the market, without a stop. */
export type QuickOrder = {
  readonly buys: boolean;
  readonly purpose: 'entry' | 'rebuy' | 'takeProfit' | 'exit' | 'protect';
  readonly lots: number;
  readonly limit: number;
  readonly stop: number;
  readonly mirrors: 'StopLoss' | 'TrailingCost' | null;
  readonly level: number | null;
  readonly step: number;
  readonly attempt: number;
  readonly reprices: number;
  readonly placedAt: number;
  deadline: number;
  /** Lots that the position has heard of. */
  executed: number;
  /** It is asked to end. */
  cancel: boolean;
  /** First bar that may fill it. */
  readonly from: number;
  /** Lots that the exchange has not executed; a stop is triggered once its price was met. */
  left: number;
  triggered: boolean;
};

export type QuickFacts = Readonly<Record<string, string>>;
type QuickVerdict = {
  readonly entry: boolean | null;
  readonly exit: boolean | null;
  readonly validUntil: number;
  readonly observed: QuickFacts;
};

/** What a quick run remembers of a coin; NaN, 0 and -1 where the context of a position says null. */
export type QuickState = {
  stage: Stage;
  /** On the account, dust included, in units of what is held. */
  base: number;
  number: number;
  step: number;
  order: QuickOrder | null;
  /** The stop that rests at the exchange. */
  resident: QuickOrder | null;
  residentRetryAt: number;
  nextTrade: number;
  /** Set aside for buys of this position, and for the entry alone; in units of the wallet. */
  ownReserve: number;
  entryReserve: number;
  entryWithdrawn: boolean;
  ladder: QuickLadder;
  rebuyLow: number;
  rebuyUntil: number;
  lastBuyAt: number;
  triggerPrice: number;
  low: number;
  trailUntil: number;
  /** NaN before the first buy. */
  openedAt: number;
  matched: bigint;
  result: bigint;
  /** In the quote asset: of this position, and of all. */
  readonly fees: ExactSum;
  readonly allFees: ExactSum;
  most: number;
  least: number;
  stop: number;
  stopSince: number;
  line: number;
  peak: number;
  lineAt: number;
  disarmed: boolean;
  exitReason: string | null;
  /** What the conditions said last, until when that is good; and what they saw when they triggered, and when they sold. */
  verdict: QuickVerdict | null;
  triggerFacts: QuickFacts | null;
  exitFacts: QuickFacts | null;
  /** What is left of the position before, which joins this one with its first buy. */
  carried: number;
  carriedCost: bigint;
  average: QuickAverage;
  /** It sold in a bar that holds both its stop and its target. */
  ambiguous: boolean;
};

export const NO_LADDER: QuickLadder = { quotes: [], rest: [0] };

/** What the positions that are over came to. */
export type QuickTally = {
  gains: bigint;
  losses: bigint;
  wins: number;
  lost: number;
  ambiguousExits: number;
  readonly exits: Record<string, number>;
};

/** Where the market of a coin stood, by index. */
export const PRICE = 0;
export const BID = 1;
export const ASK = 2;
export const HIGH = 3;
export const AT = 4;

/** What the coins of a run share. */
export type QuickRun = {
  readonly options: DeskOptions;
  readonly wallet: QuickWallet;
  readonly columns: PositionColumns;
  readonly pauses: ReturnType<typeof createQuickPauses>;
  readonly rows: QuickRows | undefined;
  readonly tally: QuickTally;
  /** Coins that take up a slot of the bot, and until when none is entered. */
  occupied: number;
  cooldownUntil: number;
  /** A position is over; other coins are to hear of it. */
  readonly ended: (slot: number, at: number) => void;
  /** Buys that are looked for or on their way are taken back: of one coin, or (null) of all. */
  readonly withdraw: (symbol: string | null) => void;
};

export function createQuickRun(options: DeskOptions, rows: QuickRows | undefined, hears: Pick<QuickRun, 'ended' | 'withdraw'>): QuickRun {
  const { config, coins, wallet, startBalance } = options;
  const places = walletPlaces(
    coins.map(({ pair }) => pair),
    startBalance,
  );
  return {
    options,
    wallet: createQuickWallet(startBalance, wallet.reservePct, places),
    columns: createColumns(coins.length),
    pauses: createQuickPauses(config.protections, wallet),
    rows,
    tally: { gains: 0n, losses: 0n, wins: 0, lost: 0, ambiguousExits: 0, exits: {} },
    occupied: 0,
    cooldownUntil: Number.NaN,
    ...hears,
  };
}

/** Everything that the steps of one coin share. */
export function createQuickBook(run: QuickRun, slot: number) {
  const { config, model, coins } = run.options;
  const { columns, wallet } = run;
  const view: DeskCoin = coins[slot]!;
  const settings = settingsOf(view.pair, config, model.takerFee);
  const scales = createScales(view.pair, model, wallet.places);
  const state: QuickState = {
    stage: Stage.Watching,
    base: 0,
    number: 0,
    step: 0,
    order: null,
    resident: null,
    residentRetryAt: 0,
    nextTrade: 1,
    ownReserve: 0,
    entryReserve: 0,
    entryWithdrawn: false,
    ladder: NO_LADDER,
    rebuyLow: Number.NaN,
    rebuyUntil: Number.NaN,
    lastBuyAt: 0,
    triggerPrice: 0,
    low: 0,
    trailUntil: Number.NaN,
    openedAt: Number.NaN,
    matched: 0n,
    result: 0n,
    fees: new ExactSum(),
    allFees: new ExactSum(),
    most: Number.NaN,
    least: Number.NaN,
    stop: Number.NaN,
    stopSince: Number.NaN,
    line: Number.NaN,
    peak: Number.NaN,
    lineAt: Number.NaN,
    disarmed: false,
    exitReason: null,
    verdict: null,
    triggerFacts: null,
    exitFacts: null,
    carried: 0,
    carriedCost: 0n,
    average: () => '',
    ambiguous: false,
  };
  const held: QuickHeld = { quantity: 0, bought: 0, cost: 0n, costFloat: 0, firstBuy: 0, lastBuy: 0, levelsDone: 0, rebuysDone: 0 };
  const gains = config.takeProfit.levels.map(({ gainPct }) => Number(gainPct) / 100);
  const market = new Float64Array(5);
  market[HIGH] = Number.NaN;
  const moment: QuickMoment = { at: 0, price: 0, bid: 0, ask: 0 };
  let knownPrice = Number.NaN;
  const quote = (units: number): number => units / scales.priceUnit;
  const units = (price: number): number => nearestUnits(price, scales.price);
  const lines = createQuickLines(scales, settings);

  return {
    run,
    slot,
    settings,
    config,
    model,
    view,
    scales,
    state,
    held,
    market,
    columns,
    wallet,
    lines,
    rebuys: rebuyLevels(config.rebuys).length,
    entries: createQuickEntries(scales, settings, wallet, lines),
    traces: run.rows && createQuickTraces(run.rows, scales, settings, view.pair.baseAsset),
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
    /** The newest price at the exchange: what orders are looked at by. */
    last: (): number => units(view.price),
    /** Widens the extremes seen at decisions. */
    seen(price: number): void {
      if (!(price <= state.most)) state.most = price;
      if (!(price >= state.least)) state.least = price;
    },
    /** What the walk asks of the coin after a step. */
    show(): void {
      const { stop, line, stage } = state;
      view.held = stage >= Stage.EntryPending ? held.quantity / scales.heldUnit : 0;
      view.stopLevel = Number.isNaN(stop) ? quote(line) : Number.isNaN(line) ? quote(stop) : quote(Math.max(stop, line));
      const gain = gains[held.levelsDone];
      view.targetLevel = view.held > 0 && gain ? (held.costFloat / view.held) * (1 + gain) : Number.NaN;
    },
  };
}
export type QuickBook = ReturnType<typeof createQuickBook>;

const settingsOf = (pair: Pair, config: DeskOptions['config'], takerFee: string): PositionSettings => {
  const { symbol, baseAsset, quoteAsset, filters, pricePrecision } = pair;
  const run = { autoTradeId: BACKTEST_ID, runNo: 1, mode: 'paper', configVersion: 1 } as const;
  return { ...run, config, symbol, baseAsset, quoteAsset, filters, pricePrecision, takerFee };
};
