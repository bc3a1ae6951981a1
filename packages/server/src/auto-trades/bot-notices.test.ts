import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { NAMED_STOP_REFUSALS } from '@pilotfish/core/auto-trades/position/position-resident';
import { NAMED_EXPIRIES } from '@pilotfish/core/auto-trades/position/position-retry';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { botStage, START } from '@pilotfish/core/testing/bot-stage';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import { type Fate, NORMAL } from '@pilotfish/core/testing/test-exchange';
import { expect, test } from 'vitest';
import type { Notice } from '../notifications/notifier.ts';
import { botNotices } from './bot-notices.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOT_PERMITTED = { code: '-2010', detail: 'This symbol is not permitted for this account.' };
const ID = 'bot';
const IMMEDIATE = {
  entry: {
    size: { mode: 'fixed', value: '100' },
    trigger: { kind: 'immediate' },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
  },
  cooldown: { afterWinMin: 0, afterLossMin: 0, scope: 'coin' },
  maxOpenPositions: 3,
} as const;

/** What a bot with the notices of a new one tells while the exchange refuses the orders for which `said` has an answer. */
async function toldBy(
  said: (order: { readonly side: string }) => Fate['said'],
  { symbols = ['BTCUSDT'], minutes = 30, priceAt = (_at: number): number => 1000 } = {},
) {
  const config = botConfig({ ...IMMEDIATE, coins: { symbols } });
  const pairs = symbols.map((symbol) => ({ ...btcusdt, symbol }));
  const bot = botStage(config, {
    pairs,
    fateOf: (order) => {
      const answer = said(order);
      return answer ? { ...NORMAL, kind: 'refused', said: answer } : NORMAL;
    },
  });
  const sent: Pick<Notice, 'code' | 'facts' | 'key'>[] = [];
  let now = START;
  const nothing = { selectFrom: () => nothing, select: () => nothing, where: () => nothing, executeTakeFirst: async () => undefined };
  const notices = botNotices({
    database: {} as never,
    notifier: {
      enqueue: async (_queries: unknown, { code, facts, key }: Notice) => {
        if (sent.some((known) => known.key === key)) return false;
        sent.push({ code, facts, key });
        return true;
      },
    } as never,
    now: () => now,
  });
  let written = 0;
  for (let at = START; at < START + minutes * MINUTE; at += 20_000) {
    now = at;
    for (const symbol of symbols) bot.tick(priceAt(at), at, symbol);
    for (const { symbol, context } of bot.steps.slice(written)) {
      const traces: StoredTrace[] = [];
      const logs: AutoTradeLog[] = [];
      for (const effect of context.effects) {
        const id = `${context.positionId}:${traces.length + logs.length}:${effect.kind}`;
        if (effect.kind === 'trace') traces.push({ ...effect.trace, seq: 0, id, recordedAt: '' });
        if (effect.kind === 'log') logs.push({ ...effect, facts: { ...effect.facts }, id, at: '', positionId: null, symbol });
      }
      const step = { accountId: 'a', autoTradeId: ID, config, currency: 'USDT', pricePrecision: 2, traces, logs };
      await notices.steps([step], nothing as never);
    }
    written = bot.steps.length;
  }
  return { sent, bot, codes: sent.map(({ code }) => code) };
}

test('of entries that are refused again and again the first and the pause are told, with what the exchange says', async () => {
  const { sent, codes, bot } = await toldBy(() => NOT_PERMITTED);
  expect(codes).toEqual(['bot-entry', 'bot-entry-refused', 'bot-coin-paused']);
  expect(sent[1]!.facts).toMatchObject({ bot: 'Dip', symbol: 'BTCUSDT', reason: NOT_PERMITTED.detail });
  const untilAt = bot.engine.inspect('BTCUSDT')!.gate.coinPause!.until;
  expect(sent[2]!.facts).toEqual({ bot: 'Dip', symbol: 'BTCUSDT', reason: NOT_PERMITTED.detail, untilAt });
});

test('tries after the pause that are refused equally tell nothing more, on the next day neither', async () => {
  const { codes, bot } = await toldBy(() => ({ code: 'SLIPPAGE' }), { minutes: 180 });
  expect(bot.placed.length).toBeGreaterThan(5);
  expect(codes).toEqual(['bot-entry', 'bot-entry-refused', 'bot-coin-paused']);
});

test('reasons that alternate are one row: what refused first is told, and the pause', async () => {
  let orders = 0;
  const { codes } = await toldBy(() => {
    orders += 1;
    return orders % 2 === 0 ? NOT_PERMITTED : { code: '-1013', detail: 'Filter failure: UNKNOWN' };
  });
  expect(codes).toEqual(['bot-entry', 'bot-entry-refused', 'bot-coin-paused']);
});

test('a code of ours is told by its text', async () => {
  const { sent } = await toldBy(() => ({ code: 'SLIPPAGE' }));
  expect(sent.slice(1).map(({ facts }) => facts)).toMatchObject([
    { reasonKey: 'botReasons.refused-SLIPPAGE' },
    { reasonKey: 'botReasons.refused-SLIPPAGE' },
  ]);
});

test('of many coins that are refused for one reason one is told a day', async () => {
  const { sent } = await toldBy(() => NOT_PERMITTED, { symbols: ['AUSDT', 'BUSDT', 'CUSDT'] });
  const others = sent.filter(({ code }) => code !== 'bot-entry');
  expect(others.map(({ code }) => code)).toEqual(['bot-entry-refused', 'bot-coin-paused']);
  expect(others.every(({ key }) => key.includes(`:${Math.floor(START / DAY)}:`))).toBe(true);
});

test('an entry that is bought after a refusal is told by what is bought', async () => {
  let orders = 0;
  const { codes, bot } = await toldBy(() => {
    orders += 1;
    return orders === 1 ? NOT_PERMITTED : undefined;
  });
  expect(bot.state()).not.toBe('watching');
  expect(codes).toEqual(['bot-entry', 'bot-entry-refused']);
});

test('a stop that is refused is as loud as ever', async () => {
  const { codes } = await toldBy(({ side }) => (side === 'Sell' ? NOT_PERMITTED : undefined), {
    priceAt: (at) => (at < START + MINUTE ? 1000 : 900),
  });
  expect(codes).toEqual(['bot-entry', 'bot-attention']);
});

test('a sale that is not filled is told once, and again when the bot gives it up, with what the exchange says', async () => {
  const sent = new Map<string, Notice>();
  const enqueue = async (_queries: unknown, notice: Notice) => void sent.set(notice.key, notice);
  const nothing = { selectFrom: () => nothing, select: () => nothing, where: () => nothing, executeTakeFirst: async () => undefined };
  const notices = botNotices({ database: {} as never, notifier: { enqueue } as never, now: () => START });
  const line = { at: '', positionId: 'p', symbol: 'BTCUSDT', level: 'warning' as const };
  const [thin, other] = ['INSUFFICIENT_LIQUIDITY', 'EXCHANGE_CANCELED'];
  const logs: AutoTradeLog[] = [
    { ...line, id: '1', code: 'SALE_UNFILLED', facts: { reason: thin, tries: 1 } },
    { ...line, id: '2', code: 'SALE_UNFILLED', facts: { reason: thin, tries: 2 } },
    { ...line, id: '3', code: 'NEEDS_ATTENTION', facts: { code: other, tries: 21 } },
    { ...line, id: '4', code: 'NEEDS_ATTENTION', facts: { code: '-2010' } },
  ];
  const step = { accountId: 'a', autoTradeId: ID, config: botConfig(), currency: 'USDT', pricePrecision: 2, traces: [], logs };
  await notices.steps([step], nothing as never);
  expect([...sent.values()].map(({ code, facts: { reason, reasonKey } }) => [code, reasonKey ?? reason])).toEqual([
    ['bot-sale-unfilled', 'errors.INSUFFICIENT_LIQUIDITY.title'],
    ['bot-sale-given-up', other],
    ['bot-attention', undefined],
  ]);
  for (const { errors } of [en, tr]) expect(Object.keys(errors)).toEqual(expect.arrayContaining([...NAMED_EXPIRIES]));
});

test.each([
  ['PROTECTIVE_STOP_REFUSED', 'bot-stop-refused'],
  ['PROTECTIVE_STOPS_OVER', 'bot-stops-over'],
])('%s of a position is notified once', async (code, told) => {
  const sent = new Map<string, Notice>();
  const enqueue = async (_queries: unknown, notice: Notice) => void sent.set(notice.key, notice);
  const nothing = { selectFrom: () => nothing, select: () => nothing, where: () => nothing, executeTakeFirst: async () => undefined };
  const notices = botNotices({ database: {} as never, notifier: { enqueue } as never, now: () => START });
  const line = { at: '', positionId: 'p', symbol: 'BTCUSDT', code, level: 'warning' as const, facts: { code: 'TOO_SMALL' } };
  const logs = ['1', '2'].map((id) => ({ ...line, id }));
  const step = { accountId: 'a', autoTradeId: ID, config: botConfig(), currency: 'USDT', pricePrecision: 2, traces: [], logs };
  await notices.steps([step], nothing as never);
  expect([...sent.values()].map((notice) => notice.code)).toEqual([told]);
});

test('a stop that is refused for a reason with words is told in them, in both languages', async () => {
  for (const { stopReasons } of [en, tr]) expect(new Set(Object.keys(stopReasons))).toEqual(NAMED_STOP_REFUSALS);
  const sent: Notice[] = [];
  const nothing = { selectFrom: () => nothing, select: () => nothing, where: () => nothing, executeTakeFirst: async () => undefined };
  const enqueue = async (_queries: unknown, notice: Notice) => void sent.push(notice);
  const notices = botNotices({ database: {} as never, notifier: { enqueue } as never, now: () => START });
  const line = { at: '', positionId: 'p', symbol: 'BTCUSDT', code: 'PROTECTIVE_STOP_REFUSED', level: 'warning' as const };
  const logs = ['TOO_SMALL', '-1013 LOT_SIZE'].map((code) => ({ ...line, id: code, facts: { code } }));
  const step = { accountId: 'a', autoTradeId: ID, config: botConfig(), currency: 'USDT', pricePrecision: 2, traces: [], logs };
  await notices.steps([step], nothing as never);
  expect(sent.map(({ facts }) => facts)).toMatchObject([{ reasonKey: 'stopReasons.TOO_SMALL' }, { reason: '-1013 LOT_SIZE' }]);
});

test('words of the exchange without a full stop do not run into the next sentence', async () => {
  const { sent } = await toldBy(() => ({ code: '-1013', detail: 'Filter failure: LOT_SIZE' }));
  expect(sent.slice(1).map(({ facts }) => facts.reason)).toEqual(['Filter failure: LOT_SIZE.', 'Filter failure: LOT_SIZE.']);
});
