import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { ConnectionBudget } from './connection-budget.ts';
import { RECV_WINDOW_MS } from './exchange-rest.ts';
import { liveSocket } from './live-socket.ts';
import { pauseMs } from './request-gate.ts';
import { type Signer, signedSocketParameters } from './signing.ts';

/** Most accounts of one connection. The exchange allows 1,000 and advises fewer: a lost connection takes all its accounts along. */
export const MOST_ACCOUNTS = 200;
/** Longest wait between two messages of a connection; at random from half of it. */
const MESSAGE_EVERY_MS = 50;
/** Cost of a subscription, and of opening a connection, in the weight that REST uses too. */
const WEIGHT = 2;
/** The connection listens to this account: an earlier subscription was not ended, or its answer was lost. */
const ALREADY_LISTENING = -2035;
/** There is no such subscription: it has ended. */
const NOT_LISTENING = -2036;
/** The connection carries as many as it may. */
const TOO_MANY = -1034;
/** A request to end a subscription is sent again after this, and later each time, until the exchange confirms the end. */
const END_AGAIN_MS = { first: 15_000, most: 5 * 60_000 };
/** Longest wait before a ping that many accounts share. */
const PROBE_MS = 1000;

export type AccountEvent = { readonly e?: string };
export type Refusal = {
  readonly code: number | undefined;
  readonly message: string;
  /** The connection cannot have this account; another one may. */
  readonly mustMove: boolean;
  /** Shortest wait before the next request. */
  readonly retryAfterMs: number;
};

/** An account as its connection sees it: what became of its subscription, and its events. */
export type LaneClient = {
  readonly signer: Signer;
  /** Money moves on it now: it subscribes before others. */
  readonly isUrgent: () => boolean;
  /** How long to wait for its next answer. */
  readonly answerMs: () => number;
  accepted(lane: AccountLane): void;
  refused(lane: AccountLane, refusal: Refusal): void;
  /** Its subscription got no answer in time. Pings are still answered then, so nothing else would notice that its events are missing. */
  unanswered(lane: AccountLane): void;
  /** The subscription was ended by the exchange; the connection stays. */
  ended(lane: AccountLane): void;
  event(lane: AccountLane, event: AccountEvent): void;
  /** The connection is down. Once it is back the lane subscribes again by itself. */
  fell(lane: AccountLane, reason: string): void;
  /** The account must take another connection; if seamless, this one is read until the other one is ready. */
  mustLeave(lane: AccountLane, isSeamless: boolean): void;
};

export type AccountLane = {
  /** Subscribes, now or once the connection is open, and after each reconnect. */
  add(client: LaneClient): void;
  /** Subscribes again after a refusal or an end. */
  subscribe(client: LaneClient): void;
  /** Ends the subscription; a connection without accounts is closed. */
  remove(client: LaneClient): void;
  clients(): LaneClient[];
  readonly size: number;
  readonly isOpen: boolean;
  /** Takes no more accounts: it is about to end. */
  isLeaving: boolean;
  /** Its only account has a subscription without a name, so that every event is its own. */
  readonly isAlone: boolean;
  /** It owes answers, and has given none since. */
  readonly isSilent: boolean;
  /** Wall-clock ms of the last frame of any kind: everything that was sent before has arrived. */
  readonly aliveAt: number;
  /** Sends a ping within a second; `aliveAt` then says whether the connection still carries anything. */
  probe(): void;
  close(): Promise<void>;
};

type Entry = { subscriptionId: number | undefined; pending: number | undefined; patience: Cancel | undefined };
type Frame = {
  readonly id?: number | null;
  readonly status?: number;
  readonly result?: { readonly subscriptionId?: number } | null;
  readonly error?: { readonly code?: number; readonly msg?: string; readonly data?: { serverTime?: number; retryAfter?: number } };
  readonly subscriptionId?: number | null;
  readonly event?: AccountEvent;
};

/**
 * One connection of the WebSocket API with the subscriptions of several accounts. What happens to the subscription of one
 * account is reported to that account alone.
 */
export function accountLane(options: {
  origin: string;
  budget: ConnectionBudget;
  /** Takes weight from the budget that REST uses too. */
  spend: (weight: number) => Promise<void>;
  /** The exchange refused a request for a limit (429), or banned the address (418). */
  limited: (status: number, forMs: number) => void;
  /** The exchange's clock, ms. */
  time: () => number;
  now: () => number;
  timers: Timers;
  random: () => number;
  onEmpty: (lane: AccountLane) => void;
  /** Answers carry no subscription id: events cannot be assigned while several accounts share the connection. */
  onNameless: (lane: AccountLane) => void;
}): AccountLane {
  const { timers } = options;
  const clients = new Map<LaneClient, Entry>();
  const named = new Map<number, LaneClient>();
  /** By the number of the request. */
  const asked = new Map<number, LaneClient>();
  const toSubscribe = new Set<LaneClient>();
  const toEnd: number[] = [];
  /** Subscriptions whose end the exchange has not confirmed: until then they count there, and their events arrive. */
  const ending = new Map<number, { tries: number; retry: Cancel | undefined }>();
  /** Which subscription a request ends, by the number of the request. */
  const askedToEnd = new Map<number, number>();
  let requests = 1;
  let isAlone = false;
  let silent = 0;
  let isPumping = false;
  let isClosed = false;
  let pace: Cancel | undefined;
  let probing: Cancel | undefined;

  /** Sends one message, then the others at their pace. */
  async function pump(): Promise<void> {
    if (isPumping || isClosed || socket.state !== 'open' || toSubscribe.size + toEnd.length === 0) return;
    isPumping = true;
    await options.spend(WEIGHT);
    if (!isClosed && socket.state === 'open') sendNext();
    pace = timers.after(MESSAGE_EVERY_MS * (0.5 + options.random() / 2), () => {
      isPumping = false;
      void pump();
    });
  }

  function sendNext(): void {
    const subscriptionId = toEnd.shift();
    if (subscriptionId !== undefined) {
      sendEnd(subscriptionId);
      return;
    }
    const all = [...toSubscribe];
    const client = all.find(({ isUrgent }) => isUrgent()) ?? all[0];
    const entry = client && clients.get(client);
    if (!client || !entry) return;
    toSubscribe.delete(client);
    entry.patience?.();
    entry.patience = timers.after(client.answerMs(), () => {
      entry.pending = undefined;
      silent += 1;
      client.unanswered(lane);
    });
    const id = requests++;
    entry.pending = id;
    asked.set(id, client);
    // Signed when it leaves, not when it was queued: what is too old is refused.
    const parameters = { timestamp: options.time(), recvWindow: RECV_WINDOW_MS };
    socket.send({ id, method: 'userDataStream.subscribe.signature', params: signedSocketParameters(client.signer, parameters) });
  }

  function sendEnd(subscriptionId: number): void {
    const entry = ending.get(subscriptionId);
    if (!entry) return;
    const id = requests++;
    askedToEnd.set(id, subscriptionId);
    // A refusal and an answer that never comes are the same here.
    entry.retry = timers.after(Math.min(END_AGAIN_MS.most, END_AGAIN_MS.first * 2 ** entry.tries++), () => {
      toEnd.push(subscriptionId);
      void pump();
    });
    socket.send({ id, method: 'userDataStream.unsubscribe', params: { subscriptionId } });
  }

  function end(subscriptionId: number): void {
    named.delete(subscriptionId);
    if (socket.state !== 'open' || ending.has(subscriptionId)) return;
    ending.set(subscriptionId, { tries: 0, retry: undefined });
    toEnd.push(subscriptionId);
    void pump();
  }
  function hasEnded(subscriptionId: number): void {
    ending.get(subscriptionId)?.retry?.();
    ending.delete(subscriptionId);
  }
  function forgetEnds(): void {
    for (const subscriptionId of ending.keys()) hasEnded(subscriptionId);
    askedToEnd.clear();
    toEnd.length = 0;
  }

  /** How long the exchange forbids further requests, ms. After a limit or a ban everything that uses the weight waits so long. */
  function pauseOf({ status = 0, error }: Frame): number {
    const { retryAfter, serverTime } = error?.data ?? {};
    const forMs = pauseMs(status, retryAfter === undefined ? undefined : retryAfter - (serverTime ?? options.time()));
    if (status === 429 || status === 418) options.limited(status, forMs);
    return forMs;
  }

  function answered(id: number, frame: Frame): void {
    const { status = 0, result, error } = frame;
    const forMs = pauseOf(frame);
    const askedEnd = askedToEnd.get(id);
    if (askedEnd !== undefined) {
      askedToEnd.delete(id);
      if (status === 200 || error?.code === NOT_LISTENING) hasEnded(askedEnd);
      return;
    }
    const client = asked.get(id);
    if (!client) return;
    asked.delete(id);
    silent = 0;
    const subscriptionId = result?.subscriptionId;
    const entry = clients.get(client);
    if (!entry || entry.pending !== id) {
      // The account left while its answer was on the way: its events would arrive here unread.
      if (status === 200 && subscriptionId !== undefined) end(subscriptionId);
      return;
    }
    entry.pending = undefined;
    entry.patience?.();
    const isListening = status === 200 || error?.code === ALREADY_LISTENING;
    if (isListening && subscriptionId === undefined) {
      if (clients.size === 1) isAlone = true;
      else if (status === 200) {
        options.onNameless(lane);
        return;
      }
    }
    if (status === 200 || (isListening && isAlone)) {
      entry.subscriptionId = subscriptionId;
      if (subscriptionId !== undefined) named.set(subscriptionId, client);
      client.accepted(lane);
      return;
    }
    client.refused(lane, {
      code: error?.code,
      message: error?.msg ?? `status ${status}`,
      mustMove: error?.code === ALREADY_LISTENING || error?.code === TOO_MANY,
      retryAfterMs: forMs,
    });
  }

  /** An event of a subscription that is not known here belongs to an account that has left. */
  const ownerOf = (subscriptionId: number | null | undefined): LaneClient | undefined => {
    const owner = subscriptionId == null ? undefined : named.get(subscriptionId);
    return owner ?? (isAlone ? clients.keys().next().value : undefined);
  };

  function onOpen(): void {
    lane.isLeaving = false;
    isAlone = false;
    silent = 0;
    named.clear();
    asked.clear();
    forgetEnds();
    for (const [client, entry] of clients) {
      entry.patience?.();
      Object.assign(entry, { subscriptionId: undefined, pending: undefined });
      toSubscribe.add(client);
    }
    void pump();
  }

  function onDown(reason: string): void {
    toSubscribe.clear();
    forgetEnds();
    for (const entry of clients.values()) {
      entry.patience?.();
      entry.pending = undefined;
    }
    for (const client of lane.clients()) client.fell(lane, reason);
  }

  const socket = liveSocket({
    url: () => `${options.origin}/ws-api/v3`,
    now: options.now,
    timers,
    random: options.random,
    permit: (open) => {
      let isWanted = true;
      let leave = () => {};
      // The budget last: while the weight is waited for, the exchange may refuse another connection for having too many.
      void options.spend(WEIGHT).then(() => {
        if (isWanted) leave = options.budget.enter(open, true);
      });
      return () => {
        isWanted = false;
        leave();
      };
    },
    onRefused: (status, forMs) => options.budget.refused(status, forMs),
    onOpen,
    onMessage: (message) => {
      const frame = message as Frame;
      if (typeof frame.id === 'number' && frame.status !== undefined) {
        answered(frame.id, frame);
        return false;
      }
      if (frame.event === undefined) return false;
      if (frame.event.e === 'eventStreamTerminated' && frame.subscriptionId != null) hasEnded(frame.subscriptionId);
      const client = ownerOf(frame.subscriptionId);
      if (!client) return false;
      if (frame.event.e !== 'eventStreamTerminated') {
        client.event(lane, frame.event);
        return true;
      }
      if (frame.subscriptionId != null) named.delete(frame.subscriptionId);
      const entry = clients.get(client);
      if (entry) entry.subscriptionId = undefined;
      client.ended(lane);
      return false;
    },
    onRetire: () => {
      lane.isLeaving = true;
      for (const client of lane.clients()) client.mustLeave(lane, true);
    },
    onDown,
  });

  const lane: AccountLane = {
    add: (client) => {
      if (!clients.has(client)) clients.set(client, { subscriptionId: undefined, pending: undefined, patience: undefined });
      lane.subscribe(client);
    },
    subscribe: (client) => {
      if (!clients.has(client) || socket.state !== 'open') return;
      toSubscribe.add(client);
      void pump();
    },
    remove: (client) => {
      const entry = clients.get(client);
      if (!entry) return;
      entry.patience?.();
      clients.delete(client);
      toSubscribe.delete(client);
      if (clients.size === 0) return options.onEmpty(lane);
      if (entry.subscriptionId !== undefined) end(entry.subscriptionId);
    },
    clients: () => [...clients.keys()],
    get size() {
      return clients.size;
    },
    get isOpen() {
      return socket.state === 'open';
    },
    isLeaving: false,
    get isAlone() {
      return isAlone;
    },
    get isSilent() {
      return silent > 0;
    },
    get aliveAt() {
      return socket.aliveAt;
    },
    probe: () => {
      probing ??= timers.after(PROBE_MS, () => {
        probing = undefined;
        socket.ping();
      });
    },
    close: async () => {
      isClosed = true;
      pace?.();
      probing?.();
      forgetEnds();
      for (const { patience } of clients.values()) patience?.();
      await socket.close();
    },
  };
  return lane;
}
