import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor, type Snapshot } from 'xstate';
import { botConfig, positionSettings } from '../../testing/auto-trade-fixtures.ts';
import { title, transitionPaths } from '../../testing/machine-paths.ts';
import { advancePosition, autoTradePositionMachine } from './auto-trade-position-machine.ts';
import { type PositionState, positionChart } from './position-chart.ts';
import { clientOrderIdFor, positionIdFor } from './position-ids.ts';
import { newPosition, type PositionContext, type PositionEvent } from './position-state.ts';

const config = botConfig({
  takeProfit: {
    levels: [
      { gainPct: '2', sellPct: '50' },
      { gainPct: '4', sellPct: '50' },
    ],
  },
  exit: { order: { type: 'Limit', onTimeout: 'cancel' } },
  entry: { ...botConfig().entry, order: { type: 'Limit', onTimeout: 'reprice', maxReprices: 1 } },
});
const positionId = positionIdFor('bot', 1, 'BTCUSDT', 1);
const start = newPosition(positionSettings(config), 1, positionId);
const moment = { at: 1000, price: '100', bid: '99.99', ask: '100.01' };
const order = (step: number, attempt = 0) => clientOrderIdFor(positionId, step, attempt);
const fill = (step: number, tradeId: string, quantity: string, attempt = 0) => ({
  clientOrderId: order(step, attempt),
  orderId: '7',
  tradeId,
  price: '100',
  quantity,
  quoteQuantity: String(Number(quantity) * 100),
  fee: '0',
  feeAsset: 'USDT',
  feeInQuote: '0',
  bid: '99.99',
  ask: '100.01',
  at: 2000,
});

/** What makes two situations differ: whether something is held, what is in flight, and why. */
const identity = (context: PositionContext) =>
  [
    context.quantity === '0' ? 'nothing' : 'held',
    context.order
      ? `${context.order.purpose}${context.order.attempt > 0 ? ' again' : ''}${context.order.cancelRequested ? ' cancelling' : ''}`
      : '-',
    context.line ? 'line' : '',
    context.exitReason ?? '',
    context.rejections > 0 ? 'refused' : '',
  ]
    .filter(Boolean)
    .join(', ');

const cases = {
  'entry.triggered': [{ ...moment, trailUntil: 5000 }],
  'entry.lapsed': [{ ...moment, reason: 'Expired' }],
  'entry.decided': [
    { ...moment, order: { type: 'Limit', quantity: '2', price: '100' }, reserve: '200.2', slot: 1, slots: 3, observed: {} },
  ],
  'entry.withdrawn': [{ at: 1500 }],
  'order.accepted': [{ clientOrderId: order(1), orderId: '7' }],
  'order.filled': [fill(1, 't1', '2'), fill(2, 't2', '1'), fill(2, 't3', '2')],
  'order.ended': [
    { ...moment, clientOrderId: order(1), status: 'FILLED', code: null },
    { ...moment, clientOrderId: order(1), status: 'CANCELED', code: null },
    { ...moment, clientOrderId: order(1), status: 'REJECTED', code: '-2010' },
  ],
  'order.timedOut': [moment],
  'order.lost': [{ clientOrderId: order(1), code: 'AMBIGUOUS' }],
  'line.armed': [{ ...moment, price: '102' }],
  'line.raised': [{ ...moment, price: '103' }],
  'line.expired': [{ ...moment, reason: 'Timeout' }],
  'takeProfit.decided': [{ ...moment, price: '103' }],
  'exit.decided': [
    { ...moment, reason: 'StopLoss' },
    { ...moment, reason: 'Manual' },
  ],
  'position.detached': [{ at: 3000 }],
  'position.resumed': [moment],
};

const paths = transitionPaths(autoTradePositionMachine, {
  input: start,
  identity,
  cases,
  limit: 60_000,
  stopWhen: (snapshot: { context: PositionContext }) => snapshot.context.step > 2 || (snapshot.context.order?.attempt ?? 0) > 1,
} as never);

/** Events by what a reviewer tells them apart by. */
const named = (event: { type: string; reason?: string; status?: string; tradeId?: string }) =>
  [event.type, event.reason ?? event.status ?? event.tradeId].filter(Boolean).join(' ');
const situation = (state: { value: unknown; context: unknown }) => `${String(state.value)} (${identity(state.context as PositionContext)})`;
const table = [
  ...new Set(
    paths.flatMap(({ steps }) =>
      steps.slice(1).flatMap(({ event, state }, index) => {
        const from = situation(steps[index]!.state);
        return from === situation(state) ? [] : [`${from} | ${named(event)} | ${situation(state)}`];
      }),
    ),
  ),
].sort();

test('the transition table is the reviewed one', async () => {
  await expect(`${table.join('\n')}\n`).toMatchFileSnapshot('auto-trade-position-machine.transitions.txt');
});

test('every state is reached', () => {
  const reached = new Set(paths.flatMap((path) => path.steps.map((step) => String(step.state.value))));
  expect([...reached].sort()).toEqual(Object.keys(positionChart.states).sort());
});

describe('what holds on every path', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', (_, path) => {
    let state: PositionState = 'watching';
    let context = start;
    let entries = 0;
    let exits = 0;
    for (const { event } of path.steps.slice(1)) {
      const next = advancePosition(state, context, event as PositionEvent);
      if (!next) continue;
      for (const effect of next.context.effects) {
        if (effect.kind === 'trace' && effect.trace.kind === 'Entry') entries += 1;
        if (effect.kind === 'trace' && effect.trace.kind === 'Exit') exits += 1;
        // One order at most: a new one is placed only when none was in flight, or the one before has just ended.
        if (effect.kind === 'place') expect(context.order === null || event.type === 'order.ended').toBe(true);
      }
      ({ state, context } = next);
      const inFlight = state === 'entryPending' || state === 'reducing' || state === 'exitPending';
      if (inFlight) expect(context.order).not.toBeNull();
      if (state === 'watching' || state === 'trailingEntry' || state === 'open' || state === 'protected' || state === 'closed') {
        expect(context.order).toBeNull();
      }
      expect(context.line !== null).toBe(
        state === 'protected' || ((state === 'reducing' || state === 'exitPending' || state === 'needsAttention') && context.line !== null),
      );
      if (state === 'protected') expect(context.line).not.toBeNull();
      expect(Number(context.quantity)).toBeGreaterThanOrEqual(0);
    }
    expect(entries).toBeLessThanOrEqual(1);
    expect(exits).toBe(state === 'closed' ? 1 : 0);
  });
});

test('the compiled table and XState agree on random events', () => {
  const types = Object.keys(cases) as (keyof typeof cases)[];
  const event = fc
    .constantFrom(...types)
    .chain((type) => fc.constantFrom(...cases[type]).map((payload) => ({ ...payload, type }) as PositionEvent));
  const toSnapshot = (state: PositionState, context: PositionContext) =>
    autoTradePositionMachine.resolveState({ value: state, context } as never) as Snapshot<unknown>;
  fc.assert(
    fc.property(fc.array(event, { minLength: 1, maxLength: 40 }), (events) => {
      const actor = createActor(autoTradePositionMachine, { snapshot: toSnapshot('watching', start), input: start } as never);
      actor.start();
      let state: PositionState = 'watching';
      let context = start;
      for (const each of events) {
        const next = advancePosition(state, context, each);
        if (next) ({ state, context } = next);
        actor.send(each as never);
        const snapshot = actor.getSnapshot() as { value: string; context: PositionContext };
        expect(snapshot.value).toBe(state);
        expect(snapshot.context).toEqual(context);
        if (state === 'closed' || state === 'detached') break;
      }
      actor.stop();
    }),
    { numRuns: 500 },
  );
});
