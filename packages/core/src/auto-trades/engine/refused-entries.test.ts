import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { type BotStage, botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { type Fate, NORMAL } from '../../../testing/test-exchange.ts';
import { explain } from '../explain.ts';
import { REFUSED } from '../position/position-refusals.ts';
import type { OrderInFlight } from '../position/position-state.ts';
import { newAutoTradeContext } from './auto-trade-machine.ts';
import { replayTape } from './tape.ts';

// The exchange refuses every entry of a coin: the bot asks a few times, says why, and leaves the coin alone.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOT_PERMITTED = { code: '-2010', detail: 'This symbol is not permitted for this account.' };
const UNKNOWN_FILTER = { code: '-1013', detail: 'Filter failure: MAX_NUM_OF_SOMETHING' };
const refuse = (said: NonNullable<Fate['said']>): Fate => ({ ...NORMAL, kind: 'refused', said });
const CONFIG = botConfig({
  entry: {
    size: { mode: 'fixed', value: '1000' },
    trigger: { kind: 'immediate' },
    trailing: { enabled: false },
    order: { type: 'Market' },
    maxSpreadPct: '5',
  },
  cooldown: { afterWinMin: 0, afterLossMin: 0, scope: 'coin' },
});
const ethusdt = { ...btcusdt, symbol: 'ETHUSDT', baseAsset: 'ETH' };

/** Prices of a coin, ten seconds apart; answers when the last of them was. */
function pass(bot: BotStage, from: number, ms: number, symbols: readonly string[] = ['BTCUSDT']): number {
  for (let at = from; at < from + ms; at += 10_000) for (const symbol of symbols) bot.tick(symbol === 'BTCUSDT' ? 1000 : 100, at, symbol);
  return from + ms;
}
const why = (bot: BotStage, symbol = 'BTCUSDT') =>
  explain(bot.engine.inspect(symbol)!, { state: 'running', context: newAutoTradeContext, pairStatus: 'TRADING' });
const pauseOf = (bot: BotStage) => bot.engine.inspect('BTCUSDT')!.gate.coinPause;
const lines = (bot: BotStage) => bot.logs.filter(({ code }) => code === 'ENTRIES_REFUSED');
/** An exchange that says something to each order by its number, from 1. */
const numbered = (fateOf: (number: number, order: OrderInFlight) => Fate) => {
  let number = 0;
  return (order: OrderInFlight): Fate => {
    number += 1;
    return fateOf(number, order);
  };
};
const buysOf = (bot: BotStage) => bot.placed.filter(({ side }) => side === 'Buy');
const refusing = (said = NOT_PERMITTED) => botStage(CONFIG, { fateOf: () => refuse(said) });

test('three equal refusals pause the coin, with the words of the exchange, for a day; other coins go on', () => {
  const isBtc = ({ quantity }: OrderInFlight) => Number(quantity) < 5;
  const bot = botStage(botConfig({ ...CONFIG, coins: { symbols: ['BTCUSDT', 'ETHUSDT'] } }), {
    pairs: [btcusdt, ethusdt],
    fateOf: (order) => (isBtc(order) ? refuse(NOT_PERMITTED) : NORMAL),
  });
  pass(bot, START, 30 * MINUTE, ['BTCUSDT', 'ETHUSDT']);
  expect(bot.placed.filter(isBtc)).toHaveLength(3);
  expect(bot.state('ETHUSDT')).not.toBe('watching');
  const last = bot.placed.filter(isBtc)[2]!.placedAt;
  const until = new Date(last + 24 * HOUR).toISOString();
  expect(pauseOf(bot)).toEqual({ reason: 'refused', detail: NOT_PERMITTED.detail, until: last + 24 * HOUR });
  expect(lines(bot)).toEqual([{ code: 'ENTRIES_REFUSED', symbol: 'BTCUSDT', facts: { ...NOT_PERMITTED, until } }]);
  const evaluation = why(bot);
  expect(evaluation).toMatchObject({
    stoppedBy: 'coin-not-paused',
    waitsFor: { code: 'refused', at: until, detail: NOT_PERMITTED.detail },
  });
  expect(evaluation.rules.filter(({ pass: holds }) => !holds)).toEqual([
    { rule: 'coin-not-paused', observed: 'refused', limit: until, pass: false, detail: NOT_PERMITTED.detail },
  ]);
  expect(bot.engine.enter('BTCUSDT')).toMatchObject({ ok: false, rule: 'coin-not-paused' });
});

test.each([
  ['none', CONFIG, 1],
  ['of the bot', botConfig({ ...CONFIG, cooldown: { afterWinMin: 1, afterLossMin: 1, scope: 'bot' } }), 2],
] as const)('at once after the third refusal it does not say that it cools down; cooldown: %s', (_, config, failing) => {
  const bot = botStage(config, { fateOf: () => refuse(NOT_PERMITTED) });
  let at = START;
  while (!pauseOf(bot) && at < START + HOUR) {
    at += 1000;
    bot.tick(1000, at);
  }
  expect(bot.placed).toHaveLength(3);
  expect(why(bot)).toMatchObject({ stoppedBy: 'coin-not-paused', waitsFor: { code: 'refused' } });
  expect(why(bot).rules.filter(({ pass: holds }) => !holds)).toHaveLength(failing);
});

test('one more try follows the pause; refused equally, the coin pauses again and warns of nothing', () => {
  const bot = refusing();
  const first = pass(bot, START, 5 * MINUTE);
  bot.tick(1000, first + 24 * HOUR);
  pass(bot, first + 24 * HOUR + 1000, 30 * MINUTE);
  expect(bot.placed).toHaveLength(4);
  expect(pauseOf(bot)!.until).toBe(bot.placed[3]!.placedAt + 24 * HOUR);
  const levels = bot.steps.flatMap(({ context }) =>
    context.effects.flatMap((effect) => (effect.kind === 'log' && effect.code === 'ENTRIES_REFUSED' ? effect.level : [])),
  );
  expect([levels, bot.ends]).toEqual([['warning', 'info'], []]);
});

test('a restart keeps the row of refusals and the pause, and the tape gives the same rows', () => {
  const [through, bot] = [refusing(), refusing()];
  let at = pass(bot, START, 90_000);
  expect(bot.placed).toHaveLength(2);
  bot.restart();
  at = pass(bot, at, 5 * MINUTE);
  pass(through, START, 90_000 + 5 * MINUTE);
  expect(bot.placed).toHaveLength(3);
  const pause = pauseOf(bot);
  expect(pause).toEqual(pauseOf(through));
  bot.restart();
  pass(bot, at, 30 * MINUTE);
  expect(bot.placed).toHaveLength(3);
  expect(pauseOf(bot)).toEqual(pause);
  expect(replayTape(JSON.parse(JSON.stringify(through.tape)))).toEqual(through.traces);
  expect(through.traces.filter(({ kind }) => kind === 'Exit').map(({ after }) => after)).toMatchObject(
    ['1', '2', '3'].map((refusals) => ({ ...NOT_PERMITTED, refusals })),
  );
});

test('reasons that alternate end after five', () => {
  const bot = botStage(CONFIG, { fateOf: numbered((number) => refuse(number % 2 === 0 ? NOT_PERMITTED : UNKNOWN_FILTER)) });
  pass(bot, START, 30 * MINUTE);
  expect(bot.placed).toHaveLength(5);
  expect(lines(bot)).toHaveLength(1);
});

test.each([
  ['new settings', (bot: BotStage, at: number) => bot.tell({ type: 'settings', config: CONFIG, version: 2, applyToOpen: false, at })],
  [
    'changed filters',
    (bot: BotStage, at: number) => {
      const pair = { ...btcusdt, filters: { ...btcusdt.filters, minNotional: '6' } };
      bot.tell({ type: 'coins', symbols: ['BTCUSDT'], pairs: [pair], at });
    },
  ],
  ['its owner', (bot: BotStage, at: number) => bot.tell({ type: 'pauseCoin', symbol: 'BTCUSDT', until: at, reason: REFUSED, at })],
])('%s end the pause and its row, also for a restart', (_, change) => {
  const bot = refusing();
  const at = pass(bot, START, 5 * MINUTE);
  bot.restart();
  expect(pauseOf(bot)).not.toBeNull();
  change(bot, at);
  expect([pauseOf(bot), bot.context().refused]).toEqual([null, null]);
  bot.restart();
  expect([pauseOf(bot), bot.context().refused]).toEqual([null, null]);
  pass(bot, at, 30 * MINUTE);
  expect(bot.placed).toHaveLength(6);
  expect(replayTape(JSON.parse(JSON.stringify(bot.tape)))).toEqual(bot.traces);
});

test('new settings that are there before a restart end it, too', () => {
  const bot = refusing();
  const at = pass(bot, START, 5 * MINUTE);
  bot.tell({ type: 'settings', config: CONFIG, version: 2, applyToOpen: true, at });
  bot.restart();
  expect(pauseOf(bot)).toBeNull();
});

test('a pair that is told again as it was changes nothing, and letting a halted coin go neither', () => {
  const bot = refusing();
  const at = pass(bot, START, 5 * MINUTE);
  const paused = pauseOf(bot);
  bot.tell({ type: 'coins', symbols: ['BTCUSDT'], pairs: [{ ...btcusdt }], at });
  bot.tell({ type: 'pauseCoin', symbol: 'BTCUSDT', until: at + 48 * HOUR, reason: 'halt', at });
  expect(pauseOf(bot)).toEqual({ reason: 'halt', until: at + 48 * HOUR });
  bot.tell({ type: 'pauseCoin', symbol: 'BTCUSDT', until: at, reason: 'halt', at });
  bot.tick(1000, at);
  expect(pauseOf(bot)).toEqual(paused);
});

test('a buy that fills ends the row', () => {
  const bot = botStage(CONFIG, {
    fateOf: (order) => (order.side === 'Buy' && buysOf(bot).length !== 3 ? refuse(NOT_PERMITTED) : NORMAL),
  });
  const at = pass(bot, START, 5 * MINUTE);
  expect([bot.state(), bot.context().refused]).toEqual(['open', null]);
  bot.tick(900, at);
  const after = pass(bot, at + 1000, 90_000);
  expect([bot.kinds().includes('Exit StopLoss'), buysOf(bot).length, pauseOf(bot)]).toEqual([true, 5, null]);
  pass(bot, after, 30 * MINUTE);
  expect(buysOf(bot)).toHaveLength(6);
});

test('an order that rested was taken: it ends the row, too', () => {
  const entry = { ...CONFIG.entry, order: { type: 'Limit', offsetPct: '5', timeoutSec: 5, onTimeout: 'cancel' } } as const;
  const bot = botStage(botConfig({ ...CONFIG, entry }), { fateOf: numbered((number) => (number === 3 ? NORMAL : refuse(NOT_PERMITTED))) });
  pass(bot, START, 30 * MINUTE);
  expect(bot.placed).toHaveLength(6);
});

test('new settings for what is open end the row of an entry that is on its way', () => {
  const bot = refusing();
  const at = pass(bot, START, 70_000);
  expect([bot.state(), bot.context().refused?.total]).toEqual(['entryPending', 1]);
  bot.tell({ type: 'settings', config: CONFIG, version: 2, applyToOpen: true, at });
  bot.tick(1000, at + 10_000);
  expect([bot.state(), bot.context().refused?.total]).toEqual(['watching', 1]);
});

test.each([
  ['SLIPPAGE', 'refused-SLIPPAGE', 10 * MINUTE],
  ['403', 'refused', 10 * MINUTE],
  ['-2010 INSUFFICIENT_BALANCE', 'refused', 10 * MINUTE],
  ['-1013 PRICE_FILTER', 'refused', 24 * HOUR],
] as const)('%s pauses for as long as it may last', (code, reason, length) => {
  const bot = botStage(CONFIG, { fateOf: () => refuse({ code }) });
  pass(bot, START, 10 * MINUTE);
  expect(bot.placed).toHaveLength(3);
  expect(pauseOf(bot)).toMatchObject({ reason, until: bot.placed[2]!.placedAt + length });
});

test.each(['HALTED', 'LATE', 'ABSENT', 'WITHDRAWN', 'COIN_HALTED', 'STORAGE_FULL', '-2015'])(
  '%s says nothing of the next entry',
  (code) => {
    const bot = botStage(CONFIG, { fateOf: () => refuse({ code }) });
    pass(bot, START, 10 * MINUTE);
    expect(bot.placed.length).toBeGreaterThan(5);
    expect([pauseOf(bot), bot.context().refused]).toEqual([null, null]);
  },
);

test.each([
  ['while it runs', (bot: BotStage, at: number) => bot.tell({ type: 'settings', config: CONFIG, version: 2, applyToOpen: false, at })],
  [
    'with a restart, as a server does',
    (bot: BotStage, at: number) => {
      bot.tell({ type: 'settings', config: CONFIG, version: 2, applyToOpen: false, at });
      bot.restart();
    },
  ],
])('new settings %s while a third entry is in flight: its refusal announces no pause', (_, change) => {
  const bot = refusing();
  const at = pass(bot, START, 130_000);
  expect([bot.placed.length, bot.state(), bot.context().refused?.total]).toEqual([3, 'entryPending', 2]);
  change(bot, at);
  bot.tick(1000, at + 10_000);
  expect([bot.state(), pauseOf(bot), lines(bot)]).toEqual(['watching', null, []]);
  expect(bot.traces.at(-1)?.after).toMatchObject({ refusals: '1' });
});

test.each(['coin', 'bot'] as const)('a pause that its owner ends leaves the cooldown of a %s, also after a restart', (scope) => {
  const minutes = { afterWinMin: 120, afterLossMin: 120 };
  const config = botConfig({ ...CONFIG, coins: { symbols: ['BTCUSDT', 'ETHUSDT'] }, cooldown: { ...minutes, scope } });
  const bot = botStage(config, {
    pairs: [btcusdt, ethusdt],
    fateOf: ({ quantity }) => (Number(quantity) < 5 ? refuse({ code: 'SLIPPAGE' }) : NORMAL),
  });
  const entered = (symbol: string) => bot.traces.filter((trace) => trace.kind === 'Entry' && trace.symbol === symbol).length;
  const at = pass(bot, START, MINUTE);
  expect([bot.state(), bot.context().refused?.total, entered('BTCUSDT')]).toEqual(['watching', 1, 1]);
  bot.tell({ type: 'pauseCoin', symbol: 'BTCUSDT', until: at, reason: REFUSED, at });
  const { cooldownUntil } = bot.engine.inspect('BTCUSDT')!;
  expect(cooldownUntil).toBeGreaterThan(at + 118 * MINUTE);
  bot.restart();
  expect([bot.engine.inspect('BTCUSDT')!.cooldownUntil, bot.context().refused]).toEqual([cooldownUntil, null]);
  pass(bot, at, 118 * MINUTE, ['BTCUSDT', 'ETHUSDT']);
  expect([entered('BTCUSDT'), entered('ETHUSDT')]).toEqual([1, scope === 'coin' ? 1 : 0]);
  bot.restart();
  pass(bot, at + 118 * MINUTE, 5 * MINUTE, ['BTCUSDT']);
  expect(entered('BTCUSDT')).toBe(2);
  expect(replayTape(JSON.parse(JSON.stringify(bot.tape)))).toEqual(bot.traces);
});

test.each([
  ['another cooldown in the settings ends the one that runs', 0, 2],
  ['one of the same length does not', 120, 1],
] as const)('%s', (_, minutes, entries) => {
  const cooldown = { ...CONFIG.cooldown, afterWinMin: 120, afterLossMin: 120 };
  const bot = botStage(botConfig({ ...CONFIG, cooldown }), { fateOf: () => refuse({ code: 'SLIPPAGE' }) });
  const at = pass(bot, START, MINUTE);
  const config = botConfig({ ...CONFIG, cooldown: { ...cooldown, afterWinMin: minutes, afterLossMin: minutes } });
  bot.tell({ type: 'settings', config, version: 2, applyToOpen: false, at });
  pass(bot, at, 30_000);
  expect(bot.placed).toHaveLength(entries);
});

/** What a server activates the bot with after it was off, and the exchange changed the rules of the pair meanwhile. */
const finerSteps = { ...btcusdt, filters: { ...btcusdt.filters, stepSize: '0.000001' } };

test('rules of the pair that changed while the server was off end the pause', () => {
  const bot = refusing();
  const at = pass(bot, START, 5 * MINUTE);
  expect(pauseOf(bot)).not.toBeNull();
  bot.relist({ ...btcusdt, status: 'BREAK' });
  bot.restart();
  expect(pauseOf(bot)).not.toBeNull();
  bot.relist(finerSteps);
  bot.restart();
  expect([pauseOf(bot), bot.context().refused]).toEqual([null, null]);
  pass(bot, at, 10 * MINUTE);
  expect([bot.placed.length, pauseOf(bot)]).toEqual([6, expect.objectContaining({ reason: 'refused' })]);
  const pause = pauseOf(bot);
  bot.restart();
  expect(pauseOf(bot)).toEqual(pause);
});

test('rules that changed while the server was off end the row of an entry that is in flight', () => {
  const bot = refusing();
  const at = pass(bot, START, 130_000);
  expect([bot.state(), bot.context().refused?.total]).toEqual(['entryPending', 2]);
  bot.relist(finerSteps);
  bot.restart();
  bot.tick(1000, at + 10_000);
  expect([bot.state(), pauseOf(bot), lines(bot)]).toEqual(['watching', null, []]);
});

test('a pause from before refusals knew the rules of their pair goes on after a restart', () => {
  const bot = refusing();
  pass(bot, START, 5 * MINUTE);
  const pause = pauseOf(bot);
  for (const { context } of bot.steps) delete (context.refused as { rules?: string } | null)?.rules;
  bot.relist(finerSteps);
  bot.restart();
  expect(pauseOf(bot)).toEqual(pause);
});

test.each(['-1013 NOTIONAL', '-1013 MIN_NOTIONAL'])('%s of a market buy passes: the average that values it follows the price', (code) => {
  const bot = botStage(CONFIG, { fateOf: () => refuse({ code, detail: `Filter failure: ${code.slice(6)}` }) });
  pass(bot, START, 5 * MINUTE);
  expect(pauseOf(bot)!.until - bot.placed[2]!.placedAt).toBe(10 * MINUTE);
});
