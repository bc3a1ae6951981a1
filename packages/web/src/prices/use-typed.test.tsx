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

type Seen = { shown: string; type: (text: string) => void; written: string[]; follow: (text: string) => void };
const write = new WeakMap<Seen, (text: string) => void>();

function Field({ address, seen }: { address: string; seen: Seen }) {
  [seen.shown, seen.type] = useTyped(address, write.get(seen)!);
  return null;
}

function Slow({ address, ready }: { address: string; ready: Promise<void> }) {
  if (address === '5') use(ready);
  return null;
}

function Page({ seen, ready }: { seen: Seen; ready: Promise<void> }) {
  const [address, setAddress] = useState('');
  seen.follow = setAddress;
  return (
    <>
      <Field address={address} seen={seen} />
      <Slow address={address} ready={ready} />
    </>
  );
}

test('what is typed while the router still follows an own write stays, and is written next', async () => {
  const seen: Seen = { shown: '', type: () => undefined, written: [], follow: () => undefined };
  write.set(seen, (text) => {
    seen.written.push(text);
    startTransition(() => seen.follow(text));
  });
  // The page of the first write is not ready at once: its render is begun, thrown away, and begun again.
  let release = () => {};
  const ready = new Promise<void>((resolve) => {
    release = resolve;
  });
  render(<Page seen={seen} ready={ready} />);
  const pause = () => act(async () => vi.advanceTimersByTimeAsync(400));
  await act(async () => seen.type('5'));
  await pause();
  await act(async () => seen.type(''));
  await act(async () => release());
  // The page is followed, then the address.
  await pause();
  await pause();
  expect([seen.shown, seen.written]).toEqual(['', ['5', '']]);
});
