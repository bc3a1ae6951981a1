import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnyMachineSnapshot } from 'xstate';
import { botConfig, positionSettings } from '../../../testing/auto-trade-fixtures.ts';
import { allInterpreters } from '../../../testing/interpreters.ts';
import { testModelOf } from '../../../testing/machine-paths.ts';
import { runs, TIER } from '../../../testing/tiers.ts';
import { decimal, divide, isPositive, multiply, subtract, toMultiple, toText } from '../../money/decimal.ts';
import type { Boxed } from '../../statechart/pure-actions.ts';
import { afterMove, afterTransfer, emptySums, walletBalances } from '../../wallets/wallet-book.ts';
import { allowedBotPositionActions, POSITION_EVENTS } from '../allowed-actions.ts';
import { advancePosition, autoTradePositionMachine, type PositionState } from './auto-trade-position-machine.ts';
import { positionIdFor } from './position-ids.ts';
import { BALANCE_JUMP, newPosition, ordersInFlight, type PositionContext, type PositionEvent, PRICE_JUMP } from './position-state.ts';

const config = botConfig({
  takeProfit: {
    levels: [
      { gainPct: '2', sellPct: '50' },
      { gainPct: '4', sellPct: '50' },
    ],
  },
  exit: { order: { type: 'Limit', onTimeout: 'cancel' } },
  rebuys: { levels: [{ dropPct: '2' }], basis: 'lastBuy', minMinutesBetween: 0 },
  protectiveStop: { enabled: true },
  entry: { ...botConfig().entry, order: { type: 'Limit', onTimeout: 'reprice', maxReprices: 1 } },
});
const changed = { ...config, trailingCost: { ...config.trailingCost, distancePct: '0.4' } };
const positionId = positionIdFor('bot', 1, 'BTCUSDT', 1);
const start = newPosition(positionSettings(config), 1, positionId);
const moment = { at: 1000, price: '100', bid: '99.99', ask: '100.01' };
/** What makes two situations differ: whether something is held, what is in flight, and why. */
const identity = (context: PositionContext) =>
  [
    context.quantity === '0' ? 'nothing' : context.order?.executed === '0' || !context.order ? 'held' : 'partly',
    context.order
      ? `${context.order.purpose}${context.order.attempt > 0 ? ' again' : ''}${context.order.cancelRequested ? ' cancelling' : ''}`
      : '-',
    context.resident ? `stop at exchange${context.resident.cancelRequested ? ' cancelling' : ''}` : '',
    context.rebuysDone > 0 ? 'rebought' : '',
    context.levelsDone > 0 ? 'slice sold' : '',
    context.line ? 'line' : '',
    context.exitReason ?? '',
    context.rejections > 0 ? 'refused' : '',
    context.salePause ? 'paused' : '',
    context.jump && context.quantity === '0' ? 'jumped' : '',
    context.attention === PRICE_JUMP || context.attention === BALANCE_JUMP ? 'asked' : '',
  ]
    .filter(Boolean)
    .join(', ');

type Named = { readonly name: string; readonly event: PositionEvent };
let trade = 0;

/** Every event that may reach a position in a situation; those about orders name the orders in flight. */
function eventsFor(context: PositionContext): Named[] {
  const found: Named[] = [
    { name: 'entry.triggered', event: { type: 'entry.triggered', ...moment, trailUntil: 5000 } },
    { name: 'entry.lapsed Expired', event: { type: 'entry.lapsed', reason: 'Expired', ...moment } },
    { name: 'entry.decided', event: entryDecided },
    { name: 'entry.withdrawn', event: { type: 'entry.withdrawn', at: 1500 } },
    { name: 'order.timedOut', event: { type: 'order.timedOut', ...moment } },
    { name: 'sale.retried', event: { type: 'sale.retried', ...moment } },
    { name: 'line.armed', event: { type: 'line.armed', ...moment, price: '102' } },
    { name: 'line.raised', event: { type: 'line.raised', ...moment, price: '103' } },
    { name: 'line.expired Timeout', event: { type: 'line.expired', reason: 'Timeout', ...moment, bid: '103' } },
    { name: 'line.expired DataGap', event: { type: 'line.expired', reason: 'DataGap', ...moment } },
    { name: 'takeProfit.decided', event: { type: 'takeProfit.decided', ...moment, price: '103' } },
    { name: 'exit.decided StopLoss', event: { type: 'exit.decided', reason: 'StopLoss', ...moment } },
    { name: 'exit.decided Manual', event: { type: 'exit.decided', reason: 'Manual', ...moment } },
    {
      name: 'rebuy.decided',
      event: { type: 'rebuy.decided', ...moment, price: '98', order: { type: 'Limit', quantity: '1', price: '98' } },
    },
    { name: 'rebuy.lapsed', event: { type: 'rebuy.lapsed', reason: 'Chased', ...moment } },
    { name: 'rebuy.withdrawn', event: { type: 'rebuy.withdrawn', at: 2500 } },
    { name: 'guard.due', event: { type: 'guard.due', ...moment, plan: guardFor(context) } },
    { name: 'guard.due none', event: { type: 'guard.due', ...moment, plan: null } },
    { name: 'guard.due impossible', event: { type: 'guard.due', ...moment, plan: { code: 'TOO_SMALL' } } },
    { name: 'target.set', event: { type: 'target.set', price: '120', at: 2500 } },
    { name: 'settings.changed', event: { type: 'settings.changed', ...moment, config: changed, configVersion: 2, ladder: null } },
    { name: 'fee.valued', event: { type: 'fee.valued', tradeId: context.unvalued[0]?.tradeId ?? 'none', feeInQuote: '0.1', at: 2600 } },
    { name: 'dust.released', event: { type: 'dust.released', at: 100 } },
    { name: 'position.detached', event: { type: 'position.detached', at: 3000 } },
    { name: 'price.jumped', event: { type: 'price.jumped', before: '9000', ...moment } },
    { name: 'balance.jumped', event: { type: 'balance.jumped', before: '100', factor: '2', ...moment } },
    { name: 'position.carriedOver', event: { type: 'position.carriedOver', factor: '100', ...moment } },
    { name: 'jump.settled', event: { type: 'jump.settled', ...moment } },
    { name: 'position.resumed', event: { type: 'position.resumed', ...moment } },
    { name: 'order.ended of a stranger', event: ended('0'.repeat(36), 'CANCELED') },
  ];
  for (const each of ordersInFlight(context)) {
    const { clientOrderId, purpose } = each;
    const left = subtract(decimal(each.quantity), decimal(each.executed));
    found.push({ name: `order.accepted ${purpose}`, event: { type: 'order.accepted', clientOrderId, orderId: '7' } });
    found.push({ name: `order.lost ${purpose}`, event: { type: 'order.lost', clientOrderId, code: 'AMBIGUOUS' } });
    if (isPositive(left)) {
      found.push({
        name: `order.filled ${purpose} half`,
        event: fill(clientOrderId, toText(toMultiple(divide(left, decimal('2')), decimal('0.00001')))),
      });
      found.push({ name: `order.filled ${purpose} all`, event: fill(clientOrderId, toText(left)) });
      found.push({ name: `order.ended ${purpose} CANCELED`, event: ended(clientOrderId, 'CANCELED') });
      if (each.executed === '0') {
        found.push({ name: `order.ended ${purpose} REJECTED`, event: ended(clientOrderId, 'REJECTED', '-2010') });
        if (each.side === 'Sell')
          for (const [what, free] of [
            ['half', toText(toMultiple(divide(decimal(context.quantity), decimal('2')), decimal('0.00001')))],
            ['all', '0'],
          ] as const) {
            const balance = { free, locked: '0' };
            const event = { ...ended(clientOrderId, 'REJECTED', '-2010'), balance };
            found.push({ name: `order.ended ${purpose} REJECTED, ${what} is away`, event });
          }
        found.push({ name: `order.ended ${purpose} HALTED`, event: ended(clientOrderId, 'REJECTED', 'HALTED') });
      }
    } else found.push({ name: `order.ended ${purpose} FILLED`, event: ended(clientOrderId, 'FILLED') });
  }
  return found;
}
const entryDecided: PositionEvent = {
  type: 'entry.decided',
  ...moment,
  order: { type: 'Limit', quantity: '2', price: '100' },
  reserve: '301.2',
  entryReserve: '200.2',
  quote: '200',
  ladder: [{ dropPct: '2', quote: '100', reserve: '101' }],
  reason: 'Drop',
  slot: 1,
  slots: 3,
  observed: {},
};
const guardFor = (context: PositionContext) =>
  context.quantity === '0'
    ? null
    : { quantity: context.quantity, stopPrice: context.line ?? '97', price: '96.5', mirrors: 'StopLoss' as const };
const ended = (clientOrderId: string, status: 'FILLED' | 'CANCELED' | 'REJECTED', code: string | null = null): PositionEvent => ({
  type: 'order.ended',
  ...moment,
  clientOrderId,
  status,
  code,
});
const fill = (clientOrderId: string, quantity: string): PositionEvent => ({
  type: 'order.filled',
  clientOrderId,
  orderId: '7',
  tradeId: `t${++trade}`,
  price: '100',
  quantity,
  quoteQuantity: toText(multiply(decimal(quantity), decimal('100'))),
  fee: '0',
  feeAsset: 'USDT',
  feeInQuote: '0',
  bid: '99.99',
  ask: '100.01',
  at: 2000,
});

type Walked = { readonly state: PositionState; readonly context: PositionContext };
type Way = { readonly path: readonly PositionEvent[]; readonly named: Named };
const situation = ({ state, context }: Walked) => `${state} (${identity(context)})`;
const isOver = (state: PositionState) => state === 'closed' || state === 'detached';
const walked = ({ value, context }: AnyMachineSnapshot): Walked => ({ state: value, context: (context as Boxed<PositionContext>).data });

/** A situation as the reviewed file tells it: the state, and what is in flight. */
const told = ({ state, context }: Walked) =>
  [
    state,
    context.order && `${context.order.purpose}${context.order.cancelRequested ? ' cancelling' : ''}`,
    context.resident && `stop${context.resident.cancelRequested ? ' cancelling' : ''}`,
    context.salePause && 'paused',
  ]
    .filter(Boolean)
    .join(', ');

/** Every situation by the shortest way, every change between two of them, and every way one event further. */
function walkAll(): { reached: ReadonlyMap<string, Walked>; changes: readonly string[]; ways: readonly Way[] } {
  const paths = testModelOf(autoTradePositionMachine).getShortestPaths({
    fromState: autoTradePositionMachine.resolveState({ value: 'watching', context: { data: start } }),
    events: ({ context }) => eventsFor((context as Boxed<PositionContext>).data).map(({ event }) => event),
    serializeState: (snapshot) => situation(walked(snapshot)),
    stopCondition: ({ value }) => isOver(value),
  });
  const reached = new Map<string, Walked>();
  const changes = new Set<string>();
  const ways: Way[] = [];
  const visit = (from: Walked, path: readonly PositionEvent[]) => {
    if (reached.has(situation(from))) return;
    reached.set(situation(from), from);
    for (const named of isOver(from.state) ? [] : eventsFor(from.context)) {
      const next = advancePosition(from.state, from.context, named.event);
      if (!next) continue;
      ways.push({ path, named });
      if (told(next) !== told(from)) changes.add(`${told(from)} | ${named.name} | ${told(next)}`);
    }
  };
  for (const { steps } of paths) {
    const events = steps.slice(1).map(({ event }) => event as PositionEvent);
    // Replayed: a step's own snapshot may be another of the same situation, by which a second way came there.
    let from: Walked = { state: 'watching', context: start };
    visit(from, []);
    for (const [index, event] of events.entries()) {
      from = advancePosition(from.state, from.context, event) ?? from;
      visit(from, events.slice(0, index + 1));
    }
  }
  return { reached, changes: [...changes].sort(), ways };
}
const { reached, changes, ways } = walkAll();

test('the transition table is the reviewed one', async () => {
  await expect(`${changes.join('\n')}\n`).toMatchFileSnapshot('auto-trade-position-machine.transitions.txt');
});

test('every state is reached', () => {
  expect([...new Set([...reached.values()].map(({ state }) => state))].sort()).toEqual(Object.keys(autoTradePositionMachine.states).sort());
});

test('what is offered in a situation is what the machine does there', () => {
  const offered = new Map<PositionState, Set<string>>();
  for (const { state, context } of reached.values()) {
    const allowed = allowedBotPositionActions(state, context, true);
    const done = Object.entries(POSITION_EVENTS).flatMap(([action, event]) => {
      const next = advancePosition(state, context, event);
      return next && (next.state !== state || next.context !== context) ? [action] : [];
    });
    expect([situation({ state, context }), allowed]).toEqual([situation({ state, context }), done]);
    expect(allowedBotPositionActions(state, context, false)).toEqual(done.filter((action) => action !== 'sell'));
    offered.set(state, new Set([...(offered.get(state) ?? []), ...allowed]));
  }
  expect(Object.fromEntries(Array.from(offered, ([state, actions]) => [state, [...actions].sort()]))).toEqual({
    watching: [],
    trailingEntry: [],
    entryPending: ['levels', 'sell', 'target'],
    open: ['detach', 'levels', 'sell', 'target'],
    protected: ['detach', 'levels', 'sell', 'target'],
    adding: ['levels', 'sell', 'target'],
    reducing: ['levels', 'sell', 'target'],
    // One sale is on its way already; only a stop overtakes it, and its owner one that pauses because it sold nothing.
    exitPending: ['detach', 'levels', 'sell', 'target'],
    // Carried over only while a jump is asked about.
    needsAttention: ['carryOver', 'detach', 'levels', 'resume', 'sell', 'target'],
    closed: [],
    detached: [],
  });
});

const WITHOUT_ORDER: ReadonlySet<string> = new Set(['watching', 'trailingEntry', 'open', 'protected', 'closed', 'detached']);
const WITHOUT_RESIDENT: ReadonlySet<string> = new Set(['watching', 'closed', 'detached']);
/** A million of these are asked for: `expect` itself would take most of the time. */
function holds(isSo: boolean, step: string, what: string): void {
  if (!isSo) expect.fail(`${step}: not ${what}`);
}

test('what holds on every way to every situation', () => {
  // The longest ways are walked by the deep tier.
  for (const { path, named } of ways.filter(({ path: before }) => TIER === 'deep' || before.length < 9)) {
    let state: PositionState = 'watching';
    let context = start;
    let sums = afterTransfer(emptySums, '1000');
    let entries = 0;
    let exits = 0;
    const { name } = named;
    for (const event of [...path, named.event]) {
      const next = advancePosition(state, context, event);
      if (!next) continue;
      for (const effect of next.context === context ? [] : next.context.effects) {
        if (effect.kind === 'wallet') sums = afterMove(sums, effect.entry);
        if (effect.kind === 'trace' && effect.trace.kind === 'Entry') entries += 1;
        if (effect.kind === 'trace' && effect.trace.kind === 'Exit') exits += 1;
        if (effect.kind !== 'place') continue;
        // One order a side: a new one is placed only when none of its side was in flight, or the one before has just ended.
        const standing = ordersInFlight(context).filter(({ side }) => side === effect.order.side);
        const gone = event.type === 'order.ended' ? event.clientOrderId : '';
        holds(
          standing.every(({ clientOrderId }) => clientOrderId === gone),
          name,
          'no other order of its side',
        );
      }
      ({ state, context } = next);
      const [buys = 0, sells = 0] = (['Buy', 'Sell'] as const).map(
        (side) => ordersInFlight(context).filter((each) => each.side === side).length,
      );
      const { order, resident, line, quantity, reserved, cost } = context;
      holds(buys <= 1 && sells <= 1, name, 'one order a side');
      if (state === 'entryPending' || state === 'adding') holds(order?.side === 'Buy', name, 'a buy in flight');
      // A sale that is decided is placed, or waits for the stop at the exchange to make way, or for its next try.
      const { salePause } = context;
      if (state === 'reducing' || state === 'exitPending') holds((order ?? resident ?? salePause) !== null, name, 'a sale in flight');
      holds(salePause === null || (order === null && resident === null), name, 'nothing in flight while a sale pauses');
      if (WITHOUT_ORDER.has(state)) holds(order === null, name, 'no order');
      if (WITHOUT_RESIDENT.has(state)) holds(resident === null, name, 'no stop at the exchange');
      if (state === 'protected') holds(line !== null, name, 'a line');
      if (state === 'open' || state === 'watching') holds(line === null, name, 'no line');
      holds(Number(quantity) >= 0, name, 'a quantity');
      holds(walletBalances(sums), name, 'a wallet that balances');
      holds(sums.reserved === reserved, name, 'what is set aside');
      if (state !== 'closed' && state !== 'detached') holds(sums.invested === cost, name, 'what is invested');
      else holds(sums.invested === '0' && sums.reserved === '0', name, 'nothing left in it');
    }
    expect(entries).toBeLessThanOrEqual(1);
    expect(exits).toBe(state === 'closed' ? 1 : 0);
  }
});

test('an actor, XState from what is stored and the table agree on random events', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1, maxLength: 40 }), (choices) => {
      const all = allInterpreters(autoTradePositionMachine, advancePosition, {
        state: 'watching',
        context: start,
      });
      let context = start;
      for (const choice of choices) {
        const possible = eventsFor(context);
        const next = all.send(possible[choice % possible.length]!.event);
        ({ context } = next);
        if (isOver(next.state)) break;
      }
      all.stop();
    }),
    { numRuns: runs(500) },
  );
});
