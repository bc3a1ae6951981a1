// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../../platform/testing/shown-app.tsx';
import { DropDown } from './drop-down.tsx';

test('what hangs from a button goes with the choice or with Escape, and the focus goes back to the button', async () => {
  await show(
    testApp(),
    <DropDown width={220} button={<button type="button">More</button>}>
      {(close) => (
        <button type="button" onClick={close}>
          Choose
        </button>
      )}
    </DropDown>,
  );
  const more = screen.getByRole('button', { name: 'More' });
  for (const end of [
    () => fireEvent.click(screen.getByRole('button', { name: 'Choose' })),
    () => fireEvent.keyDown(document.activeElement!, { key: 'Escape' }),
  ]) {
    fireEvent.click(more);
    (await screen.findByRole('button', { name: 'Choose' })).focus();
    expect(more.getAttribute('aria-expanded')).toBe('true');
    end();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Choose' })).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(more));
  }
});
