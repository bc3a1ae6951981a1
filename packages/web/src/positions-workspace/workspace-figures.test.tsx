// @vitest-environment happy-dom
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { heldTotals } from '@pilotfish/core/positions/held-totals';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { botRow, handRow } from './testing/panel-samples.ts';
import { WorkspaceFigures } from './workspace-figures.tsx';

beforeEach(
  () =>
    void vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => undefined, removeEventListener: () => undefined })),
);
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const MONTH = { currency: 'USDT', net: '5', fees: '1', exits: 1, wins: 1, days: [], leftOut: [{ cause: 'cost-unknown', count: 2 }] };
const shown = (rows: readonly HeldPositionRow[], month: object = { ...MONTH, leftOut: [] }) =>
  show(
    testApp(),
    <WorkspaceFigures
      name="Positions"
      mode="paper"
      open={{ held: { isStale: false, hasFailed: false }, totals: heldTotals(rows) } as never}
      month={{ month: { data: month, hasFailed: false, isStale: false }, today: '1970-01-01' } as never}
      whole={undefined}
    />,
  );
const figure = (name: string) => screen.getByText(name).nextSibling?.textContent;
const unpriced: HeldPositionRow = { ...botRow, price: null, value: null, result: null, resultPct: null, atRisk: null };

test('what is in no sum is counted beside the sums', async () => {
  await shown([handRow, unpriced], MONTH);
  expect(figure('Value')).toContain('637.56');
  expect(document.title).toBe(`${figure('Open result')?.replace(/ USDT.*$/, '')} USDT · Positions · Pilotfish`);
  expect(screen.getByText(/^1 open position is not in these totals/)).toBeTruthy();
  expect(screen.getByText(/^2 sales of this month are not in these totals/)).toBeTruthy();
});

test('a sum of nothing but what is not known is not known', async () => {
  await shown([unpriced]);
  for (const name of ['Open result', 'Value', 'At risk']) expect(figure(name)).toMatch(/^–/);
  expect(document.title).toBe('Positions · Pilotfish');
});

test('with nothing left out says nothing of it, and nothing held is 0', async () => {
  await shown([]);
  expect(figure('Value')).toContain('0.00');
  expect(document.body.textContent).not.toContain('in these totals');
});
