// @vitest-environment happy-dom
import type { AutoTradeDetail, AutoTradePosition } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { PositionCarryOver } from './position-carry-over.tsx';

const bot = { id: 'dip', name: 'Dip', currency: 'USDT' } as AutoTradeDetail;
const position = {
  id: 'p1',
  symbol: 'LUNAUSDT',
  quantity: '2.5',
  averageCost: '98',
  jump: { at: '2026-01-05T00:00:00.000Z', before: '100', price: '1.04', factor: '100' },
} as AutoTradePosition;
const { byHand } = en.autoTrades;

test('the factor of the prices is proposed, and what would sell at once is asked for as a sale', async () => {
  const write = vi.fn(
    async (_call: unknown): Promise<unknown> => Promise.reject(new AppError('would-sell-now', { detail: 'Sells it all.' })),
  );
  const app = testApp({ calls: { carryOverAutoTradePosition: write as never } });
  await show(app, <PositionCarryOver bot={bot} position={position} pair={undefined} />);
  fireEvent.click(screen.getByRole('button', { name: byHand.action.carryOver }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/traded at 100 before the halt and at 1\.04/)).toBeTruthy();
  const field = dialog.getByLabelText(byHand.ask.carryOver.factor);
  expect((field as HTMLInputElement).value).toBe('100');
  expect(dialog.getByText(/will hold 250 at an average cost of 0\.98\. The price after the halt is 1\.04/)).toBeTruthy();
  // One question may still be closing while the next one opens.
  const button = (name: string) => vi.waitFor(() => within(screen.getByRole('dialog')).getByRole('button', { name }));
  const press = async (name: string) => fireEvent.click(await button(name));
  fireEvent.change(field, { target: { value: '0' } });
  expect(dialog.queryByText(/will hold/)).toBeNull();
  await press(byHand.action.carryOver);
  expect(await dialog.findByText(byHand.ask.carryOver.positive)).toBeTruthy();
  expect(write).not.toHaveBeenCalled();
  fireEvent.change(field, { target: { value: '10' } });
  await press('Try again');
  await screen.findByText('Sells it all.');
  expect(write.mock.calls[0]?.[0]).toEqual({ params: { id: 'dip', positionId: 'p1' }, body: { factor: '10', sellNow: false } });
  write.mockImplementation(async () => undefined);
  await press(byHand.action.sell);
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(write.mock.calls[1]?.[0]).toMatchObject({ body: { factor: '10', sellNow: true } });
});
