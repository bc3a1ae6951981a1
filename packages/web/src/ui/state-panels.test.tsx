// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { render, screen, waitFor } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { expect, test } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { createTexts } from '../platform/texts.ts';
import { ErrorPanel } from './state-panels.tsx';
import { system } from './theme/theme.ts';

test.each<[ShownProblem, string[]]>([
  [{ code: 'offline', title: 'Gone', detail: 'Gone' }, ['Gone']],
  [{ code: 'offline', title: 'Gone', detail: 'It is gone.' }, ['Gone', 'It is gone.']],
  // What nobody can explain: at least what it means for one's own.
  [{ code: 'internal', title: 'Broken', detail: 'Broken' }, ['Broken', 'This could not be loaded. Nothing was changed.']],
])('an error says what it says once: %o', async (problem, said) => {
  const texts = await createTexts('en');
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <ErrorPanel problem={problem} onRetry={() => undefined} />
      </I18nextProvider>
    </ChakraProvider>,
  );
  expect([...screen.getByRole('alert').querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual(said);
});

test.each([
  ['Admin', 1],
  ['Analyst', 0],
])('an exchange that cannot be reached: %s is shown the way to another market: %i', async (role, links) => {
  const account = { claims: [{ name: 'role', value: role }], exchanges: [] };
  const app = signedIn(testApp({ calls: { getAccount: async () => account } }));
  await show(app, <ErrorPanel problem={{ code: 'exchange-unreachable' }} onRetry={() => undefined} />);
  await waitFor(() => expect(app.account.getSnapshot().context.data).toBeDefined());
  expect(screen.queryAllByRole('link', { name: 'Choose the market' })).toHaveLength(links);
});
