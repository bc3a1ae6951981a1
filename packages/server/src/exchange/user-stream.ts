import type { Cancel, Timers } from '@pilotfish/core/time/timers';
import type { AccountEvent, AccountLane, LaneClient, Refusal } from './account-lane.ts';
import type { AccountLanes } from './account-lanes.ts';
import { readRow, type UnreadRow } from './exchange-rows.ts';
import { type ExecutionReport, executionReports } from './payloads.ts';
import type { Signer } from './signing.ts';

export type UserStream = {
  close(): void;
  readonly ready: boolean;
  /** Leaves the connection for another one; `onReady` then has what was missed asked for. Others on it are not touched. */
  renew(): void;
};

const RESUBSCRIBE_MS = { first: 2000, most: 60_000 };
/** A subscription that is ended again so soon is not taken up at once. */
const ENDED_AGAIN_MS = 60_000;
/** Events after which the account holds something else, or less of it is free. */
const BALANCE_EVENTS: ReadonlySet<string> = new Set(['outboundAccountPosition', 'balanceUpdate', 'externalLockUpdate']);
/** An answer comes at once. A connection that owes one for so long is left for another; longer each time. */
const ANSWER_MS = { first: 15_000, most: 5 * 60_000 };
/** How long the old connection is read on once the new one carries the account. */
const OVERLAP_MS = 3000;
/** If the new one brings nothing by then although the old one does, the old one stays. */
const MOST_OVERLAP_MS = 15_000;

/**
 * The events of one account by the WebSocket API (`userDataStream.subscribe.signature`; the older listen keys are gone
 * since 2026-02-20), on a connection that it shares with others. Where the connection is about to end, the account moves to
 * another one without a gap: both are read for a moment, and the owner has to recognise what comes twice.
 *
 * What concerns this account alone (a refusal, an end, an answer that does not come) is settled by subscribing again or by
 * moving it to another connection, never by ending the one that others are on.
 */
export function userStream(options: {
  lanes: AccountLanes;
  signer: Signer;
  /** Subscribes before others. */
  isUrgent?: () => boolean;
  now: () => number;
  timers: Pick<Timers, 'after'>;
  onExecution: (report: ExecutionReport) => void;
  /** An execution that cannot be read: something happened, and what it was has to be asked for. */
  onUnread: (rows: readonly UnreadRow[]) => void;
  onBalances: () => void;
  /**
   * The account is listened to, for the first time or again after `gapMs` (0 at first) in which events may have been missed:
   * counted from the last frame of the connection that fell, or, where the connection stood and is not believed, from the
   * account's last event.
   */
  onReady: (gapMs: number) => void;
  onRefused: (code: number | undefined, message: string) => void;
  onDown?: (reason: string) => void;
}): UserStream {
  const { lanes, timers, now } = options;
  type Moving = { readonly lane: AccountLane; acceptedAt: number | undefined; hasSpoken: boolean; hasOldSpoken: boolean };
  let lane: AccountLane | undefined;
  /** Where it goes to while `lane` is still read. */
  let moving: Moving | undefined;
  let ready = false;
  let isClosed = false;
  /** Up to then nothing was missed, epoch ms; 0 before the first subscription. */
  let completeUntil = 0;
  let lastEventAt = 0;
  let endedAt = Number.NEGATIVE_INFINITY;
  let refusals = 0;
  /** In a row, each soon after the one before. */
  let ends = 0;
  let unanswered = 0;
  /** Each connection's own: one that waits to be asked again must not be forgotten for what another says. */
  const retries = new Map<AccountLane, Cancel>();
  let overlap: Cancel | undefined;

  /** Waits twice as long each time. */
  const again = (on: AccountLane, time: number, work: () => void, atLeastMs = 0): void => {
    stopRetry(on);
    retries.set(on, timers.after(Math.max(atLeastMs, Math.min(RESUBSCRIBE_MS.most, RESUBSCRIBE_MS.first * 2 ** time)), work));
  };
  const stopRetry = (on: AccountLane | undefined): void => {
    if (on === undefined) return;
    retries.get(on)?.();
    retries.delete(on);
  };

  /** Subscribes elsewhere, and is not listened to until then. */
  function moveAway(): void {
    const before = lane;
    stopRetry(before);
    lane = lanes.pick([before]);
    before?.remove(client);
    lane.add(client);
  }
  /** Subscribes elsewhere while the old connection is read on. */
  function moveSeamlessly(not?: AccountLane): void {
    overlap?.();
    moving = { lane: lanes.pick([lane, not]), acceptedAt: undefined, hasSpoken: false, hasOldSpoken: false };
    moving.lane.add(client);
  }
  function stopMoving(): void {
    overlap?.();
    const before = moving?.lane;
    stopRetry(before);
    moving = undefined;
    before?.remove(client);
  }
  /** The new connection is the one from now on. */
  function arrive({ lane: next, acceptedAt }: Moving): void {
    overlap?.();
    moving = undefined;
    const before = lane;
    stopRetry(before);
    lane = next;
    // A connection that died without a word is noticed after a minute only: what it did not bring until here is missing.
    const isMissing = ready && acceptedAt !== undefined && before !== undefined && before.aliveAt < acceptedAt;
    if (isMissing) completeUntil = before.aliveAt;
    before?.remove(client);
    if (isMissing) restore();
  }
  function lookLater(move: Moving): void {
    overlap = timers.after(OVERLAP_MS, () => {
      const isDeaf = move.hasOldSpoken && !move.hasSpoken;
      if (!isDeaf) arrive(move);
      else if (now() - (move.acceptedAt ?? 0) < MOST_OVERLAP_MS) lookLater(move);
      else stopMoving();
    });
  }
  function lose(since: number, reason: string): void {
    stopRetry(lane);
    if (ready) completeUntil = since;
    ready = false;
    options.onDown?.(reason);
  }
  function restore(): void {
    ready = true;
    lastEventAt = now();
    const gapMs = completeUntil === 0 ? 0 : now() - completeUntil;
    completeUntil = now();
    options.onReady(gapMs);
  }

  function read(event: AccountEvent): void {
    lastEventAt = now();
    if (event.e === 'executionReport') {
      const report = readRow(executionReports, event, options.onUnread);
      if (report) options.onExecution(report);
    } else if (BALANCE_EVENTS.has(event.e ?? '')) options.onBalances();
  }

  const client: LaneClient = {
    signer: options.signer,
    isUrgent: options.isUrgent ?? (() => false),
    answerMs: () => Math.min(ANSWER_MS.most, ANSWER_MS.first * 2 ** unanswered),
    accepted: (on) => {
      unanswered = 0;
      if (moving?.lane === on && ready) {
        moving.acceptedAt = now();
        lane?.probe();
        return lookLater(moving);
      }
      if (moving?.lane === on) arrive(moving);
      if (on !== lane) return on.remove(client);
      refusals = 0;
      restore();
    },
    refused: (on, { code, message, mustMove, retryAfterMs }: Refusal) => {
      options.onRefused(code, message);
      // An account without a subscription does not learn of its fills: a wrong clock or a limit passes.
      const retryNow = (): void => {
        if (on === lane) {
          if (mustMove) moveAway();
          else on.subscribe(client);
        } else if (moving?.lane === on) {
          if (!mustMove) on.subscribe(client);
          else {
            stopMoving();
            moveSeamlessly(on);
          }
        }
      };
      again(on, refusals++, retryNow, retryAfterMs);
    },
    unanswered: (on) => {
      unanswered += 1;
      if (on === lane) {
        if (moving) arrive(moving);
        else moveAway();
      } else if (moving?.lane === on) {
        stopMoving();
        moveSeamlessly(on);
      }
    },
    ended: (on) => {
      if (on !== lane) {
        if (moving?.lane === on) stopMoving();
        return;
      }
      if (moving?.acceptedAt !== undefined) return arrive(moving);
      if (ready) completeUntil = now();
      ready = false;
      ends = now() - endedAt < ENDED_AGAIN_MS ? ends + 1 : 0;
      endedAt = now();
      if (ends === 0) on.subscribe(client);
      else again(on, ends - 1, () => on === lane && on.subscribe(client));
    },
    event: (on, event) => {
      if (moving?.acceptedAt !== undefined) {
        if (on === lane) moving.hasOldSpoken = true;
        else moving.hasSpoken = true;
      }
      read(event);
    },
    fell: (on, reason) => {
      if (on !== lane) {
        if (moving?.lane === on) stopMoving();
        return;
      }
      if (moving?.acceptedAt !== undefined) return arrive(moving);
      lose(on.aliveAt, reason);
      if (moving) arrive(moving);
    },
    mustLeave: (on, isSeamless) => {
      if (on !== lane) {
        if (moving?.lane === on) stopMoving();
      } else if (!isSeamless || !ready) {
        if (moving) stopMoving();
        lose(lastEventAt, 'left');
        moveAway();
      } else if (!moving) moveSeamlessly();
    },
  };
  lane = lanes.pick();
  lane.add(client);

  return {
    close: () => {
      isClosed = true;
      stopRetry(lane);
      stopMoving();
      ready = false;
      lane?.remove(client);
    },
    renew: () => {
      if (isClosed || !ready) return;
      stopMoving();
      lose(lastEventAt, 'not believed');
      moveAway();
    },
    get ready() {
      return ready && lane?.isOpen === true;
    },
  };
}
