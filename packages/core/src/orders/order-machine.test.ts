import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionTable } from '../../testing/machine-paths.ts';
import { orderIdentity as identity, orderInput as input, pathsOfAnOrder as paths } from '../../testing/order-paths.ts';
import { orderMachine } from './order-machine.ts';

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('order-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems, timers } = liveActor(orderMachine, ['cancel', 'look'], input);
    let asked = 0;
    for (const { event, state } of path.steps) {
      const before = actor.getSnapshot();
      await apply(event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot.value).toEqual(state.value);
      const mayCancel = before.matches('open') || before.matches('stillOpen') || before.matches('refused');
      if (event.type === 'cancel.asked' && mayCancel) asked += 1;
      // A cancel leaves only when a person asks for it while the order is known to stand; a lost answer sends nothing.
      expect(calls.filter(({ name }) => name === 'cancel')).toHaveLength(asked);
      // An end is told exactly when it is over, and every failure that is shown has a reason.
      expect(snapshot.context.end !== undefined).toBe(snapshot.matches('over'));
      // The order as it ended is known where the cancel itself was answered.
      const isAnswered = snapshot.matches('over') && event.type === 'xstate.done.actor.cancel';
      expect(snapshot.context.answered).toEqual(isAnswered ? (event as { output?: unknown }).output : undefined);
      if (snapshot.matches('refused')) expect(snapshot.context.problem?.code).toBe('exchange-rate-limited');
      expect(Object.keys(timers())).toHaveLength(snapshot.matches({ unknown: 'waiting' }) ? 1 : 0);
    }
    for (const call of calls) expect(call.input).toEqual(input);
    expect(problems).toEqual([]);
  });
});

test('looks grow rarer, up to half a minute', async () => {
  const { apply, timers } = liveActor(orderMachine, ['cancel', 'look'], input);
  await apply({ type: 'xstate.init' });
  await apply({ type: 'cancel.asked' });
  await apply({ type: 'xstate.error.actor.cancel', error: { code: 'timeout' } });
  const pauses: (number | undefined)[] = [];
  for (let look = 0; look < 6; look += 1) {
    await apply({ type: 'xstate.error.actor.look', error: { code: 'offline' } });
    pauses.push(Object.values(timers())[0]);
    await apply({ type: 'look.asked' });
  }
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
});
