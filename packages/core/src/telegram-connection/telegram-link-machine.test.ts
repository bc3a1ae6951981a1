import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionTable } from '../../testing/machine-paths.ts';
import { pathsOfATelegramLink as paths, telegramLinkIdentity, telegramLinkInput } from '../../testing/telegram-link-paths.ts';
import { type TelegramLinkEmitted, telegramLinkMachine } from './telegram-link-machine.ts';

const CALLS = ['getLink', 'connect', 'disconnect'];

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, telegramLinkIdentity as never)).toMatchFileSnapshot('telegram-link-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems, timers } = liveActor(telegramLinkMachine, CALLS, telegramLinkInput);
    const emitted: TelegramLinkEmitted[] = [];
    actor.on('*', (event) => emitted.push(event));
    for (const { event, state } of path.steps) {
      const heard = emitted.length;
      await apply(event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: 'active', value: state.value });
      const { link, problem } = snapshot.context;
      if (snapshot.matches('linked')) expect(link?.connected).toBe(true);
      if (snapshot.matches('offered') || snapshot.matches('over')) expect(link?.link).toBeDefined();
      // Only a code that is shown grows old, and it does when the server says so.
      expect(Object.values(timers())).toEqual(snapshot.matches('offered') ? [600_000] : []);
      const said = emitted.slice(heard).map((each) => (each.type === 'link.changed' ? each.linked : each.problem.code));
      const { type } = event;
      if (type === 'xstate.done.actor.connect') expect(said).toEqual([true]);
      else if (type === 'xstate.done.actor.disconnect') expect(said).toEqual([false]);
      else if (/^xstate\.error\.actor\.(connect|disconnect)$/.test(type)) expect(said).toEqual([problem?.code]);
      else expect(said).toEqual([]);
    }
    for (const { name, input } of calls) if (name === 'connect') expect(input).toEqual({ code: 'from-the-chat' });
    expect(problems).toEqual([]);
  });
});

test('a code that is there from the start is sent before anything is asked, which would end it', async () => {
  const { actor, apply, calls } = liveActor(telegramLinkMachine, CALLS, { now: () => 0, code: 'from-the-chat' });
  await apply({ type: 'xstate.init' });
  expect(calls.map(({ name, input }) => [name, input])).toEqual([['connect', { code: 'from-the-chat' }]]);
  await apply({ type: 'xstate.done.actor.connect' });
  expect(calls.map(({ name }) => name)).toEqual(['connect', 'getLink']);
  expect(actor.getSnapshot().context.code).toBe('');
});
