import { assign, fromPromise, setup } from 'xstate';
import { codeOf, isConnectivity, type ShownProblem, shownProblem } from '../http/problem.ts';
import type { Order } from './orders-contract.ts';

const FIRST_RETRY_MS = 2_000;
const LONGEST_RETRY_MS = 30_000;

/** How an order ended; `Gone` when all that is known is that it stands no more. */
export type OrderEnd = 'Cancelled' | 'Filled' | 'Gone';

export type OrderEvent =
  | { type: 'cancel.asked' }
  /** The exchange's list of open orders, newly read, has it no more. */
  | { type: 'order.left' }
  | { type: 'look.asked' };

export type OrderContext = {
  readonly orderId: string;
  readonly symbol: string;
  readonly end: OrderEnd | undefined;
  /** The order as the cancel was answered, whole; undefined where the end was only looked up. */
  readonly answered: Order | undefined;
  readonly problem: ShownProblem | undefined;
  /** Looks in a row that told nothing. */
  readonly failures: number;
};

const STANDING: ReadonlySet<string> = new Set(['NEW', 'PENDING_NEW', 'PARTIALLY_FILLED', 'PENDING_CANCEL']);
const endOf = ({ status }: Pick<Order, 'status'>): OrderEnd =>
  status === 'FILLED' ? 'Filled' : status === 'CANCELED' ? 'Cancelled' : 'Gone';

/** Codes that say: turned away before it could do anything. Of every other failure the outcome is unknown. */
const REFUSED: ReadonlySet<string> = new Set([
  'exchange-rate-limited',
  'rate-limited',
  'not-connected',
  'invalid-key',
  'clock-skew',
  'unauthenticated',
  'forbidden',
  'not-permitted',
  'trading-disabled',
  'shutting-down',
]);

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the order calls');
};

/**
 * The cancelling of one open order. An answer that is lost leaves the outcome unknown: it is asked for, never sent a
 * second time by itself. Only when the exchange says that the order still stands can a person cancel it again.
 */
export const orderMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as OrderContext,
    events: {} as OrderEvent,
    input: {} as { orderId: string; symbol: string },
  },
  actors: {
    cancel: fromPromise<Order, { orderId: string; symbol: string }>(notProvided),
    /** The order as it stands, or undefined when it is among the open ones no more. */
    look: fromPromise<Order | undefined, { orderId: string; symbol: string }>(notProvided),
  },
  guards: {
    isRefused: ({ event }) => 'error' in event && REFUSED.has(codeOf(event.error)),
    stands: ({ event }) => 'output' in event && STANDING.has((event.output as Pick<Order, 'status'> | undefined)?.status ?? ''),
    mayPass: ({ event }) => 'error' in event && isConnectivity(event.error),
  },
  actions: {
    keepEnd: assign({
      end: ({ event }) => {
        const order = 'output' in event ? (event.output as Pick<Order, 'status'> | undefined) : undefined;
        return order ? endOf(order) : 'Gone';
      },
      problem: undefined,
    }),
    keepAnswer: assign({ answered: (_, order: Order) => order }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    forgetProblem: assign({ problem: undefined, failures: 0 }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
  },
  delays: { lookAgain: ({ context }) => Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.max(0, context.failures - 1)) },
}).createMachine({
  id: 'order',
  initial: 'open',
  context: ({ input }) => ({
    orderId: input.orderId,
    symbol: input.symbol,
    end: undefined,
    answered: undefined,
    problem: undefined,
    failures: 0,
  }),
  states: {
    open: { on: { 'cancel.asked': 'sending', 'order.left': { target: 'over', actions: 'keepEnd' } } },
    sending: {
      tags: 'busy',
      entry: 'forgetProblem',
      invoke: {
        id: 'cancel',
        src: 'cancel',
        input: ({ context }) => ({ orderId: context.orderId, symbol: context.symbol }),
        onDone: [
          // Taken, but not carried out yet.
          { guard: 'stands', target: 'unknown' },
          { target: 'over', actions: ['keepEnd', { type: 'keepAnswer', params: ({ event }) => event.output }] },
        ],
        onError: [
          { guard: 'isRefused', target: 'refused', actions: 'showProblem' },
          { target: 'unknown', actions: 'showProblem' },
        ],
      },
    },
    /** Sent, and nobody knows what became of it. */
    unknown: {
      initial: 'looking',
      on: { 'order.left': { target: 'over', actions: 'keepEnd' } },
      states: {
        looking: {
          invoke: {
            id: 'look',
            src: 'look',
            input: ({ context }) => ({ orderId: context.orderId, symbol: context.symbol }),
            onDone: [
              { guard: 'stands', target: '#order.stillOpen' },
              { target: '#order.over', actions: 'keepEnd' },
            ],
            onError: [
              { guard: 'mayPass', target: 'waiting', actions: ['showProblem', 'countFailure'] },
              { target: 'asking', actions: 'showProblem' },
            ],
          },
        },
        waiting: { after: { lookAgain: 'looking' }, on: { 'look.asked': 'looking' } },
        /** Looking again by itself would change nothing: a person is to say when. */
        asking: { on: { 'look.asked': 'looking' } },
      },
    },
    /** Asked for and found standing. */
    stillOpen: { on: { 'cancel.asked': 'sending', 'order.left': { target: 'over', actions: 'keepEnd' } } },
    refused: { on: { 'cancel.asked': 'sending', 'order.left': { target: 'over', actions: 'keepEnd' } } },
    over: {},
  },
});
