// @vitest-environment happy-dom
import { ChakraProvider } from '@chakra-ui/react';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { I18nextProvider } from 'react-i18next';
import { expect, test, vi } from 'vitest';
import { createTexts } from '../../platform/texts.ts';
import { system } from '../theme/theme.ts';
import { ConfirmAction, ConfirmDialog } from './confirm-dialog.tsx';

/** A question about a sale, drawn by the form that asked for it. */
async function ask() {
  const [sold, closed, sent] = [vi.fn(async () => undefined), vi.fn(), vi.fn()];
  const texts = await createTexts('en', { all: true });
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            sent();
          }}
        >
          <ConfirmDialog open title="Sell BTCUSDT now?" confirm="Sell now" onConfirm={sold} onClose={closed}>
            All of it.
          </ConfirmDialog>
        </form>
      </I18nextProvider>
    </ChakraProvider>,
  );
  const press = (name: string, detail: number) => fireEvent.click(screen.getByRole('button', { name }), { detail });
  return { sold, closed, sent, press };
}

test('its buttons do not send the form that draws it: Cancel would ask for the sale again', async () => {
  const { closed, sent, press } = await ask();
  press('Cancel', 1);
  expect(closed).toHaveBeenCalledOnce();
  expect(sent).not.toHaveBeenCalled();
});

test('the second half of a double press on what opened it is no yes; a press or a key of its own is', async () => {
  const { sold, press } = await ask();
  press('Sell now', 2);
  press('Sell now', 3);
  expect(sold).not.toHaveBeenCalled();
  press('Sell now', 0);
  expect(sold).toHaveBeenCalledOnce();
});

test('a button that asks first does nothing before the answer, and its question stays until it is done', async () => {
  const removed = vi.fn<() => Promise<void>>().mockRejectedValueOnce({ family: 'network', code: 'offline' }).mockResolvedValue();
  const texts = await createTexts('en', { all: true });
  render(
    <ChakraProvider value={system}>
      <I18nextProvider i18n={texts}>
        <ConfirmAction label="Delete" title="Delete this filter?" danger onConfirm={removed}>
          Bots that use it keep their coins.
        </ConfirmAction>
      </I18nextProvider>
    </ChakraProvider>,
  );
  const question = () => document.querySelector('dialog');
  const answer = (name: string) =>
    act(async () => void fireEvent.click([...screen.getAllByRole('button', { name })].at(-1) as HTMLElement));
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Delete' })));
  expect(removed).not.toHaveBeenCalled();
  expect(question()?.open).toBe(true);
  await answer('Delete');
  expect([removed.mock.calls.length, question()?.open]).toEqual([1, true]);
  await answer('Try again');
  expect([removed.mock.calls.length, question()?.open]).toEqual([2, false]);
});
