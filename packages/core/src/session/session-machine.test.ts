import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import {
  REFRESH_LEAD_MS,
  type SessionContext,
  type SessionEmitted,
  SHORTEST_WAIT_MS,
  sessionMachine,
  untilRefresh,
} from './session-machine.ts';
import { type StoredSession, writeSession } from './stored-session.ts';

const NOW = Date.parse('2026-11-21T00:00:00.000Z');
const MINUTE = 60_000;
const session = (number: number, minutes = 15): StoredSession => ({
  accessToken: `a${number}`,
  refreshToken: `r${number}`,
  expiresAt: new Date(NOW + minutes * MINUTE).toISOString(),
});

const identity = ({ failures }: SessionContext) => (failures > 0 ? 'failing' : undefined);
const paths = transitionPaths(sessionMachine, {
  input: { now: () => NOW, stored: writeSession(session(1)) },
  identity,
  cases: {
    'session.started': [{ session: session(1) }],
    'session.changedElsewhere': [{ session: session(2) }, { session: undefined }],
    'xstate.done.actor.refreshSession': [{ output: session(2) }],
    'xstate.error.actor.refreshSession': [{ error: { code: 'offline' } }, { error: { code: 'unauthenticated' } }],
    'xstate.done.actor.revokeSession': [{ output: undefined }],
    'xstate.error.actor.revokeSession': [{ error: { code: 'offline' } }],
  },
});

const live = (stored: string | null, now: () => number = () => NOW) => {
  const run = liveActor(sessionMachine, ['refreshSession', 'revokeSession'], { now, stored });
  const emitted: SessionEmitted[] = [];
  run.actor.on('session.kept', (event) => emitted.push(event));
  run.actor.on('session.ended', (event) => emitted.push(event));
  return { ...run, emitted };
};

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('session-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems, timers, emitted } = live(writeSession(session(1)));
    for (const step of path.steps) {
      const before = actor.getSnapshot();
      const heard = emitted.length;
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      // A session is held exactly while someone is signed in or is signing out.
      expect(snapshot.context.session !== undefined).toBe(snapshot.matches('active') || snapshot.matches('signingOut'));
      expect(Object.keys(timers())).toHaveLength(snapshot.matches({ active: 'fresh' }) || snapshot.matches({ active: 'retrying' }) ? 1 : 0);
      // Losing the session is announced once, with its reason; nothing else announces an end.
      const ends = emitted.slice(heard).filter(({ type }) => type === 'session.ended');
      const wasSignedIn = before.matches('active') || before.matches('signingOut');
      expect(ends).toHaveLength(step.event.type !== 'xstate.init' && wasSignedIn && snapshot.matches('signedOut') ? 1 : 0);
      if (snapshot.matches('signedOut')) expect(snapshot.context).toMatchObject({ session: undefined, failures: 0 });
    }
    for (const call of calls) expect(Object.values(call.input as object)).not.toContain('');
    expect(problems).toEqual([]);
  });
});

describe('starting', () => {
  test.each([
    ['nothing stored', null],
    ['malformed text', '{"accessToken":"a"}'],
    ['more than the three fields', JSON.stringify({ ...session(1), admin: true })],
  ])('%s is signed out, silently', async (_, stored) => {
    const { actor, apply, calls, emitted } = live(stored);
    await apply({ type: 'xstate.init' });
    expect(actor.getSnapshot().value).toBe('signedOut');
    expect(calls).toEqual([]);
    expect(emitted).toEqual([]);
  });
  test('an expired session is discarded, and its storage with it', async () => {
    const { actor, apply, calls, emitted } = live(writeSession(session(1, 0)));
    await apply({ type: 'xstate.init' });
    expect(actor.getSnapshot().value).toBe('signedOut');
    expect(calls).toEqual([]);
    expect(emitted).toEqual([{ type: 'session.ended', reason: 'expired' }]);
  });
  test('a live session is refreshed at once', async () => {
    const { apply, calls, emitted } = live(writeSession(session(1)));
    await apply({ type: 'xstate.init' });
    expect(calls.map(({ name, input }) => [name, input])).toEqual([['refreshSession', { spent: 'a1' }]]);
    await apply({ type: 'xstate.done.actor.refreshSession', output: session(2) });
    expect(emitted).toEqual([{ type: 'session.kept', session: session(2) }]);
  });
});

describe('refreshing', () => {
  test('is due five minutes before expiry', async () => {
    const { apply, timers } = live(writeSession(session(1)));
    await apply({ type: 'xstate.init' });
    await apply({ type: 'xstate.done.actor.refreshSession', output: session(2, 15) });
    expect(Object.values(timers())).toEqual([10 * MINUTE]);
  });
  test('comes at most once a minute, however short a token lives', () => {
    expect(untilRefresh(session(1, 60), NOW)).toBe(60 * MINUTE - REFRESH_LEAD_MS);
    expect(SHORTEST_WAIT_MS).toBe(MINUTE);
    for (let minutes = -10; minutes <= 6; minutes += 0.1) expect(untilRefresh(session(1, minutes), NOW)).toBe(MINUTE);
    expect(untilRefresh(session(1, 10), NOW)).toBe(5 * MINUTE);
  });
  test('offline keeps trying with growing pauses until the token expires, then signs out', async () => {
    let now = NOW;
    const { actor, apply, timers, calls } = live(writeSession(session(1)), () => now);
    await apply({ type: 'xstate.init' });
    const pauses: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await apply({ type: 'xstate.error.actor.refreshSession', error: { code: 'offline' } });
      expect(actor.getSnapshot().value).toEqual({ active: 'retrying' });
      const [[type, delay]] = Object.entries(timers()) as [[string, number]];
      pauses.push(delay);
      await apply({ type });
    }
    expect(pauses).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(calls).toHaveLength(9);
    now += 15 * MINUTE;
    await apply({ type: 'xstate.error.actor.refreshSession', error: { code: 'offline' } });
    expect(actor.getSnapshot().value).toBe('signedOut');
  });
  test('signing out during a refresh drops its late answer and aborts its call', async () => {
    const { actor, apply, calls, emitted } = live(writeSession(session(1)));
    await apply({ type: 'xstate.init' });
    await apply({ type: 'logout.requested' } as never);
    expect(calls[0]?.signal.aborted).toBe(true);
    await apply({ type: 'xstate.done.actor.refreshSession', output: session(2) });
    await apply({ type: 'xstate.done.actor.revokeSession' });
    expect(actor.getSnapshot().value).toBe('signedOut');
    expect(emitted).toEqual([{ type: 'session.ended', reason: 'logout' }]);
  });
});
