import { describe, expect, test } from 'vitest';
import {
  connectionIdentity as identity,
  connectionKeys as keys,
  pathsOfAConnection as paths,
} from '../../testing/exchange-connection-paths.ts';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionTable } from '../../testing/machine-paths.ts';
import { type ExchangeConnectionEmitted, exchangeConnectionMachine } from './exchange-connection-machine.ts';

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('exchange-connection-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = liveActor(exchangeConnectionMachine, [
      'getPermissions',
      'connect',
      'disconnect',
      'createDemoAccount',
    ]);
    const emitted: ExchangeConnectionEmitted[] = [];
    actor.on('connection.changed', (event) => emitted.push(event));
    actor.on('connection.failed', (event) => emitted.push(event));
    for (const step of path.steps) {
      const heard = emitted.length;
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      const { context } = snapshot;
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      // Keys that are being replaced stay connected until others are good.
      if (snapshot.matches('connected') || snapshot.matches('replacing')) expect(context.permissions).toBeDefined();
      if (snapshot.matches('disconnected')) expect(context.permissions).toBeUndefined();
      // A secret the user typed is never held; only the demo's offer is, until it is submitted.
      expect(context.offeredKeys !== undefined).toBe(JSON.stringify(context).includes(keys.clientSecret));
      const hasForm = snapshot.matches('disconnected') || snapshot.matches('replacing') || snapshot.matches('creatingDemo');
      if (!hasForm) expect(context.offeredKeys).toBeUndefined();
      // A refused write is announced for a toast; every change of the connection is announced once.
      const { type } = step.event;
      const said = emitted
        .slice(heard)
        .map((event) => (event.type === 'connection.changed' ? `changed:${event.connected}` : `failed:${event.problem.code}`));
      if (type === 'xstate.done.actor.connect') expect(said).toEqual(['changed:true']);
      else if (snapshot.matches('disconnected') && type.endsWith('.disconnect')) expect(said).toEqual(['changed:false']);
      else if (/^xstate\.error\.actor\.(connect|disconnect|createDemoAccount)$/.test(type))
        expect(said).toEqual([`failed:${context.problem?.code}`]);
      else expect(said).toEqual([]);
    }
    for (const { name, input } of calls) if (name === 'connect') expect(input).toEqual(keys);
    expect(problems).toEqual([]);
  });
});
