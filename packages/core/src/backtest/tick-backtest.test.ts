import { expect, test } from 'vitest';
import { BOT_ID, botConfig, walletBook } from '../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../testing/pairs.ts';
import { grammarViolation } from '../../testing/trace-grammar.ts';
import { createAutoTradeEngine, type EngineStep } from '../auto-trades/engine/auto-trade-engine.ts';
import { replayTape, type TapeRecord, tapePlayer } from '../auto-trades/engine/tape.ts';
import type { OrderInFlight } from '../auto-trades/position/position-state.ts';
import { decimal, multiply, subtract, toText } from '../money/decimal.ts';
import { runTickBacktest } from './tick-backtest.ts';
import { traceParity } from './tick-parity.ts';
import { TickTapeError } from './tick-tape.ts';

// A bot over recorded trades: the same prices, another exchange. That it equals the recorded run is tested where one is
// recorded (server: parity.e2e.ts); here what a run does with what is, and what is not, on a tape.

type Activation = Extract<TapeRecord, { type: 'activated' }>;
const START = Date.UTC(2026, 0, 5);
const STEP = 5000;

const config = botConfig({
  entry: {
    size: { mode: 'fixed', value: '100' },
    trigger: { kind: 'drop', dropPct: '0.5', lookbackMin: 30 },
    trailing: { enabled: false },
    order: { type: 'Market' },
  },
  takeProfit: { levels: [{ gainPct: '1', sellPct: '100' }] },
  trailingCost: { enabled: false },
  stopLoss: { mode: 'percent', pct: '2' },
  cooldown: { afterWinMin: 0, afterLossMin: 0 },
});
const activated = (over: Partial<Activation> = {}): Activation => ({
  type: 'activated',
  autoTradeId: BOT_ID,
  runNo: 1,
  mode: 'paper',
  config,
  configVersion: 1,
  pairs: [btcusdt],
  takerFee: '0.001',
  wallet: walletBook(),
  restored: [],
  acceptsEntries: true,
  seq: 0,
  ...over,
});
/** Two waves of prices, a quarter of a percent from tick to tick at most. */
const PRICES = Array.from(
  { length: 2000 },
  (_, n) => Math.round(60_000 * (1 + 0.012 * Math.sin(n / 60) + 0.002 * Math.sin(n / 7)) * 100) / 100,
);
const ticks = (prices: readonly number[] = PRICES, from = START): TapeRecord[] =>
  prices.map((price, n) => ({ type: 'tick', symbol: 'BTCUSDT', at: from + n * STEP, price, bid: price - 0.5, ask: price, quantity: 1 }));
const tape = [activated(), ...ticks()];

test('a run trades at the best prices that stood', () => {
  const { traces, report, counts } = runTickBacktest({ records: tape });
  expect(counts).toEqual({
    ticks: 2000,
    orders: report.trades * 2 + (traces.at(-1)?.kind === 'Exit' ? 0 : 1),
    beyondBest: 0,
    otherFees: 0,
  });
  expect(report.trades).toBeGreaterThan(3);
  expect(report).toMatchObject({ symbols: ['BTCUSDT'], bars: 167, intervalMs: 60_000, startBalance: '10000', slippage: '0', refusals: {} });
  expect(report.prices.BTCUSDT).toHaveLength(report.equity.length);
  for (const trace of traces) {
    if (trace.kind === 'Buy') expect(trace.price).toBe(trace.ask);
    if (trace.kind === 'Sell') expect(trace.price).toBe(trace.bid);
  }
  // What is in the wallet and what it is worth is what the report ends with.
  const last = report.equity.at(-1)!;
  expect(Math.abs(last.value - Number(report.endValue))).toBeLessThan(0.01);
  expect(toText(subtract(decimal(report.endValue), decimal(report.startBalance)))).toBe(report.netPnl);
  expect(
    grammarViolation(
      traces.filter(({ positionId }) => positionId === traces[0]!.positionId),
      true,
    ),
  ).toBeUndefined();
});

test('each pair pays the fee that was recorded of it, unless the run has one for all', () => {
  const recorded = [activated({ takerFees: { BTCUSDT: '0' } }), ...ticks()];
  const feesOf = ({ traces }: ReturnType<typeof runTickBacktest>) =>
    traces.flatMap(({ kind, after }) => (kind === 'Sell' ? [after.fee] : []));
  expect(new Set(feesOf(runTickBacktest({ records: recorded })))).toEqual(new Set(['0']));
  const own = runTickBacktest({ records: recorded, model: { takerFee: '0.001', makerFee: '0.001' } });
  expect(own.traces).toEqual(runTickBacktest({ records: tape }).traces);
  const late = [activated(), { type: 'takerFees', takerFees: { BTCUSDT: '0' } } as const, ...ticks()];
  expect(replayTape(recorded)).toEqual(replayTape(late));
});

test('the traces up to any moment do not hang on what comes after it', () => {
  const { traces } = runTickBacktest({ records: tape });
  for (const length of [200, 501, 777, 1300, 1999]) {
    const early = runTickBacktest({ records: tape.slice(0, length) }).traces;
    // The last order is answered at the end of a recording: nothing moves on any more.
    const before = traces.slice(0, early.length);
    expect(traceParity(before, early)).toMatchObject({ same: early.length, difference: null });
  }
});

test('what the tape tells of orders is not looked at', () => {
  const { traces } = runTickBacktest({ records: tape });
  const lies: TapeRecord[] = tape.flatMap((record): TapeRecord[] => [
    record,
    { type: 'order', input: { type: 'ended', clientOrderId: traces[0]!.clientOrderId!, status: 'REJECTED', code: '-1', at: START } },
  ]);
  expect(traceParity(traces, runTickBacktest({ records: lies }).traces)).toMatchObject({ difference: null });
});

test('an order that takes its time pays the price that stands when it arrives', () => {
  const now = runTickBacktest({ records: tape }).traces;
  const late = runTickBacktest({ records: tape, latencyMs: 7000 }).traces;
  const buy = (rows: typeof now) => rows.find(({ kind }) => kind === 'Buy')!;
  expect(Date.parse(buy(late).at) - Date.parse(buy(now).at)).toBe(7000);
  // Seven seconds are one tick and not two.
  const index = PRICES.indexOf(Number(buy(now).price));
  expect(Number(buy(late).price)).toBe(PRICES[index + 1]);
});

test('orders of a millisecond arrive after all of its trades', () => {
  const twice = tape.flatMap((record): TapeRecord[] =>
    record.type === 'tick' ? [record, { ...record, price: record.price + 1, bid: record.bid + 1, ask: record.ask + 1 }] : [record],
  );
  const buy = runTickBacktest({ records: twice }).traces.find(({ kind }) => kind === 'Buy')!;
  expect(PRICES).not.toContain(Number(buy.price));
  expect(PRICES.map((price) => price + 1)).toContain(Number(buy.price));
});

test('what the owner did is done again, with what had become of the orders before', () => {
  const { positionId: position, at } = runTickBacktest({ records: tape }).traces[0]!;
  const entered = tape.findIndex((record) => record.type === 'tick' && record.at === Date.parse(at));
  const records = [
    ...tape.slice(0, entered + 1),
    { type: 'exit', positionId: position, reason: 'Manual' } as const,
    ...tape.slice(entered + 1),
  ];
  const rows = runTickBacktest({ records }).traces.filter(({ positionId }) => positionId === position);
  expect(rows.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(['Entry Drop', 'Buy Entry', 'Sell Manual', 'Exit Manual']);
});

test('other settings run over the same prices, without what the owner did to the recorded bot', () => {
  const records: TapeRecord[] = [activated(), { type: 'entries', accepts: false, at: START }, ...ticks()];
  expect(runTickBacktest({ records }).traces).toEqual([]);
  const other = { ...config, takeProfit: { levels: [{ gainPct: '0.5', sellPct: '100' }] } };
  const { traces, report } = runTickBacktest({ records, config: other, startBalance: '500' });
  expect(report.startBalance).toBe('500');
  expect(report.exits.TakeProfit).toBeGreaterThan(3);
  expect(traces.every(({ autoTradeId }) => autoTradeId === BOT_ID)).toBe(true);
});

test('a process that began anew in the middle changes nothing', () => {
  const whole = runTickBacktest({ records: tape }).traces;
  const middle = 900;
  const highs = PRICES.slice(middle - 400, middle).map(
    (price, n): TapeRecord => ({ type: 'high', symbol: 'BTCUSDT', at: START + (middle - 400 + n) * STEP, price }),
  );
  const restarted = runTickBacktest({
    records: [...tape.slice(0, middle + 1), activated({ seq: 99 }), ...highs, ...tape.slice(middle + 1)],
  });
  expect(traceParity(whole, restarted.traces)).toMatchObject({ difference: null });
});

test('a new run begins with what was recorded of it', () => {
  const second = activated({ runNo: 2, wallet: walletBook('50') });
  const { traces } = runTickBacktest({ records: [...tape, second, ...ticks(PRICES, START + 86_400_000)] });
  // 50 do not pay for an entry of 100.
  expect(new Set(traces.map(({ runNo }) => runNo))).toEqual(new Set([1]));
});

test('money that others move is moved here too', () => {
  const before = walletBook('10000').sums;
  const gone: TapeRecord = { type: 'wallet', before, sums: { ...before, free: '50', withdrawals: '9950' } };
  expect(runTickBacktest({ records: [activated(), gone, ...ticks()] }).traces).toEqual([]);
});

/** Where a bot stands at the end of a tape whose orders fill at the ask. */
function heldBy(records: readonly TapeRecord[]) {
  const wallet = walletBook();
  const placed: OrderInFlight[] = [];
  let step: EngineStep | undefined;
  const engine = createAutoTradeEngine({
    ...activated(),
    wallet,
    emit: (next) => {
      step = next;
      for (const effect of next.context.effects) if (effect.kind === 'place') placed.push(effect.order);
    },
  });
  const player = tapePlayer(engine, config, engine.symbols);
  for (const record of records) {
    if (record.type !== 'tick') continue;
    player.play(record);
    for (const { clientOrderId, quantity } of placed.splice(0)) {
      const quoteQuantity = toText(multiply(decimal(quantity), decimal(String(record.ask))));
      const fee = toText(multiply(decimal(quantity), decimal('0.001')));
      const price = String(record.ask);
      const fill = { tradeId: '1', price, quantity, quoteQuantity, fee, feeAsset: 'BTC', feeInQuote: null, at: record.at };
      engine.order({ type: 'filled', clientOrderId, orderId: '1', ...fill });
      engine.order({ type: 'ended', clientOrderId, status: 'FILLED', code: null, at: record.at });
    }
  }
  const highs = (player.highs?.get('BTCUSDT')?.entries() ?? []).map(
    ([at, price]): TapeRecord => ({ type: 'high', symbol: 'BTCUSDT', at, price }),
  );
  return { restored: [{ state: step!.state, context: step!.context }], wallet, highs };
}

test('positions that were held when the recording began are sold by it', () => {
  const { traces } = runTickBacktest({ records: tape });
  expect(traces.length).toBeGreaterThan(4);
  // A recording that begins while the first position of another is open.
  const buyAt = Date.parse(traces[1]!.at);
  const sellAt = Date.parse(traces[2]!.at);
  const cut = tape.findIndex((record) => record.type === 'tick' && record.at > (buyAt + sellAt) / 2);
  const held = heldBy(tape.slice(0, cut));
  const rest = runTickBacktest({
    records: [activated({ restored: held.restored, wallet: held.wallet, seq: 2 }), ...held.highs, ...tape.slice(cut)],
  });
  expect(traceParity(traces.slice(2), rest.traces).difference).toBeNull();
});

test('what cannot be run is said', () => {
  const code = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return error instanceof TickTapeError ? error.code : error;
    }
    return undefined;
  };
  expect(code(() => runTickBacktest({ records: ticks() }))).toBe('NOT_ACTIVATED');
  expect(code(() => runTickBacktest({ records: [activated()] }))).toBe('NO_TICKS');
  const guarded = { ...config, protections: { ...config.protections, btcGuard: { dropPct: '1', windowMin: 10, resumePct: '0.5' } } };
  expect(code(() => runTickBacktest({ records: tape, config: guarded }))).toBe('NO_REFERENCE');
  const conditions = { match: 'all', rules: [{ field: { name: 'rsi', timeframe: '1h' }, op: 'lt', value: 30 }] };
  const judged = { ...config, exit: { ...config.exit, conditions } } as never;
  expect(code(() => runTickBacktest({ records: tape, config: judged }))).toBe('OTHER_CONDITIONS');
});

test('over a halt with a jump other settings have no owner to ask: what is held ends at its cost, and orders of before are void', () => {
  const pause = START + 20 * STEP + 3_600_000;
  const [before, after] = [Array.from({ length: 20 }, () => 10_000), Array.from({ length: 20 }, () => 50_000)];
  const records = [activated(), ...ticks(before), ...ticks(after, pause)];
  const entry = { ...config.entry, trigger: { kind: 'immediate' as const } };
  for (const other of [
    { ...config, entry, cooldown: { ...config.cooldown, afterWinMin: 600 } },
    {
      ...config,
      entry,
      exit: { ...config.exit, order: { ...config.exit.order, type: 'Limit' as const } },
      cooldown: { ...config.cooldown, afterWinMin: 600 },
    },
  ]) {
    const { traces, report } = runTickBacktest({ records, config: other, latencyMs: 50 });
    expect(traces.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(['Entry Immediate', 'Buy Entry', 'Exit PriceJump']);
    expect(report).toMatchObject({ exits: { PriceJump: 1 }, realised: '0', endValue: report.startBalance });
  }
  // As recorded it waits for what its owner did.
  const asked = runTickBacktest({ records: [activated({ config: { ...config, entry } }), ...records.slice(1)] });
  expect(asked.traces.map(({ kind }) => kind)).toEqual(['Entry', 'Buy']);
});
