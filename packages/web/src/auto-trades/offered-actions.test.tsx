// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import type { AutoTrade, BotAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { walkedBots } from '@pilotfish/core/testing/walked-states';
import { fireEvent, render, screen } from '@testing-library/react';
import type { i18n } from 'i18next';
import type { ReactNode } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter } from 'react-router-dom';
import { beforeAll, expect, test } from 'vitest';
import { AppProvider } from '../platform/app-context.tsx';
import { testApp } from '../platform/testing/shown-app.tsx';
import { createTexts } from '../platform/texts.ts';
import { system } from '../ui/theme/theme.ts';
import { BotMenu } from './list/bot-menu.tsx';
import { AllActions } from './testing/all-actions.tsx';

// In every state that the machine comes to, the buttons are those that it takes; what the keys withhold is disabled.

const ACTIONS = [...Object.entries(en.autoTrades.action), ['disable', en.autoTrades.disableHalted]] as [BotAction, string][];
let texts: i18n;
beforeAll(async () => {
  texts = await createTexts('en', { all: true });
});

/** A server that answers nothing: what is offered follows from the bot alone. */
const app = testApp();

const wrapped = (node: ReactNode) => (
  <ChakraProvider value={system}>
    <I18nextProvider i18n={texts}>
      <AppProvider services={{ app } as never}>
        <MemoryRouter>{node}</MemoryRouter>
      </AppProvider>
    </I18nextProvider>
  </ChakraProvider>
);
/** The actions whose buttons are on the screen, each with whether it can be pressed. */
const shown = () =>
  [...screen.queryAllByRole('button'), ...screen.queryAllByRole('menuitem')].map(
    (button) => [ACTIONS.find(([, label]) => label === button.textContent)?.[0], !(button as HTMLButtonElement).disabled] as const,
  );

test.each(walkedBots.map((walked) => [walked.name, walked] as const))('a bot that is %s', async (_, walked) => {
  const bot = { ...walked, id: 'dip', name: 'Dip' } as unknown as AutoTrade;
  const wanted: (readonly [BotAction, boolean])[] = [
    ...walked.allowed.map((action) => [action, true] as const),
    ...walked.withheld.map(({ action }) => [action, false] as const),
  ];
  const { unmount } = render(wrapped(<AllActions bot={bot} />));
  expect(new Map(shown())).toEqual(new Map(wanted));
  expect(shown()).toHaveLength(wanted.length);
  unmount();
  // A list has no room for what freezing and halting mean; whatever else can be done is in its menu, unfreezing too.
  render(wrapped(<BotMenu bot={bot} />));
  fireEvent.click(screen.getByRole('button'));
  await screen.findByRole('menu');
  const entries = shown().filter(([action]) => action !== undefined);
  expect(new Map(entries)).toEqual(new Map(wanted.filter(([action]) => action !== 'freeze' && action !== 'halt')));
});
