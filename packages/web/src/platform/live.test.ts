import type { StreamOptions } from '@pilotfish/core/http/client-stream';
import { expect, test, vi } from 'vitest';
import { createLive } from './live.ts';

const tick = () => new Promise<void>((done) => setTimeout(done));

/** Streams that are opened, in order; nothing comes by them but what the test says. */
function setUp(isSignedIn = true) {
  const opened: StreamOptions[] = [];
  const live = createLive({
    follow: async (options) => void opened.push(options),
    fetch: vi.fn(),
    accessToken: () => (isSignedIn ? 'token' : undefined),
    refresh: vi.fn(),
    setTimeout: vi.fn(),
    clearTimeout: vi.fn(),
  });
  return { live, opened, last: () => opened.at(-1)! };
}

test('with other topics it goes on after what was heard: a screen that is changed loses no news', async () => {
  const { live, opened, last } = setUp();
  live.on('notifications', () => undefined);
  await tick();
  expect(last()).toMatchObject({ since: undefined, topics: ['instance', 'notifications'] });
  last().onPosition?.('e-4', true);
  last().onPosition?.('e-7', false);
  const leave = live.on('positions', () => undefined);
  await tick();
  expect(last()).toMatchObject({ since: 'e-7', topics: ['instance', 'notifications', 'positions'] });
  // What the one before still had under way counts no more.
  opened[0]?.onPosition?.('e-6', false);
  leave();
  await tick();
  expect(last()).toMatchObject({ since: 'e-7' });
  expect(opened.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
});

test.each([
  { order: 'the answers first', answersFirst: true },
  { order: 'the stream first', answersFirst: false },
])('what happened between an answer and the beginning of the stream is asked for ($order)', async ({ answersFirst }) => {
  const { live, opened, last } = setUp();
  live.on('auto-trades', () => undefined);
  await tick();
  const begin = () => last().onPosition?.('e-12', true);
  const answer = () => {
    for (const position of ['e-10', 'e-9', 'e-12']) live.answered(position);
  };
  for (const step of answersFirst ? [answer, begin] : [begin, answer]) step();
  await tick();
  expect(last()).toMatchObject({ since: 'e-9' });
  const count = opened.length;
  // All is known now, whenever later answers come.
  last().onPosition?.('e-13', false);
  for (const position of ['e-9', 'e-12', 'e-14']) live.answered(position);
  await tick();
  expect(opened).toHaveLength(count);
});

test('nothing is asked for twice where nothing happened in between', async () => {
  const { live, opened, last } = setUp();
  live.on('auto-trades', () => undefined);
  await tick();
  live.answered('e-12');
  last().onPosition?.('e-12', true);
  live.answered('e-13');
  await tick();
  expect(opened).toHaveLength(1);
});

test('an answer of an earlier run of the server is one that lacks something', async () => {
  const { live, last } = setUp();
  live.on('auto-trades', () => undefined);
  await tick();
  live.answered('d-900');
  last().onPosition?.('e-1', true);
  await tick();
  expect(last()).toMatchObject({ since: 'd-900' });
});

test('after a restart of the server it is followed from there on', async () => {
  const { live, opened, last } = setUp();
  live.on('auto-trades', () => undefined);
  await tick();
  last().onPosition?.('d-900', true);
  // The same stream comes back, and is told to load all again.
  last().onPosition?.('e-3', false);
  for (const position of ['e-3', 'e-4']) live.answered(position);
  await tick();
  expect(opened).toHaveLength(1);
  live.answered('e-2');
  await tick();
  expect(last()).toMatchObject({ since: 'e-2' });
});

test('whoever signs in is not told what happened before', async () => {
  const { live, last } = setUp();
  live.on('notifications', () => undefined);
  await tick();
  last().onPosition?.('e-4', true);
  live.sessionChanged();
  live.on('positions', () => undefined);
  await tick();
  expect(last()).toMatchObject({ since: undefined });
});
