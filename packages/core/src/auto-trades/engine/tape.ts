import type { Pair } from '../../prices/prices-contract.ts';
import type { WalletBook, WalletSums } from '../../wallets/wallet-book.ts';
import type { AutoTradeConfig } from '../config/auto-trade-config.ts';
import type { PositionState } from '../position/auto-trade-position-machine.ts';
import type { PositionContext } from '../position/position-state.ts';
import type { Trace } from '../trace.ts';
import { type AutoTradeEngine, createAutoTradeEngine } from './auto-trade-engine.ts';
import type { Pause } from './bot-pauses.ts';
import type { ConditionsInput, FeeValue, OrderInput, TakerFees } from './engine-inputs.ts';
import type { ClosedTrade } from './protections.ts';
import { createRollingHigh, type RollingHigh } from './rolling-high.ts';

/**
 * Everything a bot's engine was told since it was activated, one record a line: enough to run it again. Replaying a
 * tape gives the same traces byte for byte; that is how "live = paper = backtest" is checked on real runs.
 */
export type TapeRecord =
  | {
      readonly type: 'activated';
      readonly autoTradeId: string;
      readonly runNo: number;
      readonly mode: 'paper' | 'live';
      readonly config: AutoTradeConfig;
      readonly configVersion: number;
      readonly pairs: readonly Pair[];
      readonly takerFee: string;
      /** Absent on tapes from before each pair had its own. */
      readonly takerFees?: TakerFees;
      /** Absent on tapes of version 0.1.0, whose order ids have none. */
      readonly orderPrefix?: string | undefined;
      readonly wallet: { readonly id: string; readonly currency: string; readonly reservePct: string; readonly sums: WalletSums };
      readonly restored: readonly { readonly state: PositionState; readonly context: PositionContext }[];
      readonly acceptsEntries: boolean;
      readonly frozen?: boolean;
      readonly coins?: readonly string[];
      readonly history?: readonly ClosedTrade[];
      readonly awaitingFees?: readonly PositionContext[];
      readonly pauses?: readonly Pause[];
      readonly references?: readonly (readonly [at: number, price: number])[];
      readonly seq: number;
    }
  /** Something else moved the wallet: a deposit, or another bot of it. */
  | { readonly type: 'wallet'; readonly before: WalletSums; readonly sums: WalletSums }
  | { readonly type: 'high'; readonly symbol: string; readonly at: number; readonly price: number }
  | {
      readonly type: 'tick';
      readonly symbol: string;
      readonly at: number;
      readonly price: number;
      readonly bid: number;
      readonly ask: number;
      /** What was traded, and what stood at the best prices: base units; absent on tapes from before they were recorded. */
      readonly quantity?: number | undefined;
      readonly bidQuantity?: number | undefined;
      readonly askQuantity?: number | undefined;
    }
  | {
      readonly type: 'moment';
      readonly symbol: string;
      readonly at: number;
      readonly price: number;
      readonly bid: number;
      readonly ask: number;
      readonly high?: number;
    }
  /** The market connection was up: a coin without a price did not trade. */
  | { readonly type: 'connected'; readonly at: number }
  | { readonly type: 'conditions'; readonly symbol: string; readonly input: ConditionsInput }
  | { readonly type: 'reference'; readonly at: number; readonly price: number }
  | { readonly type: 'volumes'; readonly values: Readonly<Record<string, number>> }
  | { readonly type: 'coins'; readonly symbols: readonly string[]; readonly pairs: readonly Pair[]; readonly at: number }
  | { readonly type: 'pauseCoin'; readonly symbol: string; readonly until: number; readonly reason: string; readonly at: number }
  | { readonly type: 'enter'; readonly symbol: string }
  | { readonly type: 'target'; readonly positionId: string; readonly price: string | null; readonly at: number }
  | { readonly type: 'fee'; readonly value: FeeValue }
  | {
      readonly type: 'settings';
      readonly config: AutoTradeConfig;
      readonly version: number;
      readonly applyToOpen: boolean;
      readonly at: number;
    }
  | { readonly type: 'takerFees'; readonly takerFees: TakerFees }
  | { readonly type: 'dust'; readonly at: number }
  | { readonly type: 'order'; readonly input: OrderInput }
  | { readonly type: 'entries'; readonly accepts: boolean; readonly at: number }
  | { readonly type: 'frozen'; readonly frozen: boolean }
  | { readonly type: 'exit'; readonly positionId: string; readonly reason: 'Manual' | 'KillSwitch' }
  | { readonly type: 'resume'; readonly positionId: string }
  | { readonly type: 'hold'; readonly symbol: string; readonly until: number }
  | { readonly type: 'balance'; readonly symbol: string; readonly factor: string | null; readonly at: number }
  | { readonly type: 'carryOver'; readonly positionId: string; readonly factor: string }
  | { readonly type: 'detach'; readonly positionId: string; readonly at: number };

/** What a record of an input is. */
export type TapeInput = Exclude<TapeRecord, { type: 'activated' | 'wallet' }>;

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

/** Tells an engine one input that is no price: prices go with the high of their look-back window. */
export function playInput(engine: AutoTradeEngine, record: Exclude<TapeInput, { type: 'high' | 'tick' }>): void {
  switch (record.type) {
    case 'moment':
      engine.observe(record.symbol, record.at, record.price, record.bid, record.ask, record.high);
      break;
    case 'connected':
      engine.connected(record.at);
      break;
    case 'resume':
      engine.resume(record.positionId);
      break;
    case 'hold':
      engine.hold(record.symbol, record.until);
      break;
    case 'balance':
      engine.balance(record.symbol, record.factor, record.at);
      break;
    case 'carryOver':
      engine.carryOver(record.positionId, record.factor);
      break;
    case 'order':
      engine.order(record.input);
      break;
    case 'entries':
      engine.setAcceptsEntries(record.accepts, record.at);
      break;
    case 'frozen':
      engine.setFrozen(record.frozen);
      break;
    case 'exit':
      engine.exit(record.positionId, record.reason);
      break;
    case 'detach':
      engine.detach(record.positionId, record.at);
      break;
    case 'conditions':
      engine.conditions(record.symbol, record.input);
      break;
    case 'reference':
      engine.reference(record.at, record.price);
      break;
    case 'volumes':
      engine.setVolumes(record.values);
      break;
    case 'coins':
      engine.setCoins(record.symbols, record.pairs, record.at);
      break;
    case 'pauseCoin':
      engine.pauseCoin(record.symbol, record.until, record.reason, record.at);
      break;
    case 'enter':
      engine.enter(record.symbol);
      break;
    case 'target':
      engine.setTarget(record.positionId, record.price, record.at);
      break;
    case 'fee':
      engine.feeValued(record.value);
      break;
    case 'settings':
      engine.reconfigure(record.config, record.version, record);
      break;
    case 'takerFees':
      engine.setTakerFees(record.takerFees);
      break;
    case 'dust':
      engine.releaseDust(record.at);
      break;
  }
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
