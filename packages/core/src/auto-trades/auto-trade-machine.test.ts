import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createActor } from 'xstate';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { runs } from '../../testing/tiers.ts';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  autoTradeMachine,
  mayTrade,
  newAutoTradeContext,
  opensPositions,
} from './auto-trade-machine.ts';

const cases = {
  'bot.saved': [{}],
  'bot.enabled': [{ acknowledge: false }, { acknowledge: true }],
  'bot.disabled': [{ exits: 'continue' }, { exits: 'freeze' }],
  'bot.paused': [{ reason: 'loss-streak', until: 5000 }],
  'pause.ended': [{}],
  'bot.blocked': [{ reason: 'invalid-key' }],
  'block.cleared': [{}],
  'bot.halted': [{ reason: 'kill-switch' }],
  'bot.reset': [{}],
  'bot.deleted': [{}],
};
const identity = ({ exits, mustAcknowledge, runNo }: AutoTradeContext) => [exits, mustAcknowledge ? 'must acknowledge' : '', runNo];
const paths = transitionPaths(autoTradeMachine, {
  input: newAutoTradeContext,
  identity,
  cases,
  stopWhen: (snapshot: { context: AutoTradeContext }) => snapshot.context.runNo > 1,
} as never);

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('auto-trade-machine.transitions.txt');
});

describe('what holds on every path', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', (_, path) => {
    let state: AutoTradeStateName = 'draft';
    let context = newAutoTradeContext;
    for (const { event } of path.steps.slice(1)) {
      const before = { state, context };
      const next = advanceAutoTrade(state, context, event as AutoTradeEvent);
      if (next) ({ state, context } = next);
      if (opensPositions(state)) expect(mayTrade(state, context)).toBe(true);
      if (state === 'halted') expect(mayTrade(state, context) || !context.mustAcknowledge).toBe(false);
      // A halted run comes back only when that is acknowledged.
      if (before.context.mustAcknowledge && state === 'running') expect(event).toMatchObject({ type: 'bot.enabled', acknowledge: true });
      if (state === 'paused') expect(context.pausedUntil).not.toBeNull();
      if (state === 'running') expect(context).toMatchObject({ reason: null, pausedUntil: null });
    }
  });
});

test('the compiled table and XState agree on random events', () => {
  const event = fc
    .constantFrom(...(Object.keys(cases) as (keyof typeof cases)[]))
    .chain((type) => fc.constantFrom(...cases[type]).map((payload) => ({ ...payload, type }) as AutoTradeEvent));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const actor = createActor(autoTradeMachine, { input: newAutoTradeContext } as never).start();
      let state: AutoTradeStateName = 'draft';
      let context = newAutoTradeContext;
      for (const each of events) {
        const next = advanceAutoTrade(state, context, each);
        if (next) ({ state, context } = next);
        actor.send(each as never);
        const snapshot = actor.getSnapshot() as { value: string; context: AutoTradeContext };
        expect([snapshot.value, snapshot.context]).toEqual([state, context]);
        if (state === 'deleted') break;
      }
      actor.stop();
    }),
    { numRuns: runs(500) },
  );
});
