// @vitest-environment happy-dom
import { telegramLinkMachine } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { pathsOfATelegramLink, telegramLinkIdentity, telegramLinkInput } from '@pilotfish/core/testing/telegram-link-paths';
import { walkedSnapshots } from '@pilotfish/core/testing/walked-states';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { createActor } from 'xstate';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { TelegramLinkPanel } from './telegram-connect-page.tsx';

// In every state that the link of a chat comes to, the buttons are those that its machine takes.

const pressable = (name: string) =>
  screen.queryAllByRole('button', { name }).filter((button) => !(button as HTMLButtonElement).disabled).length;

test.each(walkedSnapshots(telegramLinkMachine, pathsOfATelegramLink, telegramLinkIdentity))('a link in %s', async (_, snapshot) => {
  const actor = createActor(telegramLinkMachine, { input: telegramLinkInput, snapshot });
  await show(signedIn(testApp()), <TelegramLinkPanel actor={actor} />);
  expect(pressable('Unlink')).toBe(snapshot.can({ type: 'disconnect.asked' }) ? 1 : 0);
  // Asked for where it leads on: a code that works is not thrown away by a button beside it.
  const again = pressable('Try again') + pressable('Get a new code');
  expect(again).toBe(['unknown', 'unavailable', 'over'].some((state) => snapshot.matches(state as never)) ? 1 : 0);
  if (again > 0) expect(snapshot.can({ type: 'link.asked' })).toBe(true);
});
