import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { RequestGate } from './request-gate.ts';

/** The exchange counts WebSocket connections by address, those that fail too: 300 in five minutes. */
const WINDOW_MS = 5 * 60_000;
/** Fewer than the exchange allows, because a restart of the server forgets the count. Ordinary connections leave room for urgent ones. */
const MOST = { ordinary: 200, urgent: 250 };
/** Waiting connections open one by one, up to this far apart, so that a thousand servers cut at once do not all return at once. */
const SPREAD_MS = 1000;

export type ConnectionBudget = {
  /**
   * Calls `open` as soon as one more connection may be opened: at once where there is room, urgent ones first.
   * @returns a function that leaves the queue
   */
  enter(open: () => void, isUrgent: boolean): Cancel;
  /** The exchange answered a handshake with this status instead of a connection. After 418 and 429 none is opened for `forMs`. */
  refused(status: number, forMs: number): void;
};

/** One count of every WebSocket connection that this process opens to an exchange. */
export function connectionBudget({
  now,
  timers,
  random,
  gate,
}: {
  now: () => number;
  timers: Pick<Timers, 'after'>;
  /** 0…1 */
  random: () => number;
  /** Knows of bans; without it there are none. */
  gate?: Pick<RequestGate, 'connectionRefused' | 'connectionsFrom'>;
}): ConnectionBudget {
  type Waiting = { readonly open: () => void; readonly isUrgent: boolean };
  let opened: number[] = [];
  const waiting: Waiting[] = [];
  let timer: Cancel | undefined;

  const mostFor = (isUrgent: boolean): number => (isUrgent ? MOST.urgent : MOST.ordinary);
  /** When the next of these may open, epoch ms; the past where there is room. */
  const roomAt = (isUrgent: boolean): number => {
    const at = now();
    opened = opened.filter((each) => at - each < WINDOW_MS);
    const most = mostFor(isUrgent);
    const roomFrom = opened.length < most ? at : opened[opened.length - most]! + WINDOW_MS;
    return Math.max(roomFrom, gate?.connectionsFrom ?? 0);
  };
  const take = ({ open }: Waiting): void => {
    opened.push(now());
    open();
  };
  const foremost = (): Waiting | undefined => waiting.find(({ isUrgent }) => isUrgent) ?? waiting[0];

  function later(): void {
    const first = foremost();
    if (timer || !first) return;
    const wait = Math.max(0, roomAt(first.isUrgent) - now()) + random() * SPREAD_MS;
    timer = timers.after(
      wait,
      () => {
        timer = undefined;
        const next = foremost();
        if (next && roomAt(next.isUrgent) <= now()) {
          waiting.splice(waiting.indexOf(next), 1);
          take(next);
        }
        later();
      },
      { ref: true },
    );
  }

  return {
    refused: (status, forMs) => gate?.connectionRefused(status, forMs),
    enter: (open, isUrgent) => {
      const entry = { open, isUrgent };
      const isNext = isUrgent ? !waiting.some((each) => each.isUrgent) : waiting.length === 0;
      if (isNext && roomAt(isUrgent) <= now()) {
        take(entry);
        return () => undefined;
      }
      waiting.push(entry);
      // An urgent one may have room where the one that is waited for has none.
      timer?.();
      timer = undefined;
      later();
      return () => {
        const index = waiting.indexOf(entry);
        if (index >= 0) waiting.splice(index, 1);
        if (waiting.length > 0) return;
        timer?.();
        timer = undefined;
      };
    },
  };
}
