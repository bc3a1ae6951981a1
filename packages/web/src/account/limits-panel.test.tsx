// @vitest-environment happy-dom
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { LimitsPanel } from './limits-panel.tsx';

test('every limit is shown by its name, with the number in use where there is one', async () => {
  const { kinds } = en.account.limits;
  const items = Object.keys(kinds).map((quota, index) => ({ quota, used: quota === 'coinsPerBot' ? null : index, limit: 20 }));
  await show(testApp({ calls: { listLimits: async () => ({ items }) } }), <LimitsPanel />);
  const rows = items.map(({ quota }, index) => [
    kinds[quota as keyof typeof kinds],
    quota === 'coinsPerBot' ? '20 each' : `${index} of 20`,
  ]);
  await screen.findByText(rows[0]![0]!);
  const shown = screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
  expect(shown).toEqual(rows);
});
