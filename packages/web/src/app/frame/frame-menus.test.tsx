// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, signedIn, testApp } from '../../platform/testing/shown-app.tsx';
import AccountMenu from './account-menu.tsx';
import Pulse from './pulse.tsx';
import StopAll from './stop-all.tsx';

afterEach(cleanup);

test('the account menu closes by Escape, which gives the focus back, and when the focus leaves it', async () => {
  await show(
    testApp(),
    <>
      <AccountMenu entry={{}} label={(text) => text} />
      <button type="button">elsewhere</button>
    </>,
  );
  const button = screen.getByRole('button', { name: 'Account' });
  fireEvent.click(button);
  act(() => screen.getByRole('link', { name: 'Security' }).focus());
  expect(button.getAttribute('aria-expanded')).toBe('true');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  act(() => screen.getByRole('button', { name: 'elsewhere' }).focus());
  expect(button.getAttribute('aria-expanded')).toBe('false');
});

test('Stop all asks at once, also while the list of bots does not come', async () => {
  await show(testApp(), <StopAll />);
  fireEvent.click(screen.getByRole('button', { name: 'Stop all' }));
  const dialog = screen.getByRole('dialog');
  expect(dialog.textContent).toContain('their number is not known yet');
  expect(dialog.querySelectorAll('button:disabled')).toHaveLength(0);
});

const equity = { currency: 'USDT', now: {}, sinceMidnight: { change: '85.22', pct: '0.69', since: '', exact: true } };
const pulse = async (held: object, exchanges = [{}]) => {
  await show(
    signedIn(
      testApp({ calls: { getAccount: async () => ({ exchanges }), getEquity: async () => equity, listHeldPositions: async () => held } }),
    ),
    <Pulse />,
  );
  return document.body;
};

test('the pulse says the day, what is open, what is at risk, and what no stop sells', async () => {
  const body = await pulse({ items: [{}], totals: [{ currency: 'USDT', result: '14.1', atRisk: '189.2', withoutStop: 1 }] });
  await screen.findByText('+85.22');
  await screen.findByText('+14.10');
  expect(screen.getByText('At risk').nextSibling?.textContent).toBe('189.20 · 1 without a stop');
  expect(body.textContent).not.toContain('Not known yet');
});

test('the pulse says nothing of what it does not know: another currency, or no account', async () => {
  await pulse({ items: [{}], totals: [{ currency: 'BTC', result: '1', atRisk: '1', withoutStop: 0 }] });
  await screen.findByText('At risk');
  expect(screen.getAllByTitle('Not known yet')).toHaveLength(2);
  cleanup();
  const body = await pulse({ items: [], totals: [] }, []);
  await act(async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  });
  expect(body.textContent).toBe('');
});
