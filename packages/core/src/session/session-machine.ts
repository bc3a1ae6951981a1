import { assign, emit, fromPromise, setup } from 'xstate';
import { isConnectivity } from '../http/problem.ts';
import { isExpired, readSession, type StoredSession } from './stored-session.ts';

/** Refresh this long before expiry. */
export const REFRESH_LEAD_MS = 5 * 60_000;
/** The timer refreshes no more often, however short tokens live. Start-up and a refused token do not wait for it. */
export const SHORTEST_WAIT_MS = 60_000;
const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 60_000;

/** Why the session ended, which decides where the app goes: the root, the login screen, or nowhere. */
export type SessionEnd =
  | 'logout'
  | 'refresh-failed'
  | 'expired'
  /** Another tab or process signed out. */
  | 'elsewhere'
  /** The error catalogue said so (gateway 401, BFF 403, BFF 401 after a failed refresh). */
  | 'rejected';

export type SessionEvent =
  | { type: 'session.started'; session: StoredSession }
  | { type: 'session.changedElsewhere'; session: StoredSession | undefined }
  | { type: 'session.rejected' }
  /** Someone looked at the session and its expiry is past. */
  | { type: 'session.expired' }
  | { type: 'connection.restored' }
  | { type: 'logout.requested' };

/** For who keeps the storage: `kept` is written (when it is not there already), `ended` removes. */
export type SessionEmitted = { type: 'session.kept'; session: StoredSession } | { type: 'session.ended'; reason: SessionEnd };

export type SessionContext = {
  now: () => number;
  session: StoredSession | undefined;
  /** Refreshes that failed in a row for want of a connection. */
  failures: number;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the session calls');
};

/** Milliseconds until the refresh is due: 5 minutes before expiry, and never before a minute is over. */
export const untilRefresh = (session: StoredSession, now: number): number =>
  Math.max(SHORTEST_WAIT_MS, Date.parse(session.expiresAt) - now - REFRESH_LEAD_MS);

/**
 * The login as the app sees it. Started from stored text by input, never from a persisted snapshot: a restored actor's
 * timers do not run. Its clock must be the wall's (`time/wall-clock.ts`), because refreshes survive sleep.
 */
export const sessionMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as SessionContext,
    events: {} as SessionEvent,
    /** `stored` is the text found in storage; malformed or expired text is signed out. */
    input: {} as { now: () => number; stored: string | null },
    emitted: {} as SessionEmitted,
  },
  actors: {
    refreshSession: fromPromise<StoredSession, { spent: string }>(notProvided),
    revokeSession: fromPromise<void, { accessToken: string }>(notProvided),
  },
  guards: {
    hasSession: ({ context }) => context.session !== undefined && !isExpired(context.session, context.now()),
    hasExpiredSession: ({ context }) => context.session !== undefined,
    isGone: ({ event }) => event.type === 'session.changedElsewhere' && event.session === undefined,
    mayRetry: ({ context, event }) =>
      'error' in event && isConnectivity(event.error) && context.session !== undefined && !isExpired(context.session, context.now()),
  },
  actions: {
    takeSession: assign({
      session: ({ context, event }) => ('session' in event ? event.session : context.session),
      failures: 0,
    }),
    forget: assign({ session: undefined, failures: 0 }),
    announceEnd: emit((_, { reason }: { reason: SessionEnd }) => ({ type: 'session.ended', reason })),
    announce: emit(({ context }) => ({ type: 'session.kept', session: context.session as StoredSession })),
  },
  delays: {
    untilRefresh: ({ context }) => (context.session ? untilRefresh(context.session, context.now()) : SHORTEST_WAIT_MS),
    retryDelay: ({ context }) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (context.failures - 1)),
  },
}).createMachine({
  id: 'session',
  initial: 'checking',
  context: ({ input }) => ({ now: input.now, session: readSession(input.stored), failures: 0 }),
  states: {
    checking: {
      always: [
        { guard: 'hasSession', target: 'active.refreshing' },
        { guard: 'hasExpiredSession', target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'expired' } } },
        { target: 'signedOut' },
      ],
    },
    signedOut: {
      entry: 'forget',
      on: {
        'session.started': { target: 'active.fresh', actions: ['takeSession', 'announce'] },
        'session.changedElsewhere': [{ guard: 'isGone' }, { target: 'active.fresh', actions: 'takeSession' }],
      },
    },
    active: {
      initial: 'fresh',
      on: {
        'logout.requested': 'signingOut',
        'session.started': { target: '.fresh', reenter: true, actions: ['takeSession', 'announce'] },
        'session.rejected': { target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'rejected' } } },
        'session.expired': { target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'expired' } } },
        'session.changedElsewhere': [
          { guard: 'isGone', target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'elsewhere' } } },
          { target: '.fresh', reenter: true, actions: 'takeSession' },
        ],
      },
      states: {
        fresh: { after: { untilRefresh: 'refreshing' } },
        refreshing: {
          invoke: {
            id: 'refreshSession',
            src: 'refreshSession',
            input: ({ context }) => ({ spent: context.session?.accessToken ?? '' }),
            onDone: { target: 'fresh', actions: [assign({ session: ({ event }) => event.output, failures: 0 }), 'announce'] },
            onError: [
              { guard: 'mayRetry', target: 'retrying', actions: assign({ failures: ({ context }) => context.failures + 1 }) },
              { target: '#session.signedOut', actions: { type: 'announceEnd', params: { reason: 'refresh-failed' } } },
            ],
          },
        },
        /** Offline is no reason to sign out: try again with growing pauses, until the token is past its expiry. */
        retrying: {
          on: { 'connection.restored': 'refreshing' },
          after: { retryDelay: 'refreshing' },
        },
      },
    },
    signingOut: {
      tags: 'busy',
      invoke: {
        id: 'revokeSession',
        src: 'revokeSession',
        input: ({ context }) => ({ accessToken: context.session?.accessToken ?? '' }),
        // The session ends here whatever the server says; an unreachable server lets it expire.
        onDone: { target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'logout' } } },
        onError: { target: 'signedOut', actions: { type: 'announceEnd', params: { reason: 'logout' } } },
      },
    },
  },
});
