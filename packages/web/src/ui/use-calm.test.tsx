// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { useMemo } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCalm } from './use-calm.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

type Seen = { coin: string; price: number };
const Shown = ({ coin, price }: Seen) => {
  const seen = useCalm(
    useMemo(() => ({ coin, price }), [coin, price]),
    (before, after) => before.coin === after.coin,
  );
  return <i>{seen.price}</i>;
};

test('what moves with the market moves together, whenever each began to wait; another coin comes at once', () => {
  const page = (list: number, table: number, coin = 'BTC') => (
    <>
      <Shown coin={coin} price={list} />
      <Shown coin={coin} price={table} />
    </>
  );
  const { container, rerender } = render(page(1, 1));
  const shown = () => [...container.querySelectorAll('i')].map(({ textContent }) => textContent);
  rerender(page(2, 1));
  act(() => void vi.advanceTimersByTime(200));
  rerender(page(3, 3));
  expect(shown()).toEqual(['1', '1']);
  act(() => void vi.advanceTimersByTime(50));
  expect(shown()).toEqual(['3', '3']);
  rerender(page(4, 4));
  rerender(page(5, 5, 'ETH'));
  expect(shown()).toEqual(['5', '5']);
  expect(vi.getTimerCount()).toBe(0);
});
