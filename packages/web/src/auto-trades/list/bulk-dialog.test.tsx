// @vitest-environment happy-dom
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { askedOf, BulkDialog } from './bulk-dialog.tsx';

const bot = (id: string, over: Partial<AutoTrade> = {}) =>
  ({
    id,
    name: id,
    allowed: ['disable', 'halt'],
    mode: 'paper',
    currency: 'USDT',
    walletName: 'Main',
    config: botConfig({ maxOpenPositions: 2 }),
    ...over,
  }) as unknown as AutoTrade;

test('each bot is asked by its own call; one that refuses is named with its reason, and asked again alone', async () => {
  const asked: string[] = [];
  let refuses = true;
  const disableAutoTrade = vi.fn(async ({ params: { id } }: { params: { id: string } }) => {
    asked.push(id);
    if (id === 'second' && refuses) throw new AppError('offline', { detail: 'No way there.' });
  });
  const onClose = vi.fn();
  // It sends no exits, and would send none once disabled.
  const halted = bot('halted', { state: 'Halted', allowed: ['acknowledge', 'disable'] });
  const bots = [bot('first'), bot('second'), bot('third'), bot('idle', { allowed: ['enable'] }), halted];
  await show(testApp({ calls: { disableAutoTrade } }), <BulkDialog bulk="disable" bots={bots} onClose={onClose} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Disable 3 bots?' }));
  expect(dialog.getByText('Not included, because they are not running: idle, halted.')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: 'Disable' }));
  expect(await dialog.findByText('second: No way there.')).toBeTruthy();
  expect(asked).toEqual(['first', 'second', 'third']);
  expect(onClose).not.toHaveBeenCalled();
  refuses = false;
  fireEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(asked).toEqual(['first', 'second', 'third', 'second']);
  // Its toasts arrive with code of their own: left alone they would come up on the page of the next file.
  await vi.waitFor(() => expect(document.querySelector('.Toastify__toast')).not.toBeNull());
});

test('before bots are enabled together each says whose money it moves; a halted one is left for its own question', async () => {
  const bots = [bot('real', { mode: 'live', allowed: ['enable'] }), bot('halted', { allowed: ['acknowledge'] })];
  expect(bots.map((each) => askedOf(each, 'enable'))).toEqual(['enable', undefined]);
  expect(askedOf(bot('paused', { allowed: ['resume', 'disable'] }), 'enable')).toBe('resume');
  const { unmount } = await show(testApp(), <BulkDialog bulk="enable" bots={bots} onClose={() => undefined} />);
  const dialog = within(await screen.findByRole('dialog', { name: 'Enable 1 bot?' }));
  expect(dialog.getByText(/It trades real money from Main/)).toBeTruthy();
  expect(dialog.getByText(/cannot be enabled together now: halted/)).toBeTruthy();
  unmount();
});
