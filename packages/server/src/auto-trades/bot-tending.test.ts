import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { RunningBot } from './bot-runner.ts';
import { botTending } from './bot-tending.ts';

/** A bot that has one order in flight, or none, and nothing else to look after. */
const bot = (orders: number) =>
  ({
    bot: {
      id: `b${orders}`,
      accountId: 'a',
      config: { entry: { trigger: { kind: 'immediate' } }, exit: {}, coins: { coinFilterIds: [] } },
    },
    inFlight: () => Array.from({ length: orders }, () => ({})),
    unvaluedFees: () => [],
    followFilters: () => undefined,
  }) as unknown as RunningBot;

test('orders in flight are asked for every two minutes, whatever the stream says; an exchange that is away stops nothing', async () => {
  let now = 0;
  const asked: string[] = [];
  const [waiting, idle] = [bot(1), bot(0)];
  const tending = botTending({
    running: new Map([
      ['w', waiting],
      ['i', idle],
    ]),
    conditions: undefined as never,
    coins: undefined as never,
    market: { loaded: true } as never,
    filledAt: undefined as never,
    rateAt: undefined as never,
    expireHalts: () => undefined,
    reconcile: async (each) => {
      asked.push(each.bot.id);
      throw new Error('away');
    },
    now: () => now,
    log: pino({ level: 'silent' }),
  });
  for (const second of [0, 60, 119, 120, 180, 239, 240]) {
    now = second * 1000;
    await tending.round();
  }
  expect(asked).toEqual(['b1', 'b1']);
});
