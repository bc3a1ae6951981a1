import { assign, emit, fromPromise, setup } from 'xstate';
import { codeOf, type ShownProblem, shownProblem } from '../http/problem.ts';
import type { ExchangeKeys, Permissions } from './exchange-connection-contract.ts';

export type ExchangeConnectionEvent =
  | ({ type: 'keys.submitted' } & ExchangeKeys)
  /** Simulated exchange only: keys of a new demo account, put into the form like any others. */
  | { type: 'demo.requested' }
  /** Other keys instead of the connected ones, which stay until the exchange accepts the new ones. */
  | { type: 'replace.requested' }
  | { type: 'replace.cancelled' }
  | { type: 'disconnect.requested' }
  | { type: 'reload.requested' };

export type ExchangeConnectionEmitted =
  /** What the account may do has changed: whoever shows it loads it again. */
  | { type: 'connection.changed'; connected: boolean }
  /** A toast of title and detail is due. */
  | { type: 'connection.failed'; problem: ShownProblem };

export type ExchangeConnectionContext = {
  permissions: Permissions | undefined;
  problem: ShownProblem | undefined;
  /** Keys the demo offered, for the form; dropped as soon as they are submitted. */
  offeredKeys: ExchangeKeys | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the connection calls');
};

/** The exchange account's keys: asked for, checked by the exchange, held by the server, never shown again. */
export const exchangeConnectionMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as ExchangeConnectionContext,
    events: {} as ExchangeConnectionEvent,
    emitted: {} as ExchangeConnectionEmitted,
  },
  actors: {
    getPermissions: fromPromise<Permissions>(notProvided),
    connect: fromPromise<Permissions, ExchangeKeys>(notProvided),
    disconnect: fromPromise<void>(notProvided),
    createDemoAccount: fromPromise<ExchangeKeys>(notProvided),
  },
  guards: {
    isNotConnected: ({ event }) => 'error' in event && codeOf(event.error) === 'not-connected',
    isReplacing: ({ context }) => context.permissions !== undefined,
  },
  actions: {
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    hideProblem: assign({ problem: undefined }),
    announceProblem: emit(({ context }) => ({ type: 'connection.failed', problem: context.problem ?? { code: 'internal' } })),
    announceConnected: emit({ type: 'connection.changed', connected: true }),
    announceDisconnected: emit({ type: 'connection.changed', connected: false }),
    keepPermissions: assign({ permissions: (_, permissions: Permissions) => permissions, problem: undefined }),
    forgetPermissions: assign({ permissions: undefined }),
    keepOffer: assign({ offeredKeys: (_, keys: ExchangeKeys) => keys }),
  },
}).createMachine({
  id: 'exchangeConnection',
  initial: 'loading',
  context: { permissions: undefined, problem: undefined, offeredKeys: undefined },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'getPermissions',
        src: 'getPermissions',
        onDone: { target: 'connected', actions: { type: 'keepPermissions', params: ({ event }) => event.output } },
        onError: [
          { guard: 'isNotConnected', target: 'disconnected', actions: ['forgetPermissions', 'hideProblem'] },
          { target: 'unknown', actions: 'showProblem' },
        ],
      },
    },
    /** Neither yes nor no: the server or the exchange could not be asked. */
    unknown: { on: { 'reload.requested': { target: 'loading', actions: 'hideProblem' }, 'disconnect.requested': 'disconnecting' } },
    disconnected: {
      on: {
        'keys.submitted': 'connecting',
        'demo.requested': { target: 'creatingDemo', actions: 'hideProblem' },
      },
    },
    /** The connected keys stay in use meanwhile. */
    replacing: {
      on: {
        'keys.submitted': 'connecting',
        'demo.requested': { target: 'creatingDemo', actions: 'hideProblem' },
        'replace.cancelled': { target: 'connected', actions: ['hideProblem', assign({ offeredKeys: undefined })] },
      },
    },
    creatingDemo: {
      tags: 'busy',
      invoke: {
        id: 'createDemoAccount',
        src: 'createDemoAccount',
        onDone: [
          { guard: 'isReplacing', target: 'replacing', actions: { type: 'keepOffer', params: ({ event }) => event.output } },
          { target: 'disconnected', actions: { type: 'keepOffer', params: ({ event }) => event.output } },
        ],
        onError: [
          { guard: 'isReplacing', target: 'replacing', actions: ['showProblem', 'announceProblem'] },
          { target: 'disconnected', actions: ['showProblem', 'announceProblem'] },
        ],
      },
    },
    connecting: {
      tags: 'busy',
      entry: assign({ offeredKeys: undefined, problem: undefined }),
      invoke: {
        id: 'connect',
        src: 'connect',
        input: ({ event }) =>
          event.type === 'keys.submitted'
            ? { clientId: event.clientId, clientSecret: event.clientSecret }
            : { clientId: '', clientSecret: '' },
        onDone: { target: 'connected', actions: [{ type: 'keepPermissions', params: ({ event }) => event.output }, 'announceConnected'] },
        onError: [
          { guard: 'isReplacing', target: 'replacing', actions: ['showProblem', 'announceProblem'] },
          { target: 'disconnected', actions: ['showProblem', 'announceProblem'] },
        ],
      },
    },
    connected: {
      on: {
        'replace.requested': { target: 'replacing', actions: 'hideProblem' },
        'disconnect.requested': { target: 'disconnecting', actions: 'hideProblem' },
        'reload.requested': 'loading',
      },
    },
    disconnecting: {
      tags: 'busy',
      invoke: {
        id: 'disconnect',
        src: 'disconnect',
        onDone: { target: 'disconnected', actions: ['forgetPermissions', 'hideProblem', 'announceDisconnected'] },
        onError: [
          { guard: 'isNotConnected', target: 'disconnected', actions: ['forgetPermissions', 'hideProblem', 'announceDisconnected'] },
          { guard: ({ context }) => context.permissions === undefined, target: 'unknown', actions: ['showProblem', 'announceProblem'] },
          { target: 'connected', actions: ['showProblem', 'announceProblem'] },
        ],
      },
    },
  },
});
