import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allInterpreters } from '../../../testing/interpreters.ts';
import { title, transitionPaths, transitionTable } from '../../../testing/machine-paths.ts';
import { runs } from '../../../testing/tiers.ts';
import type { Boxed } from '../../statechart/pure-actions.ts';
import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  autoTradeMachine,
  mayTrade,
  newAutoTradeContext,
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
const identity = ({ data: { exits, mustAcknowledge, runNo } }: Boxed<AutoTradeContext>) => [
  exits,
  mustAcknowledge ? 'must acknowledge' : '',
  runNo,
];
const paths = transitionPaths(autoTradeMachine, {
  input: newAutoTradeContext,
  identity,
  cases,
  stopWhen: (snapshot: { context: Boxed<AutoTradeContext> }) => snapshot.context.data.runNo > 1,
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
      // The one state in which a bot may open positions.
      if (state === 'running') expect(mayTrade(state, context)).toBe(true);
      if (state === 'halted') expect(mayTrade(state, context) || !context.mustAcknowledge).toBe(false);
      // A halted run comes back only when that is acknowledged.
      if (before.context.mustAcknowledge && state === 'running') expect(event).toMatchObject({ type: 'bot.enabled', acknowledge: true });
      if (state === 'paused') expect(context.pausedUntil).not.toBeNull();
      if (state === 'running') expect(context).toMatchObject({ reason: null, pausedUntil: null });
    }
  });
});

test('an actor, XState from what is stored and the table agree on random events', () => {
  const event = fc
    .constantFrom(...(Object.keys(cases) as (keyof typeof cases)[]))
    .chain((type) => fc.constantFrom(...cases[type]).map((payload) => ({ ...payload, type }) as AutoTradeEvent));
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const all = allInterpreters(autoTradeMachine, advanceAutoTrade, { state: 'draft', context: newAutoTradeContext });
      for (const each of events) if (all.send(each).state === 'deleted') break;
      all.stop();
    }),
    { numRuns: runs(500) },
  );
});
