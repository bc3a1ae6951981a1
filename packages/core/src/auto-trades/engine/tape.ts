import type { Pair } from '../../prices/prices-contract.ts';
import type { WalletBook, WalletSums } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import type { MovedLevels, SetByHand } from '../position/position-state.ts';
import type { Trace } from '../trace.ts';
import { type AutoTradeEngine, createAutoTradeEngine } from './auto-trade-engine.ts';
import type { ConditionVerdict } from './condition-verdicts.ts';
import type { EngineOptions, FeeValue, OrderInput, TakerFees } from './engine-inputs.ts';
import { createRollingHigh, type RollingHigh } from './rolling-high.ts';

type Coined = { readonly symbol: string };
type Timed = { readonly at: number };
type OfPosition = { readonly positionId: string };
/** A price with the best ones beside it, as doubles. */
type Quoted = Coined & Timed & { readonly price: number; readonly bid: number; readonly ask: number };

/** What is recorded of each kind of input, beside its `type`. */
type Recorded = {
  high: Coined & Timed & { readonly price: number };
  tick: Quoted & {
    /** What was traded, and what stood at the best prices: base units; absent on tapes from before they were recorded. */
    readonly quantity?: number | undefined;
    readonly bidQuantity?: number | undefined;
    readonly askQuantity?: number | undefined;
  };
  moment: Quoted & { readonly high?: number };
  /** The market connection was up: a coin without a price did not trade. */
  connected: Timed;
  conditions: Coined & { readonly input: ConditionVerdict };
  reference: Timed & { readonly price: number };
  volumes: { readonly values: Readonly<Record<string, number>> };
  coins: Timed & { readonly symbols: readonly string[]; readonly pairs: readonly Pair[] };
  forbidden: Timed & { readonly symbols: readonly string[] };
  pauseCoin: Coined & Timed & { readonly until: number; readonly reason: string };
  enter: Coined;
  target: OfPosition & Timed & { readonly price: string | null };
  levels: OfPosition & Timed & { readonly moved: MovedLevels | null };
  fee: { readonly value: FeeValue };
  settings: Timed & { readonly config: AutoTradeConfig; readonly version: number; readonly applyToOpen: boolean };
  takerFees: { readonly takerFees: TakerFees };
  dust: Timed;
  order: { readonly input: OrderInput };
  entries: Timed & { readonly accepts: boolean };
  frozen: { readonly frozen: boolean };
  exit: OfPosition & { readonly reason: 'Manual' | 'KillSwitch' };
  resume: OfPosition;
  hold: Coined & { readonly until: number };
  balance: Coined & Timed & { readonly factor: string | null };
  carryOver: OfPosition & { readonly factor: string };
  detach: OfPosition & Timed;
};

/** What a record of an input is. */
export type TapeInput<Type extends keyof Recorded = keyof Recorded> = {
  [Each in Type]: { readonly type: Each } & Recorded[Each];
}[Type];

/** What an engine is activated with as it stands on its tape. */
type Activated = Pick<
  EngineOptions,
  | 'autoTradeId'
  | 'runNo'
  | 'mode'
  | 'config'
  | 'configVersion'
  | 'pairs'
  | 'coins'
  | 'forbidden'
  | 'takerFee'
  | 'takerFees'
  | 'orderPrefix'
  | 'history'
  | 'awaitingFees'
  | 'pauses'
  | 'references'
> &
  Required<Pick<EngineOptions, 'wallet' | 'restored' | 'acceptsEntries'>> & { readonly frozen?: boolean; readonly seq: number };

/**
 * Everything a bot's engine was told since it was activated, one record a line: enough to run it again. Replaying a
 * tape gives the same traces byte for byte; that is how "live = paper = backtest" is checked on real runs.
 */
export type TapeRecord =
  /** `takerFees` and `orderPrefix` are absent on tapes from before there were such: of version 0.1.0, whose order ids have none. */
  | ({ readonly type: 'activated' } & Activated)
  /** Something else moved the wallet: a deposit, or another bot of it. */
  | { readonly type: 'wallet'; readonly before: WalletSums; readonly sums: WalletSums }
  | TapeInput;

/** Look-back windows by symbol; undefined when the entry rule has none. */
export function rollingHighs(config: AutoTradeConfig, symbols = config.coins.symbols): Map<string, RollingHigh> | undefined {
  const { trigger } = config.entry;
  return trigger.kind === 'drop' ? new Map(symbols.map((symbol) => [symbol, createRollingHigh(trigger.lookbackMin)])) : undefined;
}

/** The look-back windows that new settings or new coins need: those that stay keep what they know. */
export function followingHighs(
  highs: ReadonlyMap<string, RollingHigh> | undefined,
  before: AutoTradeConfig,
  after: AutoTradeConfig,
  symbols: readonly string[],
): Map<string, RollingHigh> | undefined {
  const [was, is] = [before.entry.trigger, after.entry.trigger];
  const fresh = rollingHighs(after, [...symbols]);
  const same = was.kind === 'drop' && is.kind === 'drop' && was.lookbackMin === is.lookbackMin;
  if (fresh && highs && same) for (const [symbol, window] of highs) if (fresh.has(symbol)) fresh.set(symbol, window);
  return fresh;
}

/** Inputs that are no price: prices go with the high of their look-back window. */
type Played = Exclude<keyof Recorded, 'high' | 'tick'>;
const PLAYS: { readonly [Type in Played]: (engine: AutoTradeEngine, record: TapeInput<Type>) => void } = {
  moment: (engine, { symbol, at, price, bid, ask, high }) => engine.observe(symbol, at, price, bid, ask, high),
  connected: (engine, { at }) => engine.connected(at),
  resume: (engine, { positionId }) => engine.resume(positionId),
  hold: (engine, { symbol, until }) => engine.hold(symbol, until),
  balance: (engine, { symbol, factor, at }) => engine.balance(symbol, factor, at),
  carryOver: (engine, { positionId, factor }) => engine.carryOver(positionId, factor),
  order: (engine, { input }) => engine.order(input),
  entries: (engine, { accepts, at }) => engine.setAcceptsEntries(accepts, at),
  frozen: (engine, { frozen }) => engine.setFrozen(frozen),
  exit: (engine, { positionId, reason }) => engine.exit(positionId, reason),
  detach: (engine, { positionId, at }) => engine.detach(positionId, at),
  conditions: (engine, { symbol, input }) => engine.conditions(symbol, input),
  reference: (engine, { at, price }) => engine.reference(at, price),
  volumes: (engine, { values }) => engine.setVolumes(values),
  coins: (engine, { symbols, pairs, at }) => engine.setCoins(symbols, pairs, at),
  forbidden: (engine, { symbols, at }) => engine.setForbidden(symbols, at),
  pauseCoin: (engine, { symbol, until, reason, at }) => engine.pauseCoin(symbol, until, reason, at),
  enter: (engine, { symbol }) => engine.enter(symbol),
  target: (engine, { positionId, price, at }) => engine.setByHand(positionId, { type: 'target.set', price, at }),
  levels: (engine, { positionId, moved, at }) => engine.setByHand(positionId, { type: 'levels.moved', moved, at }),
  fee: (engine, { value }) => engine.feeValued(value),
  settings: (engine, { config, version, applyToOpen, at }) => engine.reconfigure(config, version, { applyToOpen, at }),
  takerFees: (engine, { takerFees }) => engine.setTakerFees(takerFees),
  dust: (engine, { at }) => engine.releaseDust(at),
};
/** What is recorded of a price or of levels that an owner set. */
export const recordByHand = (positionId: string, set: SetByHand): TapeInput =>
  set.type === 'target.set'
    ? { type: 'target', positionId, price: set.price, at: set.at }
    : { type: 'levels', positionId, moved: set.moved, at: set.at };

/** True for every kind of record that a tape can hold. */
export const isTapeKind = (type: string): boolean => Object.hasOwn(PLAYS, type) || ['activated', 'wallet', 'high', 'tick'].includes(type);

/** Tells an engine one input that is no price. A kind that only a newer version records is passed over. */
export function playInput<Type extends Played>(engine: AutoTradeEngine, record: TapeInput<Type>): void {
  PLAYS[record.type]?.(engine, record);
}

/** Tells records to an engine, in order. `config` and `symbols` are those it was activated with. */
export function tapePlayer(engine: AutoTradeEngine, config: AutoTradeConfig, symbols: readonly string[]) {
  let settings = config;
  let highs = rollingHighs(config, [...symbols]);
  return {
    get highs() {
      return highs;
    },
    play(record: TapeInput): void {
      switch (record.type) {
        case 'high':
          highs?.get(record.symbol)?.read(record.at, record.price);
          return;
        case 'tick': {
          const window = highs?.get(record.symbol);
          window?.trade(record.at, record.price);
          engine.tick(record.symbol, record.at, record.price, record.bid, record.ask, window ? window.high : record.price);
          return;
        }
        default:
          playInput(engine, record);
      }
      if (record.type === 'coins') highs = followingHighs(highs, settings, settings, engine.symbols);
      if (record.type === 'settings') {
        highs = followingHighs(highs, settings, record.config, engine.symbols);
        settings = record.config;
      }
    },
  };
}

/** Runs a tape again. Throws when it does not begin with an activation. */
export function replayTape(records: Iterable<TapeRecord>): Trace[] {
  const traces: Trace[] = [];
  let player: ReturnType<typeof tapePlayer> | undefined;
  let wallet: WalletBook | undefined;
  let seq = 0;
  for (const record of records) {
    if (record.type === 'activated') {
      seq = record.seq;
      wallet = { ...record.wallet };
      const engine = createAutoTradeEngine({
        ...record,
        wallet,
        emit: ({ context }) => {
          for (const effect of context.effects) if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: ++seq });
        },
      });
      engine.setFrozen(record.frozen ?? false);
      player = tapePlayer(engine, record.config, engine.symbols);
      continue;
    }
    if (!player || !wallet) throw new RangeError('replayTape(): the tape does not begin with an activation');
    if (record.type === 'wallet') wallet.sums = record.sums;
    else player.play(record);
  }
  return traces;
}
