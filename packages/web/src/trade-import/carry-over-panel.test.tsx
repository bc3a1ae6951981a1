// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, testApp } from '../platform/testing/shown-app.tsx';
import { CarryOverPanel } from './carry-over-panel.tsx';
import { PastImports } from './past-imports.tsx';

const { carry } = en.imports;
const AT = '2024-09-13T08:00:00.123Z';
const half = (change: string, proposal: object) => ({
  id: change,
  asset: change.startsWith('-') ? 'MATIC' : 'XYZ',
  change,
  at: AT,
  proposal: { fromAsset: null, fromQuantity: null, asset: null, quantity: null, at: AT, ...proposal },
});

test('a coin that went is carried over to what its owner names; what is refused stands at its field', async () => {
  const write = vi.fn(
    async (_call: unknown): Promise<unknown> =>
      Promise.reject(new AppError('invalid', { fields: [{ path: 'quantity', code: 'otherAmount', message: 'There are 100 POL.' }] })),
  );
  const items = [half('-100', { fromAsset: 'MATIC', fromQuantity: '100' }), half('7', { asset: 'XYZ', quantity: '7' })];
  const app = testApp({ calls: { listHalfSwaps: async () => ({ items, total: 2 }), carryOver: write as never } });
  await show(app, <CarryOverPanel />);
  // What came without a cost is folded away: mostly it is a gift.
  const came = await screen.findByText('1 coin came in without a known cost and may come from a swap');
  expect(came.closest('details')!.open).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Carry over cost: 100 MATIC' }));
  const dialog = within(screen.getByRole('dialog'));
  const field = (label: string) => dialog.getByLabelText<HTMLInputElement>(label);
  expect([carry.fromAsset, carry.fromQuantity].map((label) => [field(label).value, field(label).disabled])).toEqual([
    ['MATIC', true],
    ['100', true],
  ]);
  const press = (name: string) => fireEvent.click(dialog.getByRole('button', { name }));
  press(carry.act);
  expect(await dialog.findAllByText(carry.needed)).toHaveLength(2);
  expect(write).not.toHaveBeenCalled();
  fireEvent.change(field(carry.asset), { target: { value: 'pol' } });
  fireEvent.change(field(carry.quantity), { target: { value: '90' } });
  press('Try again');
  expect(await dialog.findAllByText('There are 100 POL.')).toHaveLength(1);
  fireEvent.change(field(carry.quantity), { target: { value: '100' } });
  write.mockImplementation(async () => ({ batchId: 'b', replaced: [] }));
  press('Try again');
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // The time to the millisecond, although the field has minutes.
  expect(write.mock.calls.at(-1)?.[0]).toEqual({
    body: { fromAsset: 'MATIC', fromQuantity: '100', asset: 'POL', quantity: '100', at: AT },
  });
});

test('a carry-over stands among the imports by name and is taken back with what it replaced', async () => {
  const undo = vi.fn(async (_call: unknown) => undefined);
  const counts = { imported: 1 };
  const batch = { id: 'b', fileName: '100 MATIC → 100 POL', format: 'carry-over', at: AT, counts, period: { from: AT, to: AT } };
  const app = testApp({ calls: { listImports: async () => [batch], undoImport: undo as never } });
  await show(app, <PastImports />);
  expect(await screen.findByText(/Cost carried over/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Take back 100 MATIC → 100 POL' }));
  const dialog = within(screen.getByRole('dialog'));
  expect(dialog.getByText(en.imports.ask.carryOver)).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: en.imports.undo }));
  await vi.waitFor(() => expect(undo.mock.calls[0]?.[0]).toEqual({ params: { exchange: 'Binance', id: 'b' } }));
});
