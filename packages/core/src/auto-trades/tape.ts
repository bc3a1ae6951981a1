import type { Pair } from '../prices/prices-contract.ts';
import type { WalletBook, WalletSums } from '../wallets/wallet-book.ts';
import type { AutoTradeConfig } from './auto-trade-config.ts';
import { createAutoTradeEngine, type OrderInput } from './auto-trade-engine.ts';
import type { PositionState } from './position-chart.ts';
import type { PositionContext } from './position-state.ts';
import { createRollingHigh, type RollingHigh } from './rolling-high.ts';
import type { Trace } from './trace.ts';

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
      readonly wallet: { readonly id: string; readonly currency: string; readonly reservePct: string; readonly sums: WalletSums };
      readonly restored: readonly { readonly state: PositionState; readonly context: PositionContext }[];
      readonly acceptsEntries: boolean;
      readonly seq: number;
    }
  | { readonly type: 'high'; readonly symbol: string; readonly at: number; readonly price: number }
  | {
      readonly type: 'tick';
      readonly symbol: string;
      readonly at: number;
      readonly price: number;
      readonly bid: number;
      readonly ask: number;
    }
  | {
      readonly type: 'moment';
      readonly symbol: string;
      readonly at: number;
      readonly price: number;
      readonly bid: number;
      readonly ask: number;
    }
  | { readonly type: 'order'; readonly input: OrderInput }
  | { readonly type: 'entries'; readonly accepts: boolean; readonly at: number }
  | { readonly type: 'frozen'; readonly frozen: boolean }
  | { readonly type: 'exit'; readonly positionId: string; readonly reason: 'Manual' | 'KillSwitch' }
  | { readonly type: 'resume'; readonly positionId: string }
  | { readonly type: 'detach'; readonly positionId: string; readonly at: number };

/** Look-back windows by symbol; undefined when the entry rule has none. */
export function rollingHighs(config: AutoTradeConfig): Map<string, RollingHigh> | undefined {
  const { trigger } = config.entry;
  return trigger.kind === 'drop'
    ? new Map(config.coins.symbols.map((symbol) => [symbol, createRollingHigh(trigger.lookbackMin)]))
    : undefined;
}

/** Runs a tape again. Throws when it does not begin with an activation. */
export function replayTape(records: Iterable<TapeRecord>): Trace[] {
  const traces: Trace[] = [];
  let engine: ReturnType<typeof createAutoTradeEngine> | undefined;
  let highs: Map<string, RollingHigh> | undefined;
  let seq = 0;
  for (const record of records) {
    if (record.type === 'activated') {
      seq = record.seq;
      const wallet: WalletBook = { ...record.wallet };
      highs = rollingHighs(record.config);
      engine = createAutoTradeEngine({
        ...record,
        wallet,
        emit: ({ context }) => {
          for (const effect of context.effects) if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: ++seq });
        },
      });
      continue;
    }
    if (!engine) throw new RangeError('replayTape(): the tape does not begin with an activation');
    switch (record.type) {
      case 'high':
        highs?.get(record.symbol)?.add(record.at, record.price);
        break;
      case 'tick': {
        const window = highs?.get(record.symbol);
        window?.add(record.at, record.price);
        engine.tick(record.symbol, record.at, record.price, record.bid, record.ask, window ? window.high : record.price);
        break;
      }
      case 'moment':
        engine.observe(record.symbol, record.at, record.price, record.bid, record.ask);
        break;
      case 'resume':
        engine.resume(record.positionId);
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
    }
  }
  return traces;
}
