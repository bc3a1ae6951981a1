// @vitest-environment happy-dom
import type { Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import { connectionIdentity, connectionKeys, pathsOfAConnection } from '@pilotfish/core/testing/exchange-connection-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { ExchangeConnectionPanel } from './exchange-connect-page.tsx';

// In every state that a connection comes to, the buttons are those that its machine takes.

const BUTTONS = {
  'keys.submitted': 'Connect',
  'replace.requested': 'Use other keys',
  'replace.cancelled': 'Keep the connected keys',
  'disconnect.requested': 'Disconnect',
  'reload.requested': /^(Check the key again|Try again)$/,
} as const;

test.each(walkedSnapshots(exchangeConnectionMachine, pathsOfAConnection, connectionIdentity))('a connection in %s', async (_, snapshot) => {
  const actor = createActor(exchangeConnectionMachine, { snapshot });
  await show(signedIn(testApp()), <ExchangeConnectionPanel actor={actor} />);
  for (const [type, name] of Object.entries(BUTTONS)) {
    const pressable = screen.queryAllByRole('button', { name }).filter((button) => !(button as HTMLButtonElement).disabled);
    expect([type, pressable.length]).toEqual([type, snapshot.can({ type, ...connectionKeys } as never) ? 1 : 0]);
  }
});

async function connectedWith(permissions: Permissions) {
  const actor = createActor(exchangeConnectionMachine.provide({ actors: { getPermissions: fromPromise(async () => permissions) } }));
  actor.start();
  await show(signedIn(testApp()), <ExchangeConnectionPanel actor={actor} />);
  await screen.findByText('Connected');
}

test('what the key may do without need, and when its right to trade ends, is said', async () => {
  const tradingEndsAt = '2027-03-04T10:00:00.000Z';
  await connectedWith({ exchange: 'binance', enableFutures: true, warnings: ['futures-enabled'], tradingEndsAt });
  expect(screen.getByText('This key can trade futures')).toBeDefined();
  expect(screen.getByText('Trading permission ends').parentElement?.textContent).toContain('2027');
  expect(screen.queryByText('This exchange does not report all permissions of a key')).toBeNull();
});

test.each(['binance-demo', 'binance-testnet'] as const)(
  'on %s what is unknown of a key is named, and nothing is called fine',
  async (exchange) => {
    await connectedWith({ exchange, enableReading: true, enableSpotAndMarginTrading: true, warnings: [] });
    expect(screen.getByText('This exchange does not report all permissions of a key')).toBeDefined();
    expect(screen.queryByText('Nothing to worry about')).toBeNull();
    expect(screen.queryByText('Withdraw')).toBeNull();
  },
);
