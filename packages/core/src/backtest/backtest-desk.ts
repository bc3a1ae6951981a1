import type { AutoTradeConfig } from '../auto-trades/config/auto-trade-config.ts';
import { createAutoTradeEngine, type EngineStep, type OrderInput } from '../auto-trades/engine/auto-trade-engine.ts';
import { highest } from '../auto-trades/engine/decide.ts';
import { STANDSTILL_MS } from '../auto-trades/engine/standstill.ts';
import { autoTradePositionMachine, type PositionState } from '../auto-trades/position/auto-trade-position-machine.ts';
import type { PositionContext, PositionEvent } from '../auto-trades/position/position-state.ts';
import type { Trace } from '../auto-trades/trace.ts';
import { add, type Decimal, decimal, subtract, toFloat, ZERO } from '../money/decimal.ts';
import type { Pair } from '../prices/prices-contract.ts';
import { tableOf } from '../statechart/table.ts';
import { afterTransfer, emptySums, type WalletBook } from '../wallets/wallet-book.ts';
import type { BacktestOptions } from './backtest.ts';
import { createBacktestBroker } from './backtest-broker.ts';
import { DEFAULT_FILL_MODEL } from './fill-model.ts';

/** A coin as the walk over its bars knows it: where it stands, and what the last step left of it. */
export type DeskCoin = {
  readonly slot: number;
  readonly pair: Pair;
  bar: number;
  /** The newest price and when it was, for orders placed now. */
  price: number;
  at: number;
  /** This bar holds both the stop and the target, and nobody knows which came first. */
  ambiguous: boolean;
  /** Base units on the account, dust of closed positions included. */
  baseFloat: number;
  held: number;
  stopLevel: number;
  targetLevel: number;
};

const BACKTEST_ID = '00000000-0000-7000-8000-000000000001';
const HOLDING: ReadonlySet<string> = new Set(['entryPending', 'open', 'protected', 'reducing', 'exitPending', 'needsAttention', 'adding']);

/** The machine of positions as a table: a run makes millions of steps, and nobody watches them. */
const positionTable = tableOf<PositionState, PositionContext, PositionEvent>(autoTradePositionMachine);

/**
 * The live engine with an in-process exchange for each coin: what the prices of a run are told to.
 * @param config that of the run, with its coins named @param intervalMs length of its bars
 */
export function createDesk(
  { startBalance, reservePct = '0', model = DEFAULT_FILL_MODEL, delayBars = 0 }: BacktestOptions,
  config: AutoTradeConfig,
  coins: readonly DeskCoin[],
  intervalMs: number,
) {
  const sums = afterTransfer(emptySums, startBalance);
  const wallet: WalletBook = { id: config.walletId, currency: coins[0]!.pair.quoteAsset, reservePct, sums };
  const traces: Trace[] = [];
  const queue: OrderInput[] = [];
  const refusals: Record<string, number> = {};
  const ambiguous = new Set<string>();
  /** Exact, from the fills. */
  const bases: Decimal[] = coins.map(() => ZERO);
  let cash = Number(startBalance);
  const coinOf = new Map(coins.map((coin) => [coin.pair.symbol, coin]));
  const brokers = coins.map(({ pair, slot }) =>
    createBacktestBroker({
      pair,
      model,
      deliver: (input) => queue.push(input),
      holdings: () => bases[slot]!,
      onRefusal: ({ code, rule }) => {
        refusals[`${code} ${rule}`] = (refusals[`${code} ${rule}`] ?? 0) + 1;
      },
    }),
  );
  const engine = createAutoTradeEngine({
    autoTradeId: BACKTEST_ID,
    runNo: 1,
    mode: 'paper',
    config,
    configVersion: 1,
    pairs: coins.map(({ pair }) => pair),
    takerFee: model.takerFee,
    wallet,
    // A bar that is missing, or without a trade, is a standstill; prices of one bar lie less apart.
    dataGapMs: Math.max(60_000, intervalMs * 2),
    standstillMs: Math.max(STANDSTILL_MS, intervalMs),
    alwaysConnected: true,
    interpreter: positionTable,
    emit: ({ symbol, context, state }: EngineStep) => {
      const coin = coinOf.get(symbol)!;
      const broker = brokers[coin.slot]!;
      for (const effect of context.effects) {
        if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: traces.length + 1 });
        else if (effect.kind === 'cancel') broker.cancel(effect.clientOrderId);
        else if (effect.kind === 'place') {
          if (coin.ambiguous && effect.order.side === 'Sell') ambiguous.add(context.positionId);
          broker.place(effect.order, coin.bar + 1 + (effect.order.side === 'Buy' ? delayBars : 0), coin.price, coin.at);
        }
      }
      cash = Number(wallet.sums.free) + Number(wallet.sums.reserved);
      coin.held = HOLDING.has(state) ? toFloat(decimal(context.quantity)) : 0;
      coin.stopLevel = highest(number(context.stopPrice), number(context.line));
      const gain = config.takeProfit.levels[context.levelsDone]?.gainPct;
      coin.targetLevel = coin.held > 0 && gain ? (toFloat(decimal(context.cost)) / coin.held) * (1 + Number(gain) / 100) : Number.NaN;
    },
  });

  return {
    engine,
    /** By slot. */
    brokers,
    /** Free and reserved money as a double, for the equity curve only. */
    get cash() {
      return cash;
    },
    /** The exchange said something that the engine has not heard yet. */
    get waiting() {
      return queue.length > 0;
    },
    hear(coin: DeskCoin): void {
      for (let input = queue.shift(); input; input = queue.shift()) {
        if (input.type === 'filled') {
          const base = bases[coin.slot]!;
          const quantity = decimal(input.quantity);
          const after = input.feeInQuote === null ? add(base, subtract(quantity, decimal(input.fee))) : subtract(base, quantity);
          bases[coin.slot] = after;
          coin.baseFloat = toFloat(after);
        }
        engine.order(input);
      }
    },
    /** The price of a coin jumped over a standstill: its orders are void, and what is held of it ends at its cost. */
    jumped(coin: DeskCoin): void {
      brokers[coin.slot]!.withdraw(coin.at);
      this.hear(coin);
      engine.settleJump(coin.pair.symbol);
      // Dust of positions that are over counts in the old unit.
      bases[coin.slot] = ZERO;
      coin.baseFloat = 0;
    },
    /** What was traded of each coin in 24 hours, by slot: the order in which a bot may pick them. */
    tellVolumes: (volumes: Float64Array): void =>
      engine.setVolumes(Object.fromEntries(coins.map(({ pair, slot }) => [pair.symbol, volumes[slot]!]))),
    finish: () => ({
      traces,
      /** Positions that sold in an ambiguous bar. */
      ambiguous,
      /** Free and reserved money, and base units by slot. */
      money: add(decimal(wallet.sums.free), decimal(wallet.sums.reserved)),
      bases,
      realised: wallet.sums.realised,
      slippage: brokers.reduce((sum, broker) => add(sum, broker.slippage), ZERO),
      refusals,
    }),
  };
}

const number = (text: string | null): number => (text === null ? Number.NaN : Number(text));
