import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamPayload, StreamTopic } from '@pilotfish/core/http/stream-contract';
import type { Context } from '../app/context.ts';
import { visibleWithin } from './visible.ts';

export type Following = {
  topics: readonly StreamTopic[];
  onMessage: <Topic extends StreamTopic>(topic: Topic, payload: StreamPayload<Topic>) => void;
  /** Something was missed: load everything again. */
  onReset: () => void;
  onStatus?: (status: 'connecting' | 'live' | 'offline') => void;
  signal: AbortSignal;
};

/**
 * Follows the server's stream until the signal aborts; reconnects by itself, and holds the session of this profile meanwhile.
 * @throws AppError `unauthenticated` when the session ends meanwhile
 */
export async function follow(context: Context, { topics, onMessage, onReset, onStatus, signal }: Following): Promise<void> {
  const [{ followStream }, { holdSession }] = await Promise.all([
    import('@pilotfish/core/http/client-stream'),
    import('../app/session-actor.ts'),
  ]);
  const [session, speakAsServer] = [await holdSession(context), await serverTexts(context)];
  try {
    await followStream({
      baseUrl: context.profile.url,
      topics: [...topics, 'instance'],
      fetch: context.fetch,
      accessToken: session.accessToken,
      refresh: session.refresh,
      onMessage: (topic, payload) => {
        if (topic === 'instance') speakAsServer();
        else onMessage(topic, context.screen.stdout.isTTY ? visibleWithin(payload) : payload);
      },
      onReset: () => {
        speakAsServer();
        onReset();
      },
      onStatus: (status) => {
        // What changed between the first question and the first moment of listening is told by nobody.
        if (status === 'live') {
          session.restored();
          speakAsServer();
        }
        onStatus?.(status);
      },
      sleep: async (milliseconds, until) => {
        await sleep(milliseconds, undefined, { signal: until, ref: true });
      },
      signal: AbortSignal.any([signal, session.refused]),
    });
  } finally {
    session.release();
  }
  if (signal.aborted) return;
  // It gives up only when the session was refused.
  const { AppError } = await import('@pilotfish/core/http/problem');
  throw new AppError('unauthenticated');
}

/**
 * What stays on the screen says texts as the server's Admin has them: asked for now and whenever they change. A server
 * that does not answer changes nothing.
 */
async function serverTexts(context: Context): Promise<() => void> {
  const { getLocalizationOverrides } = await import('@pilotfish/core/admin/localization-contract');
  const client = await context.client({ getLocalizationOverrides });
  let held: string | undefined;
  const take = () =>
    void client
      .getLocalizationOverrides({ params: { language: context.language }, query: held === undefined ? {} : { since: held } })
      .then(async ({ version, texts }) => {
        held = version;
        if (texts !== null) (await context.texts()).override(texts);
      })
      .catch(() => undefined);
  take();
  return take;
}

/** Says on stderr that the connection is lost and that it is back, once each. */
export function sayingConnection(context: Context): (status: 'connecting' | 'live' | 'offline') => void {
  let lost = false;
  return (status) => {
    if (status === 'offline' && !lost) {
      lost = true;
      void context.say('cli.stream.lost');
    } else if (status === 'live' && lost) {
      lost = false;
      void context.say('cli.stream.back');
    }
  };
}

/**
 * Says the same, and has what is shown looked up each time the stream stands: it begins where it is opened, and what
 * happened between the first question and that is told by nobody.
 */
export function sayingAndAsking(context: Context, ask: () => void): (status: 'connecting' | 'live' | 'offline') => void {
  const say = sayingConnection(context);
  return (status) => {
    say(status);
    if (status === 'live') ask();
  };
}

/** Ends with the process: whoever watches leaves by a signal. */
export function untilEnd(context: Context): AbortController {
  const controller = new AbortController();
  context.atEnd(() => controller.abort());
  return controller;
}

/** Asks again every second until there is an answer; an empty one when whoever watches has left. */
export async function untilAnswered<Item>(ask: () => Promise<Item[]>, signal: AbortSignal): Promise<Item[]> {
  while (!signal.aborted) {
    try {
      return [...(await ask())];
    } catch {
      await sleep(1000, undefined, { signal }).catch(() => undefined);
    }
  }
  return [];
}
