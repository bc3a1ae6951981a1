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

type Props = {
  /** The first write waits for it. */
  readonly ready: Promise<void>;
  readonly write: (text: string) => void;
  readonly onField: (shown: string, type: (text: string) => void) => void;
  readonly onPage: (follow: (text: string) => void) => void;
};

function Field({ address, write, onField }: Props & { readonly address: string }) {
  onField(...useTyped(address, write));
  return null;
}

function Slow({ address, ready }: Props & { readonly address: string }) {
  if (address === '5') use(ready);
  return null;
}

function Page(props: Props) {
  const [address, setAddress] = useState('');
  props.onPage(setAddress);
  return (
    <>
      <Field address={address} {...props} />
      <Slow address={address} {...props} />
    </>
  );
}

test('what is typed while the router still follows an own write stays, and is written next', async () => {
  const written: string[] = [];
  let shown = '';
  let type: (text: string) => void = () => undefined;
  let follow: (text: string) => void = () => undefined;
  const write = (text: string) => {
    written.push(text);
    startTransition(() => follow(text));
  };
  // The page of the first write is not ready at once: its render is begun, thrown away, and begun again.
  let release = () => {};
  const ready = new Promise<void>((resolve) => {
    release = resolve;
  });
  render(
    <Page
      ready={ready}
      write={write}
      onField={(text, onType) => {
        [shown, type] = [text, onType];
      }}
      onPage={(set) => {
        follow = set;
      }}
    />,
  );
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
