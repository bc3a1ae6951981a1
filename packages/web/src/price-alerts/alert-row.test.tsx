// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import type { AlertAction, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { walkedAlerts } from '@pilotfish/core/testing/walked-states';
import { render, screen } from '@testing-library/react';
import type { i18n } from 'i18next';
import { I18nextProvider } from 'react-i18next';
import { beforeAll, expect, test } from 'vitest';
import { AppProvider } from '../platform/app-context.tsx';
import { testApp } from '../platform/testing/shown-app.tsx';
import { createTexts } from '../platform/texts.ts';
import { system } from '../ui/theme/theme.ts';
import { isActive } from './alert-distance.ts';
import { AlertRow } from './alert-row.tsx';

const BUTTONS: Readonly<Record<string, AlertAction>> = {
  Seen: 'acknowledge',
  'End snooze': 'wake',
  Snooze: 'snooze',
  'Turn on': 'enable',
  'Re-arm': 'enable',
  'Turn off': 'disable',
};
const alert = {
  id: 'a1',
  symbol: 'BTCUSDT',
  condition: { kind: 'above', level: '70000' },
  priceSource: 'last',
  cooldownMin: 60,
  channels: ['app'],
  note: '',
  quietHours: null,
  reason: null,
  expiresAt: null,
  cooldownUntil: null,
  lastFiredAt: null,
  firedCount: 0,
  lastPrice: '65000',
  distancePct: null,
  anchor: null,
} as unknown as PriceAlert;

let texts: i18n;
beforeAll(async () => {
  texts = await createTexts('en', { all: true });
});

function offeredFor(walked: (typeof walkedAlerts)[number]): (AlertAction | undefined)[] {
  const app = testApp();
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <AppProvider services={{ app } as never}>
          <AlertRow
            alert={{ ...alert, ...walked }}
            pair={undefined}
            names={new Map()}
            onEdit={() => undefined}
            onSnooze={() => undefined}
            onDelete={() => undefined}
          />
        </AppProvider>
      </I18nextProvider>
    </ChakraProvider>,
  );
  return screen
    .getAllByRole('button')
    .map(({ textContent }) => textContent ?? '')
    .filter((label) => label !== 'Edit' && label !== '')
    .map((label) => BUTTONS[label]);
}

test.each(walkedAlerts.map((walked) => [walked.name, walked] as const))(
  'an alert that is %s offers what its machine takes',
  (_, walked) => {
    // What rests is woken first: one button for both.
    const wanted = walked.allowed.filter((action) => action !== 'snooze' || !walked.allowed.includes('wake'));
    expect(offeredFor(walked)).toEqual(wanted);
  },
);

test('an alert is active while it watches, and while it still reminds', () => {
  const active = walkedAlerts.filter((walked) => isActive(walked)).map(({ state }) => state);
  expect(new Set(active)).toEqual(new Set(['Armed', 'Warming', 'Cooldown', 'Fired']));
  for (const walked of walkedAlerts)
    if (walked.state === 'Fired') expect([walked.name, isActive(walked)]).toEqual([walked.name, walked.allowed.includes('acknowledge')]);
});
