import { type AutoTradeConfigInput, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { replayTape, type TapeRecord } from '@pilotfish/core/auto-trades/engine/tape';
import { orderPrefixFor, positionIdFor } from '@pilotfish/core/auto-trades/position/position-ids';
import { newPosition } from '@pilotfish/core/auto-trades/position/position-state';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterTransfer, emptySums } from '@pilotfish/core/wallets/wallet-book';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Tick } from '../market/symbol-feed.ts';
import { type BotParts, type BotStart, runBot } from './bot-runner.ts';
import type { StepRecord } from './step-writer.ts';
import { unlistedPair } from './unlisted-pair.ts';

const ID = '01890000-0000-7000-8000-000000000001';
const ethusdt: Pair = { ...btcusdt, symbol: 'ETHUSDT', baseAsset: 'ETH' };

/** A bot over a market whose pairs are those of `listed`, and what it was told and decided. */
function stage(over: Partial<AutoTradeConfigInput>, start: Partial<BotStart> = {}) {
  const listed = new Map<string, Pair>([['BTCUSDT', btcusdt]]);
  const watched = new Map<string, (tick: Tick) => void>();
  const tape: TapeRecord[] = [];
  const steps: StepRecord[] = [];
  let unread = false;
  let readings = 0;
  const config = autoTradeConfigSchema.parse({
    name: 'Bot',
    walletId: ID,
    coins: { symbols: ['BTCUSDT'] },
    entry: { size: { mode: 'fixed', value: '1000' }, trigger: { kind: 'manual' }, order: { type: 'Market' }, maxSpreadPct: '5' },
    stopLoss: { mode: 'none' },
    ...over,
  });
  const row = { id: ID, accountId: ID, walletId: ID, name: 'Bot', state: 'running' as const, context: newAutoTradeContext, config };
  const bot = runBot(
    {
      bot: { ...row, configVersion: 1, takerFees: {}, createdAt: 0, updatedAt: 0 },
      wallet: { id: ID, currency: 'USDT', reservePct: '0', sums: afterTransfer(emptySums, '5000') },
      walletMode: 'paper',
      accountKey: `paper:${ID}`,
      takerFee: '0.001',
      pairs: [btcusdt],
      coins: ['BTCUSDT'],
      forbidden: [],
      positions: [],
      awaitingFees: [],
      configs: new Map([[1, config]]),
      lastSeq: 0,
      orderPrefix: orderPrefixFor('test00', '0000000000000'),
      history: [],
      pauses: [],
      ...start,
    },
    {
      timers: realTimers,
      holdings: undefined as never,
      market: {
        asOf: 5000,
        pair: (symbol: string) => listed.get(symbol),
        readPairs: async () => {
          readings += 1;
        },
        watch: (symbol: string, hears: (tick: Tick) => void) => {
          watched.set(symbol, hears);
          return () => void watched.delete(symbol);
        },
      } as unknown as BotParts['market'],
      highs: {
        join: async () => {
          if (unread) throw new Error('no candles yet');
          return { window: { high: 1000, entries: () => [] }, leave: () => undefined };
        },
      } as unknown as BotParts['highs'],
      writer: { push: (record) => void steps.push(record), settled: async () => undefined },
      now: () => 0,
      log: pino({ level: 'silent' }),
      onProtection: () => undefined,
      onProtectionWarning: () => undefined,
      onPauseEnded: () => undefined,
      tape: (record) => void tape.push(record),
    },
  );
  const traces = () =>
    steps.flatMap(({ step }) => step.context.effects.flatMap((effect) => (effect.kind === 'trace' ? [effect.trace] : [])));
  return {
    bot,
    listed,
    watched,
    tape,
    steps,
    traces,
    /** How often the pairs were asked for. */
    readings: () => readings,
    /** Whether the history of a coin cannot be read. */
    failing: (value: boolean) => {
      unread = value;
    },
    /** What the tape gives when it is told again is what was decided. */
    expectReplayed: () => {
      expect(replayTape(tape).map(({ seq: _seq, ...trace }) => trace)).toEqual(traces());
    },
  };
}

test('a bot plans by the filters that the exchange has now, and its tape knows of the change', async () => {
  const { bot, listed, tape, steps } = stage({});
  await bot.begin();
  bot.observe('BTCUSDT', { at: 5000, price: 1003, bid: 1002.5, ask: 1003.5 });
  // The next reading of the exchange's pairs brings the same again: nothing is told.
  listed.set('BTCUSDT', structuredClone(btcusdt));
  const told = tape.length;
  await bot.followPairs();
  expect(tape).toHaveLength(told);
  const pair = { ...btcusdt, filters: { ...btcusdt.filters, stepSize: '0.01', minQty: '0.01' } };
  listed.set('BTCUSDT', pair);
  await bot.followPairs();
  await bot.followPairs();
  expect(tape.slice(told)).toEqual([{ type: 'coins', symbols: ['BTCUSDT'], pairs: [pair], at: 5000 }]);
  expect(bot.enter('BTCUSDT')).toEqual({ ok: true });
  expect(steps.at(-1)?.step.context.order?.quantity).toBe('0.99');
});

test('a coin that comes later is entered by its own fee, which is on the tape once', async () => {
  const { bot, listed, tape, steps, expectReplayed } = stage({ coins: { symbols: [], coinFilterIds: [ID] }, maxOpenPositions: 2 });
  await bot.begin();
  listed.set('ETHUSDT', ethusdt);
  expect(bot.setTakerFees({ ETHUSDT: '0' })).toEqual({ ETHUSDT: '0' });
  expect(bot.setTakerFees({ ETHUSDT: '0' })).toBeUndefined();
  await bot.setCoins(['BTCUSDT', 'ETHUSDT']);
  const feeOf = (symbol: string) => {
    bot.observe(symbol, { at: 5000, price: 1003, bid: 1002.5, ask: 1003.5 });
    expect(bot.enter(symbol)).toEqual({ ok: true });
    return steps.at(-1)?.step.context.settings.takerFee;
  };
  expect([feeOf('ETHUSDT'), feeOf('BTCUSDT')]).toEqual(['0', '0.001']);
  expect(tape.filter(({ type }) => type === 'takerFees')).toEqual([{ type: 'takerFees', takerFees: { ETHUSDT: '0' } }]);
  expectReplayed();
});

test('a coin that the exchange does not trade now is not entered by hand, which is told with the reason; the next try knows more', async () => {
  const { bot, listed, tape, steps, readings } = stage({});
  await bot.begin();
  bot.observe('BTCUSDT', { at: 5000, price: 1003, bid: 1002.5, ask: 1003.5 });
  listed.set('BTCUSDT', { ...btcusdt, status: 'HALT' });
  const [taped, stepped] = [tape.length, steps.length];
  expect(bot.enter('BTCUSDT')).toEqual({ ok: false, rule: 'coin-trading', observed: 'HALT', limit: null });
  expect(bot.evaluation('BTCUSDT')?.rules[0]).toEqual({ rule: 'coin-trading', observed: 'HALT', limit: null, pass: false });
  expect([tape.length, steps.length, readings()]).toEqual([taped, stepped, 1]);
  listed.set('BTCUSDT', btcusdt);
  expect(bot.enter('BTCUSDT')).toEqual({ ok: true });
  expect(readings()).toBe(1);
});

const immediate = {
  size: { mode: 'fixed', value: '1000' },
  trailing: { enabled: false },
  order: { type: 'Market' },
  maxSpreadPct: '5',
} as const;
const tick = (price: number, at = 6000): Tick => ({ at, price, bid: price - 0.5, ask: price + 0.5 }) as Tick;

test('a coin that is first listed while its bot is at work is followed and entered, at its place in the settings', async () => {
  const entry = { ...immediate, trigger: { kind: 'immediate' } } as const;
  const { bot, listed, watched, tape, traces, expectReplayed } = stage({ coins: { symbols: ['ETHUSDT', 'BTCUSDT'] }, entry });
  await bot.begin();
  expect([...watched.keys()]).toEqual(['BTCUSDT']);
  await bot.followPairs();
  expect(bot.coins()).toEqual(['BTCUSDT']);
  listed.set('ETHUSDT', ethusdt);
  await bot.followPairs();
  expect([bot.coins(), [...watched.keys()]]).toEqual([
    ['ETHUSDT', 'BTCUSDT'],
    ['BTCUSDT', 'ETHUSDT'],
  ]);
  const told = tape.length;
  await bot.followPairs();
  expect(tape).toHaveLength(told);
  watched.get('ETHUSDT')!(tick(1000));
  expect(traces()).toMatchObject([{ kind: 'Entry', symbol: 'ETHUSDT' }]);
  expectReplayed();
});

test('one whose history cannot be read yet is followed when it can', async () => {
  const entry = { ...immediate, trigger: { kind: 'drop', dropPct: '3', lookbackMin: 60 } } as const;
  const { bot, listed, watched, failing } = stage({ coins: { symbols: ['BTCUSDT', 'ETHUSDT'] }, entry });
  await bot.begin();
  listed.set('ETHUSDT', ethusdt);
  failing(true);
  await bot.followPairs();
  expect([...watched.keys()]).toEqual(['BTCUSDT']);
  failing(false);
  await bot.followPairs();
  expect([...watched.keys()]).toEqual(['BTCUSDT', 'ETHUSDT']);
  bot.stop();
  expect([...watched.keys()]).toEqual([]);
});

test('a position whose coin is listed again has its exits back, by the rules that its pair has now', async () => {
  const over: Partial<AutoTradeConfigInput> = {
    coins: { symbols: ['ETHUSDT'] },
    entry: { ...immediate, trigger: { kind: 'manual' } },
    stopLoss: { mode: 'percent', pct: '5', confirmSec: 0 },
  };
  const settings = { config: autoTradeConfigSchema.parse({ name: 'Bot', walletId: ID, ...over }), symbol: 'ETHUSDT' } as never;
  const { settings: _settings, effects: _effects, ...watching } = newPosition(settings, 1, positionIdFor(ID, 1, 'ETHUSDT', 1));
  const held = {
    quantity: '1.0005',
    cost: '1000',
    bought: '1.0005',
    spent: '1000',
    firstBuyPrice: '1000',
    stopPrice: '950',
    openedAt: 1,
    lastFillAt: 1,
  };
  const { bot, listed, watched, steps, expectReplayed } = stage(over, {
    pairs: [unlistedPair('ETHUSDT', 'USDT')],
    coins: [],
    positions: [
      {
        id: watching.positionId,
        runNo: 1,
        symbol: 'ETHUSDT',
        number: 1,
        configVersion: 1,
        takerFee: '0.001',
        state: 'open',
        context: { ...watching, ...held },
      },
    ],
  });
  await bot.begin();
  await bot.followPairs();
  expect(watched.size).toBe(0);
  listed.set('ETHUSDT', { ...ethusdt, filters: { ...ethusdt.filters, stepSize: '0.01' } });
  await bot.followPairs();
  expect(bot.coins()).toEqual(['ETHUSDT']);
  watched.get('ETHUSDT')!(tick(940));
  expect(steps.at(-1)?.step).toMatchObject({
    state: 'exitPending',
    context: { order: { purpose: 'exit', quantity: '1' }, exitReason: 'StopLoss' },
  });
  expectReplayed();
});
