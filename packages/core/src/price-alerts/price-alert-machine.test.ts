import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import {
  advancePriceAlert,
  newPriceAlertContext,
  type PriceAlertContext,
  type PriceAlertEvent,
  type PriceAlertStateName,
  priceAlertMachine,
} from './price-alert-machine.ts';

const cases = {
  'alert.triggered': [{ at: 1000, now: 1000 }],
  'history.known': [{}],
  'history.lost': [{ reason: 'history' }],
  'price.left': [{}],
  'cooldown.ended': [{}],
  'alert.acknowledged': [{ now: 2000 }],
  'alert.snoozed': [{ until: 5000 }, { until: null }],
  'alert.expired': [{}],
  'alert.failed': [{ reason: 'delisted' }],
  'alert.disabled': [{ reason: null }],
  'alert.enabled': [{}],
};
const identity = ({ repeat, needsHistory, snoozedUntil, hasLeft, hasCooled, acknowledgedAt, firedCount }: PriceAlertContext) =>
  [
    repeat,
    needsHistory ? 'needs history' : '',
    snoozedUntil === null ? '' : 'snoozed',
    hasLeft ? 'left' : '',
    hasCooled ? 'cooled' : '',
    acknowledgedAt === null ? '' : 'acknowledged',
    firedCount > 0 ? 'has fired' : '',
  ]
    .filter(Boolean)
    .join(', ');
const inputs = (['once', 'every', 'untilAcknowledged'] as const).map((repeat) =>
  newPriceAlertContext({ repeat, needsHistory: repeat === 'every', snoozedUntil: null }),
);
const paths = inputs.flatMap((input) =>
  transitionPaths(priceAlertMachine, {
    input,
    identity,
    // A cooldown is of `every` alone, and so it is never acknowledged.
    cases: Object.fromEntries(
      Object.entries(cases).filter(([type]) =>
        input.repeat === 'every' ? type !== 'alert.acknowledged' : type !== 'price.left' && type !== 'cooldown.ended',
      ),
    ),
    stopWhen: (snapshot: { context: PriceAlertContext }) => snapshot.context.firedCount > 1,
  } as never),
);

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('price-alert-machine.transitions.txt');
});

describe('what holds on every path', () => {
  test.each(paths.map((path, index) => [`${index} ${title(path)}`, path] as const))('%s', (_, path) => {
    let state: PriceAlertStateName = 'warming';
    let context = path.steps[0]!.state.context as PriceAlertContext;
    for (const { event } of path.steps.slice(1)) {
      const before = { state, context };
      const next = advancePriceAlert(state, context, event as PriceAlertEvent);
      if (next) ({ state, context } = next);
      // It fires only when armed and awake, and what fires is counted once.
      const fired = context.firedCount - before.context.firedCount;
      expect(fired).toBe(event.type === 'alert.triggered' && before.state === 'armed' && before.context.snoozedUntil === null ? 1 : 0);
      // Out of a cooldown it comes by itself only when both the time is over and the price has left.
      if (before.state === 'cooldown' && state === 'armed' && event.type !== 'alert.enabled')
        expect(before.context.hasLeft || before.context.hasCooled).toBe(true);
      if (state === 'failed') expect(context.reason).not.toBeNull();
      if (state === 'armed') expect(context).toMatchObject({ reason: null, hasLeft: false, hasCooled: false, acknowledgedAt: null });
      if (context.repeat !== 'every') expect(state).not.toBe('cooldown');
    }
  });
});

test('the compiled table and XState agree on random events', () => {
  const event = fc
    .constantFrom(...(Object.keys(cases) as (keyof typeof cases)[]))
    .chain((type) => fc.constantFrom(...cases[type]).map((payload) => ({ ...payload, type }) as PriceAlertEvent));
  fc.assert(
    fc.property(fc.constantFrom(...inputs), fc.array(event, { maxLength: 30 }), (input, events) => {
      const actor = createActor(priceAlertMachine, { input } as never).start();
      let state: PriceAlertStateName = 'warming';
      let context = input;
      for (const each of events) {
        const next = advancePriceAlert(state, context, each);
        if (next) ({ state, context } = next);
        actor.send(each as never);
        const snapshot = actor.getSnapshot() as { value: string; context: PriceAlertContext };
        expect([snapshot.value, snapshot.context]).toEqual([state, context]);
      }
      actor.stop();
    }),
    { numRuns: 500 },
  );
});
