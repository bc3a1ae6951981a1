import type { Cancel, Timers } from '@pilotfish/core/time/timers';

/** An order's event comes before its answer, or moments after; longer, and others may be missing, too. */
const EVENT_MS = 10_000;
/** A stream that spoke so lately is not doubted for what somebody else found. */
const SPOKE_MS = 60_000;
/** Between two new connections for want of an event; doubled while no event comes at all. */
const PAUSE_MS = { first: 60_000, most: 30 * 60_000 };
/** Orders remembered: an event may come before the answer that names what is waited for. */
const REMEMBERED = 500;

export type StreamDoubts = ReturnType<typeof streamDoubts>;

/**
 * Watches an account's stream for a silence that its connection does not show. Nobody may trade for days, so silence
 * alone says nothing; an order of ours without its event, or balances that moved without a word, do.
 */
export function streamDoubts(options: {
  isReady: () => boolean;
  /** Ends the connection for a new one, after which everybody asks for what was missed. */
  renew: (why: string) => void;
  now: () => number;
  timers: Pick<Timers, 'after'>;
}) {
  const { now, timers } = options;
  const heard = new Set<string>();
  const expected = new Map<string, Cancel>();
  let spokeAt = 0;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let pause = PAUSE_MS.first;

  function renew(why: string): void {
    if (!options.isReady() || now() - renewedAt < pause) return;
    pause = Math.min(PAUSE_MS.most, pause * 2);
    renewedAt = now();
    options.renew(why);
  }

  return {
    /** The stream brought something; `clientOrderId` where it was about an order. */
    spoke: (clientOrderId?: string): void => {
      spokeAt = now();
      pause = PAUSE_MS.first;
      if (clientOrderId === undefined) return;
      expected.get(clientOrderId)?.();
      expected.delete(clientOrderId);
      heard.delete(clientOrderId);
      heard.add(clientOrderId);
      if (heard.size > REMEMBERED) heard.delete(heard.values().next().value as string);
    },
    /** An order was taken by the exchange: the stream must tell of it soon. */
    expect: (clientOrderId: string): void => {
      if (heard.has(clientOrderId) || expected.has(clientOrderId)) return;
      const late = () => {
        expected.delete(clientOrderId);
        renew('an order was not told of');
      };
      expected.set(clientOrderId, timers.after(EVENT_MS, late));
    },
    /** Somebody found what the stream should have told. */
    doubt: (why: string): void => {
      if (now() - spokeAt > SPOKE_MS) renew(why);
    },
    stop: (): void => {
      for (const cancel of expected.values()) cancel();
      expected.clear();
    },
  };
}
