import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { type BotStage, botStage, START } from '../../../testing/bot-stage.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import type { Fate } from '../../../testing/test-exchange.ts';
import { runs } from '../../../testing/tiers.ts';
import { grammarViolation } from '../../../testing/trace-grammar.ts';
import { add, compare, decimal, isNegative, multiply, subtract, sum, toText } from '../../money/decimal.ts';
import type { Pair } from '../../prices/prices-contract.ts';
import { walletBalances } from '../../wallets/wallet-book.ts';
import { type AutoTradeConfig, type AutoTradeConfigInput, autoTradeConfigSchema } from '../config/auto-trade-config.ts';
import { explain } from '../explain.ts';
import { type OrderInFlight, ordersInFlight } from '../position/position-state.ts';
import { newAutoTradeContext } from './auto-trade-machine.ts';
import { replayTape, type TapeInput } from './tape.ts';

// The whole engine, every feature at random, on random markets, with an exchange that refuses, delays, repeats itself
// and loses track: what must hold after every input, and on everything that was written.

const coin = (base: string): Pair => ({ ...btcusdt, symbol: `${base}USDT`, baseAsset: base });
const PAIRS = [coin('AAA'), coin('BBB'), coin('CCC')];
const LATE = coin('DDD');

const option = <Value>(...values: Value[]) => fc.constantFrom(...values);
const config: fc.Arbitrary<AutoTradeConfig> = fc
  .record({
    trigger: option<AutoTradeConfigInput['entry']['trigger']>(
      { kind: 'immediate' },
      { kind: 'drop', dropPct: '1', lookbackMin: 30 },
      { kind: 'conditions', rules: { match: 'all', rules: [] } },
      { kind: 'manual' },
    ),
    trailing: fc.boolean(),
    order: option<'Limit' | 'Market'>('Limit', 'Market'),
    exitOrder: option<'Limit' | 'Market'>('Limit', 'Market'),
    onTimeout: option<'cancel' | 'reprice' | 'market'>('cancel', 'reprice', 'market'),
    rebuys: option<AutoTradeConfigInput['rebuys']>(
      {},
      { levels: [{ dropPct: '0.5' }, { dropPct: '1', sizeMultiplier: '1.5' }], minMinutesBetween: 0 },
      { levels: [{ dropPct: '0.4' }], basis: 'avgCost', trailingReboundPct: '0.1', minMinutesBetween: 1 },
      { generator: { count: 3, stepPct: '0.5' }, basis: 'firstBuy' },
    ),
    levels: option(
      [{ gainPct: '1', sellPct: '100' }],
      [
        { gainPct: '0.6', sellPct: '30' },
        { gainPct: '1.5', sellPct: '70' },
      ],
    ),
    line: fc.boolean(),
    onExpiry: option<'rearm' | 'disarm' | 'sellIfProfit'>('rearm', 'disarm', 'sellIfProfit'),
    floor: option<'breakEven' | 'none'>('breakEven', 'none'),
    stop: option<AutoTradeConfigInput['stopLoss']>(
      { mode: 'none' },
      { mode: 'percent', pct: '2' },
      { mode: 'percent', pct: '3', basis: 'firstBuy', confirmSec: 60 },
    ),
    guard: fc.boolean(),
    timeStop: option<AutoTradeConfigInput['timeStop']>(null, { hours: 1 }, { hours: 1, onlyIfGainPctAbove: '0.1' }),
    conditions: fc.boolean(),
    dust: option<'leave' | 'includeInNext'>('leave', 'includeInNext'),
    slots: option(1, 2, 3),
    pickOrder: option<'filterOrder' | 'volume' | 'dropDepth'>('filterOrder', 'volume', 'dropDepth'),
    scope: option<'coin' | 'bot'>('coin', 'bot'),
    btcGuard: fc.boolean(),
  })
  .map((each) =>
    botConfig({
      coins: { symbols: PAIRS.map(({ symbol }) => symbol) },
      maxOpenPositions: each.slots,
      pickOrder: each.pickOrder,
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: each.trigger,
        trailing: { enabled: each.trailing, reboundPct: '0.1', expiryMin: 30, maxChasePct: '1' },
        order: { type: each.order, onTimeout: each.onTimeout, timeoutSec: 60, maxReprices: 2 },
        maxSpreadPct: '5',
      },
      rebuys: each.rebuys,
      takeProfit: { levels: each.levels },
      trailingCost: {
        enabled: each.line,
        armGainPct: '0.5',
        distancePct: '0.3',
        stepPct: '0.05',
        expiryMin: 10,
        onExpiry: each.onExpiry,
        floor: each.floor,
      },
      stopLoss: each.stop,
      protectiveStop: { enabled: each.guard, limitOffsetPct: '0.3' },
      timeStop: each.timeStop,
      exit: {
        order: { type: each.exitOrder, onTimeout: each.onTimeout, timeoutSec: 30, offsetPct: '0.1' },
        conditions: each.conditions ? { match: 'all', rules: [] } : null,
        minGainPct: each.conditions ? '0.1' : null,
      },
      cooldown: { afterWinMin: 0, afterLossMin: 1, scope: each.scope },
      protections: {
        lossStreak: { count: 2, lookbackHours: 24, pauseHours: 1 },
        btcGuard: each.btcGuard ? { dropPct: '1', windowMin: 30, resumePct: '0.5' } : null,
      },
      dust: { policy: each.dust },
    }),
  );

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Fate>({ kind: 'normal', share: 1, feeAsset: 'base', delay: 0, twice: false }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.oneof(
        { weight: 12, arbitrary: fc.constant('normal' as const) },
        { weight: 3, arbitrary: option('refused' as const, 'absent' as const, 'late' as const, 'lost' as const, 'unfilled' as const) },
      ),
      share: option(1, 0.5, 0.17, 0.999),
      feeAsset: option<Fate['feeAsset']>('base', 'quote', 'third', 'unvalued', 'none'),
      delay: option(0, 0, 1, 3),
      twice: fc.boolean(),
    }),
  },
);

/** What may happen next, by numbers that are given a meaning where it is told. */
type Happening = { readonly what: string; readonly coin: number; readonly move: number; readonly wait: number; readonly flag: boolean };
const happening: fc.Arbitrary<Happening> = fc.record({
  what: fc.oneof(
    { weight: 60, arbitrary: fc.constant('tick') },
    {
      weight: 6,
      arbitrary: option(
        'conditions',
        'reference',
        'volumes',
        'pauseCoin',
        'entries',
        'enter',
        'exit',
        'target',
        'coins',
        'settings',
        'resume',
        'fee',
        'detach',
        'frozen',
        'take',
      ),
    },
  ),
  coin: fc.integer({ min: 0, max: 2 }),
  move: fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -40, max: 42 }) },
    { weight: 1, arbitrary: fc.integer({ min: -120, max: 120 }) },
  ),
  wait: option(1, 1, 1, 2, 2, 5, 5, 10, 20, 60, 300),
  flag: fc.boolean(),
});
const story = fc.array(happening, { minLength: 150, maxLength: 300 });

const order = (type: 'Limit' | 'Market') => ({ type, timeoutSec: 60 });
/** What an owner may change, one thing at a time or several. */
const EDITS: ((move: number) => Partial<AutoTradeConfigInput>)[] = [
  (move) => ({ trailingCost: { ...botConfig().trailingCost, distancePct: move > 0 ? '0.3' : '0.2' } }),
  () => ({ takeProfit: { levels: [{ gainPct: '0.9', sellPct: '100' }] } }),
  () => ({ takeProfit: { levels: ['0.4', '0.8', '1.2', '1.6'].map((gainPct) => ({ gainPct, sellPct: '25' })) } }),
  () => ({ takeProfit: { levels: [] } }),
  () => ({ rebuys: {} }),
  (move) => ({
    rebuys: { levels: [{ dropPct: '0.3' }, { dropPct: '0.6' }, { dropPct: '0.9' }], basis: move > 0 ? 'firstBuy' : 'lastBuy' },
  }),
  (move) => ({ rebuys: { levels: [{ dropPct: '0.4', sizeMultiplier: '0.2' }], trailingReboundPct: move > 0 ? '0.1' : '0' } }),
  (move) => ({ stopLoss: move > 0 ? { mode: 'none' } : { mode: 'percent', pct: '1', confirmSec: move > -20 ? 0 : 30 } }),
  (move) => ({ protectiveStop: { enabled: move > 0, limitOffsetPct: '0.3' } }),
  (move) => ({ exit: { order: order(move > 0 ? 'Limit' : 'Market') }, timeStop: move > 20 ? { hours: 1 } : null }),
];
function edited(config: AutoTradeConfig, index: number, move: number): AutoTradeConfig {
  const [one, other] = [EDITS[index % EDITS.length]!, EDITS[(index + Math.abs(move)) % EDITS.length]!];
  return autoTradeConfigSchema.parse({ ...config, ...one(move), ...other(move) });
}

/** Plays a story. `after` sees the bot after every happening; `restarts` name the happenings before which the bot is restarted. */
function play(
  settings: AutoTradeConfig,
  fates: readonly Fate[],
  happenings: readonly Happening[],
  { restarts = new Set<number>(), after = (_bot: BotStage): void => {} } = {},
): BotStage {
  const fateOf = ({ clientOrderId }: OrderInFlight): Fate => {
    let mixed = 7;
    for (const letter of clientOrderId) mixed = (mixed * 31 + letter.charCodeAt(0)) % 1_000_003;
    return fates[mixed % fates.length]!;
  };
  const bot = botStage(settings, { pairs: PAIRS, balance: '5000', fateOf });
  const prices = PAIRS.map(() => 100_000);
  let reference = 50_000;
  let at = START;
  let version = 1;
  let current = settings;
  for (const [index, { what, coin: slot, move, wait, flag }] of happenings.entries()) {
    if (restarts.has(index)) bot.restart();
    at += wait * 1000;
    const { symbol } = PAIRS[slot]!;
    const { positionId } = bot.context(symbol);
    const tell = (record: TapeInput) => {
      bot.tell(record);
      bot.drain();
    };
    if (what === 'tick') {
      prices[slot] = Math.max(1000, prices[slot]! + Math.round((prices[slot]! * move) / 10_000));
      bot.tick(prices[slot]! / 100, at, symbol);
    } else if (what === 'conditions')
      tell({
        type: 'conditions',
        symbol,
        input: { at, entry: move > -30, exit: flag, observed: { rsi: '29' }, validUntil: at + wait * 3000 },
      });
    else if (what === 'reference') {
      reference = Math.max(100, reference + Math.round((reference * move) / 5000));
      tell({ type: 'reference', at, price: reference });
    } else if (what === 'volumes') tell({ type: 'volumes', values: { [symbol]: move } });
    else if (what === 'pauseCoin') tell({ type: 'pauseCoin', symbol, until: flag && move < 0 ? at + 600_000 : at, reason: 'by-hand', at });
    else if (what === 'entries') tell({ type: 'entries', accepts: flag || move > -60, at });
    else if (what === 'enter') tell({ type: 'enter', symbol });
    else if (what === 'exit') tell({ type: 'exit', positionId, reason: flag ? 'Manual' : 'KillSwitch' });
    else if (what === 'target')
      tell({ type: 'target', positionId, price: flag ? toText({ units: BigInt(prices[slot]! + move * 10), scale: 2 }) : null, at });
    else if (what === 'coins') {
      const listed = flag ? [...PAIRS, LATE] : PAIRS.filter((_, other) => other !== slot);
      tell({ type: 'coins', symbols: listed.map((pair) => pair.symbol), pairs: listed, at });
    } else if (what === 'settings') {
      version += 1;
      current = edited(current, index, move);
      tell({ type: 'settings', config: current, version, applyToOpen: flag, at });
    } else if (what === 'resume') tell({ type: 'resume', positionId });
    else if (what === 'detach' && flag && move > 60) tell({ type: 'detach', positionId, at });
    else if (what === 'frozen') tell({ type: 'frozen', frozen: flag && move > 70 });
    // Coins leave the account behind the bot's back: a few of them, half, or all.
    else if (what === 'take') {
      const held = decimal(bot.context(symbol).quantity);
      bot.exchanges.get(symbol)!.take(toText(multiply(held, decimal(move > 60 ? '1' : flag ? '0.01' : '0.5'))));
    } else if (what === 'fee') {
      const waiting = bot.exchanges.get(symbol)!.unvalued.shift();
      const owner = waiting && bot.traces.find(({ tradeId, symbol: of }) => tradeId === waiting.tradeId && of === symbol);
      if (waiting && owner)
        tell({ type: 'fee', value: { positionId: owner.positionId, tradeId: waiting.tradeId, feeInQuote: waiting.fee, at } });
    }
    after(bot);
  }
  return bot;
}

/** What must be so whenever the bot has nothing left to do. */
function standing(bot: BotStage): void {
  const { sums } = bot.wallet;
  expect(walletBalances(sums)).toBe(true);
  const contexts = bot.engine.symbols.map((symbol) => bot.context(symbol));
  expect(toText(sum(contexts.map(({ reserved }) => decimal(reserved))))).toBe(sums.reserved);
  // What is carried for the next position is invested until its first buy takes it over.
  const carried = contexts.map(({ bought, carriedCost }) => decimal(bought === '0' ? carriedCost : '0'));
  expect(toText(sum([...contexts.map(({ cost }) => decimal(cost)), ...carried]))).toBe(sums.invested);
  let taken = 0;
  for (const symbol of bot.engine.symbols) {
    const context = bot.context(symbol);
    const state = bot.state(symbol);
    if (state !== 'watching' && state !== 'trailingEntry') taken += 1;
    for (const side of ['Buy', 'Sell'] as const)
      expect(ordersInFlight(context).filter((order) => order.side === side).length).toBeLessThanOrEqual(1);
    const selling = sum(
      ordersInFlight(context)
        .filter(({ side }) => side === 'Sell')
        .map(({ quantity, executed }) => subtract(decimal(quantity), decimal(executed))),
    );
    expect(compare(selling, decimal(context.quantity))).toBeLessThanOrEqual(0);
    expect(isNegative(decimal(context.quantity))).toBe(false);
    const { levels } = context.settings.config.takeProfit;
    expect(context.levelsDone).toBeLessThanOrEqual(Math.max(0, levels.length - 1));
    // Nothing is set aside but for levels that can still be bought, and for a buy that is on its way.
    if (ordersInFlight(context).some(({ side }) => side === 'Buy')) continue;
    const rungs = sum(context.ladder.slice(context.rebuysDone).map(({ reserve }) => decimal(reserve)));
    expect(compare(decimal(context.reserved), rungs)).toBeLessThanOrEqual(0);
  }
  expect(bot.engine.openPositions).toBe(taken);
}

/** What must be so of everything that was written. */
function written(bot: BotStage): void {
  const ids = new Set(bot.traces.map(({ positionId }) => positionId));
  for (const id of ids) {
    const rows = bot.traces.filter(({ positionId }) => positionId === id);
    expect(grammarViolation(rows, false)).toBeUndefined();
    const carried = decimal(String(rows[0]!.after.carriedQuantity ?? '0'));
    const firstBuy = rows.find(({ kind }) => kind === 'Buy');
    let held = decimal('0');
    let line = decimal('0');
    for (const row of rows) {
      if (row.kind === 'Buy' || row.kind === 'Sell') {
        if (row === firstBuy) held = carried;
        const base = row.symbol.replace('USDT', '');
        const fee = row.after.feeAsset === base ? decimal(String(row.after.fee)) : decimal('0');
        const moved = decimal(String(row.after.quantity));
        held = row.kind === 'Buy' ? subtract(add(held, moved), fee) : subtract(held, moved);
        expect(toText(held)).toBe(row.after.position);
      }
      if (row.kind === 'CostMovedUp') {
        expect(compare(decimal(String(row.after.line)), line)).toBe(1);
        line = decimal(String(row.after.line));
      }
      if (row.kind === 'TrailingCostExpired') line = decimal('0');
    }
    const exit = rows.find(({ kind }) => kind === 'Exit');
    if (!exit) continue;
    expect(toText(sum(rows.filter(({ kind }) => kind === 'Sell').map(({ after }) => decimal(String(after.realised)))))).toBe(
      exit.after.realised,
    );
    expect(toText(held)).toBe(exit.reason === 'Abandoned' ? '0' : exit.after.dust);
  }
  const orders = bot.placed.map(({ clientOrderId }) => clientOrderId);
  expect(new Set(orders).size).toBe(orders.length);
}

const fates = fc.array(fate, { minLength: 1, maxLength: 12 });
const cases = { numRuns: runs(60), endOnFailure: true };

test('whatever happens, money, orders and rows obey their rules', () => {
  fc.assert(
    fc.property(config, fates, story, (settings, fateList, happenings) => {
      written(play(settings, fateList, happenings, { after: standing }));
    }),
    cases,
  );
});

test('the tape of everything it was told gives the same rows byte for byte', () => {
  fc.assert(
    fc.property(config, fates, story, (settings, fateList, happenings) => {
      const bot = play(settings, fateList, happenings);
      expect(JSON.stringify(replayTape(JSON.parse(JSON.stringify(bot.tape)) as []))).toBe(JSON.stringify(bot.traces));
    }),
    cases,
  );
});

test('stopped anywhere and started from what is stored, it does the same', () => {
  fc.assert(
    fc.property(
      config,
      fates,
      story,
      fc.array(fc.nat({ max: 250 }), { minLength: 1, maxLength: 5 }),
      (settings, fateList, happenings, stops) => {
        const whole = play(
          settings,
          fateList,
          happenings.filter(({ what }) => what !== 'frozen'),
        );
        const broken = play(
          settings,
          fateList,
          happenings.filter(({ what }) => what !== 'frozen'),
          { restarts: new Set(stops) },
        );
        expect(broken.traces).toEqual(whole.traces);
        expect(broken.wallet.sums).toEqual(whole.wallet.sums);
      },
    ),
    cases,
  );
});

test('when a rule is said to stand against an entry, there is none', () => {
  fc.assert(
    fc.property(config, story, (settings, happenings) => {
      play(settings, [{ kind: 'normal', share: 1, feeAsset: 'base', delay: 0, twice: false }], happenings, {
        after: (bot) => {
          for (const symbol of bot.engine.symbols) {
            const answer = bot.engine.inspect(symbol)!;
            if ((answer.state !== 'watching' && answer.state !== 'trailingEntry') || !answer.moment) continue;
            const said = explain(answer, { state: 'running', context: newAutoTradeContext, pairStatus: 'TRADING' });
            const before = bot.traces.length;
            const { at, price, bid, ask } = answer.moment;
            bot.tell({ type: 'tick', symbol, at, price: Number(price), bid: Number(bid), ask: Number(ask) });
            const entered = bot.traces.slice(before).some(({ kind }) => kind === 'Entry');
            // And where everything is said to hold, and no low is followed any more, it enters.
            if (entered || answer.state === 'watching')
              expect(entered, JSON.stringify(said.rules)).toBe(said.rules.every(({ pass }) => pass));
            bot.drain();
          }
        },
      });
    }),
    cases,
  );
});

test('a rebuy is made when nothing is said to stand against it, and not otherwise', () => {
  const REBUY: ReadonlySet<string> = new Set(['rebuy', 'rebuy-spacing', 'rebuy-allowed', 'rebound', 'spread', 'size']);
  fc.assert(
    fc.property(config, fates, story, option('5', '0.002'), (settings, fateList, happenings, maxSpreadPct) => {
      play({ ...settings, entry: { ...settings.entry, maxSpreadPct } }, fateList, happenings, {
        after: (bot) => {
          for (const symbol of bot.engine.symbols) {
            const answer = bot.engine.inspect(symbol)!;
            const { state, moment, context } = answer;
            if ((state !== 'open' && state !== 'protected') || !moment || moment.at <= (context.lastFillAt ?? 0)) continue;
            const said = explain(answer, { state: 'running', context: newAutoTradeContext, pairStatus: 'TRADING' }).rules;
            if (!said.some(({ rule }) => rule === 'rebuy')) continue;
            const orders = bot.placed.length;
            const { at, price, bid, ask } = moment;
            bot.tell({ type: 'tick', symbol, at, price: Number(price), bid: Number(bid), ask: Number(ask) });
            const bought = bot.placed.slice(orders).some(({ purpose }) => purpose === 'rebuy');
            const holds = said.every(({ rule, pass }) => !REBUY.has(rule) || pass);
            // Where all of it holds and nothing was bought, something came before it.
            if (bought || (holds && bot.state(symbol) === state && bot.context(symbol) === context))
              expect(holds, JSON.stringify(said)).toBe(bought);
            bot.drain();
          }
        },
      });
    }),
    cases,
  );
});
