import { type OrderContext, orderMachine } from '../src/orders/order-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

export const orderInput = { orderId: '42', symbol: 'BTCUSDT' };
export const orderIdentity = ({ end, failures, problem }: OrderContext) => [end ?? '', problem?.code ?? '', failures > 0];

/** The paths of an order that somebody cancels, with what the exchange may answer. */
export const pathsOfAnOrder: readonly MachinePath[] = transitionPaths(orderMachine, {
  input: orderInput,
  identity: orderIdentity,
  cases: {
    'xstate.done.actor.cancel': [
      { output: { status: 'CANCELED' } },
      { output: { status: 'FILLED' } },
      { output: { status: 'EXPIRED' } },
      { output: { status: 'PENDING_CANCEL' } },
    ],
    'xstate.error.actor.cancel': [
      { error: { code: 'timeout' } },
      { error: { code: 'internal' } },
      { error: { code: 'unknown-order' } },
      { error: { code: 'exchange-rate-limited' } },
    ],
    'xstate.done.actor.look': [{ output: undefined }, { output: { status: 'NEW' } }, { output: { status: 'PARTIALLY_FILLED' } }],
    'xstate.error.actor.look': [{ error: { code: 'offline' } }, { error: { code: 'invalid' } }],
  },
});
