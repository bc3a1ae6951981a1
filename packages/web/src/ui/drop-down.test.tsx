// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show, testApp } from '../app/testing/shown-app.tsx';
import { DropDown } from './drop-down.tsx';

test('what hangs from a button goes with the choice or with Escape, and the focus goes back to the button', async () => {
  await show(
    testApp(),
    <DropDown
      button={(props) => (
        <button type="button" {...props}>
          More
        </button>
      )}
    >
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
    () => fireEvent.keyDown(document, { key: 'Escape' }),
  ]) {
    fireEvent.click(more);
    screen.getByRole('button', { name: 'Choose' }).focus();
    expect(more.getAttribute('aria-expanded')).toBe('true');
    end();
    expect(screen.queryByRole('button', { name: 'Choose' })).toBeNull();
    expect(document.activeElement).toBe(more);
  }
});
