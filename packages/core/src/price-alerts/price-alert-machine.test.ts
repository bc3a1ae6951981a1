import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allInterpreters } from '../../testing/interpreters.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { alertCases, alertEvents, alertIdentity, alertInputs } from '../../testing/price-alert-paths.ts';
import { runs } from '../../testing/tiers.ts';
import type { Boxed } from '../statechart/pure-actions.ts';
import {
  advancePriceAlert,
  allowedAlertActions,
  type PriceAlertContext,
  type PriceAlertEvent,
  type PriceAlertStateName,
  priceAlertMachine,
} from './price-alert-machine.ts';
import { alertAction } from './price-alerts-contract.ts';

const boxedIdentity = ({ data }: Boxed<PriceAlertContext>): string => alertIdentity(data);
const paths = alertInputs.flatMap((input) =>
  transitionPaths(priceAlertMachine, {
    input,
    identity: boxedIdentity,
    cases: alertCases(input),
    stopWhen: (snapshot: { context: Boxed<PriceAlertContext> }) => snapshot.context.data.firedCount > 1,
  } as never),
);

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, boxedIdentity as never)).toMatchFileSnapshot('price-alert-machine.transitions.txt');
});

describe('what holds on every path', () => {
  test.each(paths.map((path, index) => [`${index} ${title(path)}`, path] as const))('%s', (_, path) => {
    let state: PriceAlertStateName = 'warming';
    let context = (path.steps[0]!.state.context as Boxed<PriceAlertContext>).data;
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

test('what may be asked of an alert is what its machine takes and what changes something', () => {
  const EVENTS = {
    acknowledge: { type: 'alert.acknowledged', now: 2000 },
    wake: { type: 'alert.snoozed', until: null },
    snooze: { type: 'alert.snoozed', until: 5000 },
    enable: { type: 'alert.enabled' },
    disable: { type: 'alert.disabled', reason: null },
  } as const;
  const offered = new Map<string, Set<string>>();
  for (const { state } of paths.flatMap(({ steps }) => steps)) {
    const name = state.value as PriceAlertStateName;
    const context = (state.context as Boxed<PriceAlertContext>).data;
    const allowed = allowedAlertActions(name, context);
    for (const action of alertAction.options) {
      if (allowed.includes(action)) expect([name, action, state.can(EVENTS[action])]).toEqual([name, action, true]);
      else if (state.can(EVENTS[action])) expect(['acknowledge', 'wake']).toContain(action);
    }
    offered.set(name, new Set([...(offered.get(name) ?? []), ...allowed]));
  }
  expect(
    Object.fromEntries([...offered].map(([name, actions]) => [name, alertAction.options.filter((each) => actions.has(each))])),
  ).toEqual({
    warming: ['wake', 'snooze', 'disable'],
    armed: ['wake', 'snooze', 'disable'],
    cooldown: ['wake', 'snooze', 'enable', 'disable'],
    fired: ['acknowledge', 'wake', 'snooze', 'enable', 'disable'],
    expired: ['enable', 'disable'],
    failed: ['enable', 'disable'],
    disabled: ['wake', 'snooze', 'enable'],
  });
});

test('what is over rests no more', () => {
  const asleep = { ...alertInputs[0]!, snoozedUntil: 5000 };
  for (const event of [{ type: 'alert.expired' }, { type: 'alert.failed', reason: 'delisted' }] as const)
    expect(advancePriceAlert('armed', asleep, event)?.context.snoozedUntil).toBeNull();
});

test('an actor, XState from what is stored and the table agree on random events', () => {
  const event = fc
    .constantFrom(...(Object.keys(alertEvents) as (keyof typeof alertEvents)[]))
    .chain((type) => fc.constantFrom(...alertEvents[type]).map((payload) => ({ ...payload, type }) as PriceAlertEvent));
  fc.assert(
    fc.property(fc.constantFrom(...alertInputs), fc.array(event, { maxLength: 30 }), (context, events) => {
      const all = allInterpreters(priceAlertMachine, advancePriceAlert, { state: 'warming', context });
      for (const each of events) all.send(each);
      all.stop();
    }),
    { numRuns: runs(500) },
  );
});
