import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionTable } from '../../testing/machine-paths.ts';
import { marketChoiceIdentity as identity, openChoice, pathsOfAMarketChoice as paths } from '../../testing/market-choice-paths.ts';
import { marketToRest } from './market-choice-contract.ts';
import { type MarketChoiceEmitted, marketChoiceMachine } from './market-choice-machine.ts';

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('market-choice-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = liveActor(marketChoiceMachine, ['getChoice', 'chooseMarket', 'awaitServer']);
    const emitted: MarketChoiceEmitted[] = [];
    actor.on('market.changed', (event) => emitted.push(event));
    for (const step of path.steps) {
      const before = { calls: calls.length, emitted: emitted.length, value: actor.getSnapshot().value };
      const left = marketToRest(actor.getSnapshot().context.choice ?? openChoice, 'binance');
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      const chosen = calls.slice(before.calls).filter(({ name }) => name === 'chooseMarket');
      // What runs is left only after it was said to be known, and what the environment decides is never changed.
      for (const { input } of chosen) {
        expect(input).toMatchObject({ rest: before.value === 'confirming' });
        if (before.value !== 'confirming' && (input as { market: string }).market === 'binance') expect(left).toBeUndefined();
        expect(snapshot.context.choice?.decidedBy).not.toBe('environment');
      }
      const isOver = /^xstate\.done\.actor\.(chooseMarket|awaitServer)$/.test(step.event.type) && snapshot.matches('asking');
      expect(emitted.length - before.emitted).toBe(isOver ? 1 : 0);
    }
    expect(problems).toEqual([]);
  });
});
