import { assign, emit, fromPromise, setup } from 'xstate';
import { codeOf, type ShownProblem, shownProblem } from '../http/problem.ts';
import type { MarketSource } from '../prices/prices-contract.ts';
import { type MarketChoice, marketToRest } from './market-choice-contract.ts';

export type MarketChoiceEvent =
  | { type: 'market.chosen'; market: MarketSource }
  /** Bots that run at the present market rest from now on: that is known and wanted. */
  | { type: 'change.confirmed' }
  | { type: 'change.cancelled' }
  | { type: 'reload.requested' };

export type MarketChoiceEmitted =
  /** The server works with this market now; everything that was read before it is of another. */
  { type: 'market.changed'; market: MarketSource; reachable: boolean };

export type MarketChoiceContext = {
  choice: MarketChoice | undefined;
  /** What is being changed to. */
  wanted: MarketSource | undefined;
  problem: ShownProblem | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the market calls');
};

/**
 * Which market the server works with: asked in the first run, changed later. A change ends the server and begins it
 * again; what runs at the present market is left to rest only where somebody said so.
 */
export const marketChoiceMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as MarketChoiceContext,
    events: {} as MarketChoiceEvent,
    emitted: {} as MarketChoiceEmitted,
  },
  actors: {
    getChoice: fromPromise<MarketChoice>(notProvided),
    chooseMarket: fromPromise<MarketChoice, { market: MarketSource; rest: boolean }>(notProvided),
    /** Resolves when the server works with the market: with its prices, or without where they do not come for a while. */
    awaitServer: fromPromise<MarketChoice, { market: MarketSource }>(notProvided),
  },
  guards: {
    isFixed: ({ context }) => context.choice?.decidedBy === 'environment',
    isSettled: ({ context, event }) =>
      event.type === 'market.chosen' && context.choice?.market === event.market && context.choice.decidedBy === 'admin',
    leavesBots: ({ context, event }) =>
      event.type === 'market.chosen' && context.choice !== undefined && marketToRest(context.choice, event.market) !== undefined,
    isStored: (_, choice: MarketChoice) => choice.changingTo === null,
    /** Bots began to run between the look and the choice. */
    wantsConsent: ({ event }) => 'error' in event && codeOf(event.error) === 'in-use',
  },
  actions: {
    keepChoice: assign({ choice: (_, choice: MarketChoice) => choice }),
    keepWanted: assign({ wanted: ({ event }) => (event.type === 'market.chosen' ? event.market : undefined), problem: undefined }),
    hideProblem: assign({ problem: undefined }),
    forgetWanted: assign({ wanted: undefined }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    announceChange: emit((_, { market, reachable }: MarketChoice) => ({ type: 'market.changed', market, reachable }) as const),
  },
}).createMachine({
  id: 'marketChoice',
  initial: 'loading',
  context: { choice: undefined, wanted: undefined, problem: undefined },
  states: {
    loading: {
      tags: 'busy',
      invoke: {
        id: 'getChoice',
        src: 'getChoice',
        onDone: { target: 'asking', actions: { type: 'keepChoice', params: ({ event }) => event.output } },
        onError: { target: 'unknown', actions: 'showProblem' },
      },
    },
    /** The server could not be asked. */
    unknown: { on: { 'reload.requested': { target: 'loading', actions: 'hideProblem' } } },
    asking: {
      on: {
        'market.chosen': [
          { guard: 'isFixed' },
          { guard: 'isSettled' },
          { guard: 'leavesBots', target: 'confirming', actions: 'keepWanted' },
          { target: 'changing', actions: 'keepWanted' },
        ],
        'reload.requested': { target: 'loading', actions: 'hideProblem' },
      },
    },
    confirming: {
      on: {
        'change.confirmed': 'changing',
        'change.cancelled': { target: 'asking', actions: 'forgetWanted' },
      },
    },
    changing: {
      tags: 'busy',
      invoke: {
        id: 'chooseMarket',
        src: 'chooseMarket',
        input: ({ context, event }) => ({ market: context.wanted ?? 'simulated', rest: event.type === 'change.confirmed' }),
        onDone: [
          {
            guard: { type: 'isStored', params: ({ event }) => event.output },
            target: 'asking',
            actions: [
              { type: 'keepChoice', params: ({ event }) => event.output },
              'forgetWanted',
              { type: 'announceChange', params: ({ event }) => event.output },
            ],
          },
          { target: 'restarting', actions: { type: 'keepChoice', params: ({ event }) => event.output } },
        ],
        onError: [
          { guard: 'wantsConsent', target: 'loading', actions: ['forgetWanted', 'showProblem'] },
          { target: 'asking', actions: ['forgetWanted', 'showProblem'] },
        ],
      },
    },
    restarting: {
      tags: 'busy',
      invoke: {
        id: 'awaitServer',
        src: 'awaitServer',
        input: ({ context }) => ({ market: context.wanted ?? 'simulated' }),
        onDone: {
          target: 'asking',
          actions: [
            { type: 'keepChoice', params: ({ event }) => event.output },
            'forgetWanted',
            { type: 'announceChange', params: ({ event }) => event.output },
          ],
        },
        onError: { target: 'unknown', actions: ['forgetWanted', 'showProblem'] },
      },
    },
  },
});
