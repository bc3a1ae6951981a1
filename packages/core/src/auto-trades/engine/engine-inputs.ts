import type { Pair } from '../../prices/prices-contract.ts';
import type { WalletBook } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import type { advancePosition, PositionState } from '../position/auto-trade-position-machine.ts';
import type { EntryPlan } from '../position/entry-plan.ts';
import type { FillFacts, MarketMoment, OrderEnd, PositionContext } from '../position/position-state.ts';
import type { CoinPause, Pause, PauseEnd, ProtectionNotice, ProtectionWarningNotice } from './bot-pauses.ts';
import type { ConditionVerdict } from './condition-verdicts.ts';
import type { ClosedTrade } from './protections.ts';

/** A position as it is stored. */
type Stored = { readonly state: PositionState; readonly context: PositionContext };
/** What changed in one step: the position's row and what it asks of the world (`context.effects`). */
export type EngineStep = Stored & { readonly symbol: string; readonly from: PositionState };

/** The fees of takers by symbol, fractions in decimal text. */
export type TakerFees = Readonly<Record<string, string>>;

export type EngineOptions = {
  readonly autoTradeId: string;
  readonly runNo: number;
  readonly mode: 'paper' | 'live';
  readonly config: AutoTradeConfig;
  readonly configVersion: number;
  /** Pairs of the coins, in the order of the settings or of the coin filter. */
  readonly pairs: readonly Pair[];
  /** Coins that may be entered, in order; those of the settings, or every pair, when absent. */
  readonly coins?: readonly string[];
  /** Coins that the account may not trade: nothing of them is bought. */
  readonly forbidden?: readonly string[];
  /** Fee of pairs that have none of their own in `takerFees`: of all of them in a backtest, and on a tape from before each had its own. */
  readonly takerFee: string;
  readonly takerFees?: TakerFees;
  /** What order ids begin with in this start of the server (`orderPrefixFor`); absent in backtests. */
  readonly orderPrefix?: string | undefined;
  readonly wallet: WalletBook;
  /** Newest position of each coin, from storage. Their own config version travels in their settings. */
  readonly restored?: readonly Stored[];
  /** Positions closed so far, oldest first: what the protections judge by. */
  readonly history?: readonly ClosedTrade[];
  /** Closed positions with a fee that still has no value: it is booked when it comes. */
  readonly awaitingFees?: readonly PositionContext[];
  /** Pauses in force when the engine was stopped. */
  readonly pauses?: readonly Pause[];
  /** Prices of the reference (venue ms, price) in the window of its guard, oldest first. */
  readonly references?: readonly (readonly [at: number, price: number])[];
  readonly acceptsEntries?: boolean;
  readonly dataGapMs?: number;
  /** A coin without a trade for longer stood still, ms; `STANDSTILL_MS` when absent. */
  readonly standstillMs?: number;
  /** There are no gaps: a time without a price is a time without a trade. True for backtests over candles. */
  readonly alwaysConnected?: boolean;
  /** How often the last time of market data is stored for a drawn line, venue ms; never when absent (a backtest does not restart). */
  readonly heartbeatMs?: number;
  /** What advances positions: XState when absent; a backtest over candles gives the same machine as a table. */
  readonly interpreter?: typeof advancePosition;
  /** Receives every step, in order, before the next input is taken. Must not throw. */
  readonly emit: (step: EngineStep) => void;
  /** Told after the input that caused it is done; may give the engine inputs. */
  readonly onProtection?: (notice: ProtectionNotice) => void;
  readonly onProtectionWarning?: (notice: ProtectionWarningNotice) => void;
  readonly onPauseEnded?: (end: PauseEnd) => void;
};

/** What an order event needs besides what the engine knows. */
export type OrderInput =
  | { readonly type: 'accepted'; readonly clientOrderId: string; readonly orderId: string }
  | ({ readonly type: 'filled'; readonly clientOrderId: string; readonly orderId: string } & FillFacts)
  | ({ readonly type: 'ended'; readonly clientOrderId: string; readonly at: number } & OrderEnd)
  | { readonly type: 'lost'; readonly clientOrderId: string; readonly code: string };

export type FeeValue = { readonly positionId: string; readonly tradeId: string; readonly feeInQuote: string; readonly at: number };
/** Why an entry by hand is not made: the first rule that stands against it. */
export type EntryRefusal = { readonly rule: string; readonly observed: string | null; readonly limit: string | null };
export type EnterAnswer = { readonly ok: true } | ({ readonly ok: false } & EntryRefusal);
/** A position as new settings would leave it; `ladderKept`: the wallet cannot set aside what the new ladder needs. */
export type SettingsPreview = {
  readonly symbol: string;
  readonly positionId: string;
  readonly before: Stored;
  readonly after: Stored;
  readonly ladderKept: boolean;
};

/** What the engine knows of one coin, for screens and for the question why. */
export type Inspection = Stored & {
  /** Its last price; undefined before the first. */
  readonly moment: MarketMoment | undefined;
  /** Highest price of the look-back window; NaN when unknown. */
  readonly high: number;
  /** Venue ms; 0 when none. */
  readonly cooldownUntil: number;
  readonly plan: EntryPlan | undefined;
  readonly verdict: ConditionVerdict | undefined;
  /** What stands before an entry of this coin, beside its own rule. */
  readonly gate: {
    readonly acceptsEntries: boolean;
    readonly occupied: number;
    readonly slots: number;
    readonly tradable: boolean;
    /** False where the exchange does not let the account trade the pair. */
    readonly permitted: boolean;
    readonly botPause: { readonly reason: string; readonly until: number | null } | null;
    readonly coinPause: CoinPause | null;
    /** In a trail the coin's own cooldown is over; the bot's may not be. */
    readonly cooldownUntil: number;
  };
  readonly wallet: WalletBook;
};
