// @vitest-environment happy-dom
import { orderMachine } from '@pilotfish/core/orders/order-machine';
import { orderIdentity, orderInput, pathsOfAnOrder } from '@pilotfish/core/testing/order-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { OrderState } from './open-orders-page.tsx';

// In every state that cancelling an order comes to, the buttons are those that its machine takes.

const order = { ...orderInput, side: 'Sell', type: 'LIMIT', price: '50000', quantity: '1', executedQuantity: '0', createdAt: '2026-01-15' };
const BUTTONS = { 'cancel.asked': /^Cancel/, 'look.asked': 'Check again' } as const;

test.each(walkedSnapshots(orderMachine, pathsOfAnOrder, orderIdentity))('an order in %s', async (_, snapshot) => {
  const actor = createActor(orderMachine, { input: orderInput, snapshot });
  await show(testApp(), <OrderState order={order as never} actor={actor} whyNot={undefined} />);
  for (const [type, name] of Object.entries(BUTTONS))
    expect([type, screen.queryAllByRole('button', { name }).length]).toEqual([type, snapshot.can({ type } as never) ? 1 : 0]);
});
