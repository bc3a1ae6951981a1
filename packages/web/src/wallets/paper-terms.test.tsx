// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { btcusdt } from '@pilotfish/core/testing/pairs';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show, signedIn, testApp } from '../platform/testing/shown-app.tsx';
import { TermsDialog } from './paper-terms.tsx';
import { WalletForm } from './wallet-form.tsx';

const wallet = { id: 'w', name: 'Main', mode: 'paper', makerFeePct: '0.1', takerFeePct: '0.1', latencyMs: 0 } as Wallet;
const calls = { getAccount: async () => ({ claims: [], exchanges: [] }), listPairs: async () => [btcusdt] };
const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } });

test('what is changed of a paper wallet is sent, and nothing else; what the server refuses stands at its field', async () => {
  const fields = [{ path: 'takerFeePct', code: 'too_big', message: 'At most 5.' }];
  const updateWallet = vi.fn(async (_call: object): Promise<Wallet> => Promise.reject(new AppError('invalid', { fields })));
  const onClose = vi.fn();
  await show(signedIn(testApp({ calls: { ...calls, updateWallet } })), <TermsDialog open wallet={wallet} onClose={onClose} />);
  type(/Taker fee/, '7');
  type(/Latency/, '150');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('At most 5.');
  expect(updateWallet.mock.calls[0]![0]).toEqual({ params: { id: 'w' }, body: { takerFeePct: '7', latencyMs: 150 } });
  expect(onClose).not.toHaveBeenCalled();
  updateWallet.mockResolvedValue(wallet);
  type(/Taker fee/, '0.075');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

test('half a millisecond and nothing at all are not sent', async () => {
  const updateWallet = vi.fn();
  await show(signedIn(testApp({ calls: { ...calls, updateWallet } })), <TermsDialog open wallet={wallet} onClose={() => undefined} />);
  type(/Maker fee/, '');
  type(/Latency/, '1.5');
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('Enter a whole number of milliseconds.');
  screen.getByText('This field is required.');
  expect(updateWallet).not.toHaveBeenCalled();
});

test('a new paper wallet has fees and a latency of its own, a live one has none', async () => {
  const createWallet = vi.fn(async (_call: { body: object }) => wallet);
  await show(signedIn(testApp({ calls: { ...calls, createWallet } })), <WalletForm onOpened={() => undefined} />);
  const press = () => fireEvent.click(screen.getByRole('button', { name: 'Open a wallet' }));
  press();
  await vi.waitFor(() => expect(createWallet).toHaveBeenCalledOnce());
  // What is standard is not sent: an older server knows no such fields.
  expect(createWallet.mock.calls[0]![0].body).not.toHaveProperty('latencyMs');
  type(/Maker fee/, '0.075');
  type(/Latency/, '80');
  press();
  await vi.waitFor(() => expect(createWallet.mock.calls.at(-1)![0].body).toMatchObject({ makerFeePct: '0.075', latencyMs: 80 }));
  expect(createWallet.mock.calls.at(-1)![0].body).not.toHaveProperty('takerFeePct');
  const [, live] = screen.getAllByRole('radio');
  fireEvent.click(live!);
  expect(screen.queryByLabelText(/Latency/)).toBeNull();
  press();
  await vi.waitFor(() => expect(createWallet.mock.calls.at(-1)![0].body).toMatchObject({ mode: 'live' }));
  expect(createWallet.mock.calls.at(-1)![0].body).not.toHaveProperty('latencyMs');
});
