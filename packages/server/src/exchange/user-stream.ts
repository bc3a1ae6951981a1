import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import { RECV_WINDOW_MS } from './exchange-rest.ts';
import { readRow, type UnreadRow } from './exchange-rows.ts';
import { liveSocket } from './live-socket.ts';
import { type ExecutionReport, executionReports } from './payloads.ts';
import { type Signer, signedSocketParameters } from './signing.ts';

export type UserStream = {
  close(): Promise<void>;
  readonly ready: boolean;
  /** Ends the connection for a new one; `onReady` then has what was missed asked for. */
  renew(): void;
};

const RESUBSCRIBE_MS = { first: 2000, most: 60_000 };
/** The connection listens to this account: an earlier subscription was not ended, or its answer was lost. */
const ALREADY_LISTENING = -2035;
/** Events after which the account holds something else, or less of it is free. */
const BALANCE_EVENTS: ReadonlySet<string> = new Set(['outboundAccountPosition', 'balanceUpdate', 'externalLockUpdate']);
/** An answer comes at once. A connection that owes one for so long is ended for another; longer each time. */
const ANSWER_MS = { first: 15_000, most: 5 * 60_000 };

/**
 * Account events by the WebSocket API (`userDataStream.subscribe.signature`; the older listen keys are gone since
 * 2026-02-20). After every reconnect `onReady` says how long nothing was heard, so that the owner can ask what it missed.
 */
export function userStream(options: {
  origin: string;
  signer: Signer;
  /** The exchange's clock, ms. */
  time: () => number;
  now: () => number;
  timers: Timers;
  random: () => number;
  onExecution: (report: ExecutionReport) => void;
  /** An execution that cannot be read: something happened, and what it was has to be asked for. */
  onUnread: (rows: readonly UnreadRow[]) => void;
  onBalances: () => void;
  onReady: (gapMs: number) => void;
  onRefused: (code: number | undefined, message: string) => void;
  onDown?: (reason: string) => void;
}): UserStream {
  const { timers } = options;
  let ready = false;
  let requests = 1;
  let pending = 0;
  let gap = 0;
  let refusals = 0;
  let unanswered = 0;
  let retry: Cancel | undefined;
  let patience: Cancel | undefined;
  const subscribe = (send: (message: unknown) => void) => {
    ready = false;
    retry?.();
    patience?.();
    const wait = Math.min(ANSWER_MS.most, ANSWER_MS.first * 2 ** unanswered);
    // Pings are answered all the same: nothing else would notice that the account is not listened to.
    patience = timers.after(wait, () => {
      unanswered += 1;
      socket.renew();
    });
    pending = requests++;
    send({
      id: pending,
      method: 'userDataStream.subscribe.signature',
      params: signedSocketParameters(options.signer, { timestamp: options.time(), recvWindow: RECV_WINDOW_MS }),
    });
  };
  const socket = liveSocket({
    url: () => `${options.origin}/ws-api/v3`,
    now: options.now,
    timers,
    random: options.random,
    onOpen: (send, gapMs) => {
      gap = gapMs;
      subscribe(send);
    },
    onMessage: (message) => {
      const { id, status, error, event } = message as {
        id?: number;
        status?: number;
        error?: { code?: number; msg?: string };
        event?: { e?: string };
      };
      if (id === pending && status !== undefined) {
        patience?.();
        unanswered = 0;
        if (status === 200 || error?.code === ALREADY_LISTENING) {
          ready = true;
          refusals = 0;
          options.onReady(gap);
        } else {
          options.onRefused(error?.code, error?.msg ?? `status ${status}`);
          // An account that is not listened to does not hear of its fills: a wrong clock or a limit passes.
          const wait = Math.min(RESUBSCRIBE_MS.most, RESUBSCRIBE_MS.first * 2 ** refusals++);
          retry = timers.after(wait, () => subscribe(socket.send));
        }
        return false;
      }
      if (event?.e === 'eventStreamTerminated') {
        // The socket stays, the account's events do not.
        subscribe(socket.send);
        return false;
      }
      if (event?.e === 'executionReport') {
        const report = readRow(executionReports, event, options.onUnread);
        if (report) options.onExecution(report);
      } else if (BALANCE_EVENTS.has(event?.e ?? '')) options.onBalances();
      return event !== undefined;
    },
    onDown: (reason) => {
      ready = false;
      retry?.();
      patience?.();
      options.onDown?.(reason);
    },
  });
  return {
    close: () => {
      retry?.();
      patience?.();
      return socket.close();
    },
    renew: () => socket.renew(),
    get ready() {
      return ready && socket.state === 'open';
    },
  };
}
