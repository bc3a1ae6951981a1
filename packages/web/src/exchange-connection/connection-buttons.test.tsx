// @vitest-environment happy-dom
import { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import { connectionIdentity, connectionKeys, pathsOfAConnection } from '@pilotfish/core/testing/exchange-connection-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { show, signedIn, testApp } from '../app/testing/shown-app.tsx';
import { ExchangeConnectionPanel } from './exchange-connect-page.tsx';

// In every state that a connection comes to, the buttons are those that its machine takes.

const BUTTONS = {
  'keys.submitted': 'Connect',
  'replace.requested': 'Use other keys',
  'replace.cancelled': 'Keep the connected keys',
  'disconnect.requested': 'Disconnect',
  'reload.requested': /^(Ask the exchange again|Try again)$/,
} as const;

test.each(walkedSnapshots(exchangeConnectionMachine, pathsOfAConnection, connectionIdentity))('a connection in %s', async (_, snapshot) => {
  const actor = createActor(exchangeConnectionMachine, { snapshot });
  await show(signedIn(testApp()), <ExchangeConnectionPanel actor={actor} />);
  for (const [type, name] of Object.entries(BUTTONS)) {
    const pressable = screen.queryAllByRole('button', { name }).filter((button) => !(button as HTMLButtonElement).disabled);
    expect([type, pressable.length]).toEqual([type, snapshot.can({ type, ...connectionKeys } as never) ? 1 : 0]);
  }
});
