// @vitest-environment happy-dom
import { act, render } from '@testing-library/react';
import { startTransition, use, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useTyped } from './use-typed.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is typed while the router still follows an own write stays, and is written next', async () => {
  const written: string[] = [];
  let type: (text: string) => void = () => undefined;
  let shown = '';
  // The page of the first write is not ready at once: its render is begun, thrown away, and begun again.
  let release = () => {};
  const ready = new Promise<void>((resolve) => {
    release = resolve;
  });
  const Slow = ({ address }: { address: string }) => {
    if (address === '5') use(ready);
    return null;
  };
  const Field = ({ address, write }: { address: string; write: (text: string) => void }) => {
    [shown, type] = useTyped(address, write);
    return null;
  };
  const follow: { to?: (text: string) => void } = {};
  const write = (text: string) => {
    written.push(text);
    startTransition(() => follow.to?.(text));
  };
  const Page = () => {
    const [address, setAddress] = useState('');
    follow.to = setAddress;
    return (
      <>
        <Field address={address} write={write} />
        <Slow address={address} />
      </>
    );
  };
  render(<Page />);
  const pause = () => act(async () => vi.advanceTimersByTimeAsync(400));
  await act(async () => type('5'));
  await pause();
  await act(async () => type(''));
  await act(async () => release());
  // The page is followed, then the address.
  await pause();
  await pause();
  expect([shown, written]).toEqual(['', ['5', '']]);
});
