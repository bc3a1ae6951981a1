// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { show, testApp } from '../testing/shown-app.tsx';
import AccountMenu from './account-menu.tsx';
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
