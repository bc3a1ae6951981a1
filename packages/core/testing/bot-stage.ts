import type { AutoTradeConfig } from '../src/auto-trades/config/auto-trade-config.ts';
import { type AutoTradeEngine, createAutoTradeEngine } from '../src/auto-trades/engine/auto-trade-engine.ts';
import type { PauseEnd, ProtectionNotice } from '../src/auto-trades/engine/bot-pauses.ts';
import type { EngineStep, OrderInput } from '../src/auto-trades/engine/engine-inputs.ts';
import { type TapeInput, type TapeRecord, tapePlayer } from '../src/auto-trades/engine/tape.ts';
import type { OrderInFlight, WalletMove } from '../src/auto-trades/position/position-state.ts';
import type { Trace } from '../src/auto-trades/trace.ts';
import { decimal, toFloat } from '../src/money/decimal.ts';
import type { Pair } from '../src/prices/prices-contract.ts';
import { BOT_ID, walletBook } from './auto-trade-fixtures.ts';
import { btcusdt } from './pairs.ts';
import { createTestExchange, type Fate } from './test-exchange.ts';

export const START = 1_700_000_000_000;

type StageOptions = {
  readonly pairs?: readonly Pair[];
  readonly balance?: string;
  readonly fateOf?: (order: OrderInFlight) => Fate;
  readonly dataGapMs?: number;
  /** Storage hears of every step, as on a server; without it nothing is written while nothing happens. */
  readonly heartbeatMs?: number;
  /** Seen after every step that a bot takes. */
  readonly onStep?: (step: EngineStep) => void;
};

/**
 * A bot, its wallet and one exchange per coin. Whatever the bot is told is on its tape; a restart builds the engine
 * again from what a server would have stored, as text.
 */
export function botStage(config: AutoTradeConfig, options: StageOptions = {}) {
  const pairs = [...(options.pairs ?? [btcusdt])];
  const wallet = walletBook(options.balance);
  const traces: Trace[] = [];
  const logs: { code: string; symbol: string; facts: object }[] = [];
  const moves: WalletMove[] = [];
  const placed: OrderInFlight[] = [];
  const cancelled: string[] = [];
  const notices: ProtectionNotice[] = [];
  const ends: PauseEnd[] = [];
  const steps: EngineStep[] = [];
  const tape: TapeRecord[] = [];
  const stored = new Map<string, EngineStep>();
  const awaitingFees = new Map<string, EngineStep['context']>();
  const told = new Map<string, TapeInput>();
  const exchanges = new Map(pairs.map((pair) => [pair.symbol, createTestExchange(pair, options.fateOf)]));
  const prices = new Map<string, { at: number; price: number; bid: number; ask: number }>();
  const references: [number, number][] = [];
  let seq = 0;
  let accepts = true;
  let settings = { config, version: 1 };
  let coins: readonly string[] | undefined;

  const emit = (step: EngineStep): void => {
    // A late fee is written to a position that is over, while the next one of its coin may be open.
    if ((stored.get(step.symbol)?.context.number ?? 0) <= step.context.number) stored.set(step.symbol, step);
    const { positionId, unvalued } = step.context;
    if (step.state === 'closed' && unvalued.length > 0) awaitingFees.set(positionId, step.context);
    else awaitingFees.delete(positionId);
    steps.push(step);
    for (const effect of step.context.effects) {
      if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: ++seq });
      if (effect.kind === 'log') logs.push({ code: effect.code, symbol: step.symbol, facts: effect.facts });
      if (effect.kind === 'wallet') moves.push(effect.entry);
      if (effect.kind === 'place') {
        placed.push(effect.order);
        exchanges.get(step.symbol)!.place(effect.order);
      }
      if (effect.kind === 'cancel') {
        cancelled.push(effect.clientOrderId);
        exchanges.get(step.symbol)!.cancel(effect.clientOrderId);
      }
    }
    options.onStep?.(step);
  };

  function activate(before?: AutoTradeEngine): ReturnType<typeof activated> {
    const asListed = ({ symbol, state, context }: EngineStep) => {
      const { filters, pricePrecision } = pairs.find((pair) => pair.symbol === symbol)!;
      return { state, context: { ...context, settings: { ...context.settings, filters, pricePrecision } } };
    };
    const restored = JSON.parse(JSON.stringify([...stored.values()].map(asListed))) as [];
    return activated({
      restored,
      awaitingFees: JSON.parse(JSON.stringify([...awaitingFees.values()])) as [],
      history: JSON.parse(JSON.stringify(before?.history ?? [])) as [],
      pauses: JSON.parse(JSON.stringify(before?.pauses ?? [])) as [],
    });
  }
  function activated(from: Pick<Extract<TapeRecord, { type: 'activated' }>, 'restored' | 'history' | 'pauses' | 'awaitingFees'>) {
    const record: Extract<TapeRecord, { type: 'activated' }> = {
      type: 'activated',
      autoTradeId: BOT_ID,
      runNo: 1,
      mode: 'paper',
      config: settings.config,
      configVersion: settings.version,
      pairs: [...pairs],
      ...(coins ? { coins } : {}),
      takerFee: '0.001',
      wallet: { ...wallet },
      acceptsEntries: accepts,
      ...(references.length > 0 ? { references: [...references] } : {}),
      seq,
      ...from,
    };
    if (tape.length === 0) tape.push(record);
    const engine = createAutoTradeEngine({
      ...record,
      wallet,
      dataGapMs: options.dataGapMs ?? 60_000,
      ...(options.heartbeatMs ? { heartbeatMs: options.heartbeatMs } : {}),
      emit,
      onProtection: (notice) => notices.push(notice),
      onPauseEnded: (end) => ends.push(end),
    });
    return { engine, player: tapePlayer(engine, settings.config, engine.symbols) };
  }
  let { engine, player } = activate();

  /** Tells the bot something and remembers it. */
  function tell(record: TapeInput): void {
    tape.push(record);
    if (record.type === 'conditions') told.set(record.symbol, record);
    if (record.type === 'reference') references.push([record.at, record.price]);
    if (record.type === 'volumes') {
      const before = told.get('volumes');
      // As a server tells them after a restart: those of all coins.
      told.set('volumes', { ...record, values: { ...(before?.type === 'volumes' ? before.values : {}), ...record.values } });
    }
    if (record.type === 'entries') accepts = record.accepts;
    if (record.type === 'settings') {
      settings = { config: record.config, version: record.version };
      if (record.config.coins.symbols.length > 0) coins = record.config.coins.symbols;
    }
    if (record.type === 'coins') {
      coins = record.symbols;
      for (const pair of record.pairs) {
        if (exchanges.has(pair.symbol)) continue;
        pairs.push(pair);
        exchanges.set(pair.symbol, createTestExchange(pair, options.fateOf));
      }
    }
    player.play(record);
  }

  const drain = (): void => {
    let quiet = false;
    let rounds = 0;
    while (!quiet) {
      quiet = true;
      // An order that follows from the end of another again and again, at one price, would never end.
      if (++rounds > 500) throw new Error(`botStage: no end at one price: ${JSON.stringify(tape.slice(-3))}`);
      for (const exchange of exchanges.values())
        for (const input of exchange.heard()) {
          quiet = false;
          tell({ type: 'order', input });
        }
    }
  };
  const tick = (price: number, at: number, symbol = pairs[0]!.symbol): void => {
    const pair = pairs.find((each) => each.symbol === symbol)!;
    const step = toFloat(decimal(pair.filters.tickSize));
    const moment = { at, price, bid: price - step, ask: price + step };
    prices.set(symbol, moment);
    exchanges.get(symbol)!.trade(price.toFixed(pair.pricePrecision), at);
    drain();
    tell({ type: 'tick', symbol, ...moment });
    drain();
  };

  return {
    tell,
    tick,
    drain,
    /** Prices one after the other, `stepMs` apart. */
    walk(values: readonly number[], { from = START, stepMs = 30_000, symbol = pairs[0]!.symbol } = {}): void {
      for (const [index, price] of values.entries()) tick(price, from + index * stepMs, symbol);
    },
    order: (input: OrderInput): void => tell({ type: 'order', input }),
    /** What the exchange lists of a pair from the next restart on; the bot that runs hears nothing of it. */
    relist: (pair: Pair): void =>
      void pairs.splice(
        pairs.findIndex(({ symbol }) => symbol === pair.symbol),
        1,
        pair,
      ),
    /** Stops the bot where it stands and starts it again from what is stored; `found`: where its market is by then. */
    restart(found?: { at: number; price: number; bid: number; ask: number }): void {
      if (found) prices.set(pairs[0]!.symbol, found);
      const highs = player.highs;
      ({ engine, player } = activate(engine));
      // The server asks for the market's last moment and tells again what holds.
      for (const [symbol, window] of highs ?? []) {
        const fresh = player.highs?.get(symbol);
        if (fresh) player.highs?.set(symbol, window);
      }
      for (const [symbol, moment] of prices) {
        const high = player.highs?.get(symbol)?.high ?? moment.price;
        player.play({ type: 'moment', symbol, ...moment, high });
      }
      for (const record of told.values()) player.play(record);
    },
    wallet,
    traces,
    logs,
    moves,
    placed,
    cancelled,
    notices,
    ends,
    steps,
    tape,
    exchanges,
    get engine() {
      return engine;
    },
    state: (symbol = pairs[0]!.symbol) => engine.inspect(symbol)!.state,
    context: (symbol = pairs[0]!.symbol) => engine.inspect(symbol)!.context,
    /** Rows as "Kind Reason". */
    kinds: () => traces.map(({ kind, reason }) => `${kind} ${reason}`),
  };
}
export type BotStage = ReturnType<typeof botStage>;
