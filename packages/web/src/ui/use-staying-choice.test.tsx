// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useStayingChoice } from './use-staying-choice.ts';

/** The choice beside a list, as the pages make it: the first of the list, until one is chosen. */
const beside = (...list: string[]) =>
  renderHook(({ rows }: { rows: string[] }) => useStayingChoice(rows[0]), { initialProps: { rows: list } });

test('the first shown stays when it leaves the list and another comes to its place', () => {
  const { result, rerender } = beside('BTCUSDT', 'ETHUSDT');
  expect(result.current[0]).toBe('BTCUSDT');
  rerender({ rows: ['ETHUSDT'] });
  expect(result.current[0]).toBe('BTCUSDT');
  rerender({ rows: ['XRPUSDT', 'BTCUSDT', 'ETHUSDT'] });
  expect(result.current[0]).toBe('BTCUSDT');
});

test('a chosen row that leaves the list is still the choice: an Enter meets no other coin', () => {
  const { result, rerender } = beside('BTCUSDT', 'ETHUSDT', 'XRPUSDT');
  act(() => result.current[1]('ETHUSDT'));
  rerender({ rows: ['BTCUSDT', 'XRPUSDT'] });
  expect(result.current[0]).toBe('ETHUSDT');
  rerender({ rows: [] });
  expect(result.current[0]).toBe('ETHUSDT');
  act(() => result.current[1]('XRPUSDT'));
  expect(result.current[0]).toBe('XRPUSDT');
});

test('of an empty list nothing is chosen; the first to arrive is, and stays', () => {
  const { result, rerender } = beside();
  expect(result.current[0]).toBeUndefined();
  rerender({ rows: ['ETHUSDT'] });
  expect(result.current[0]).toBe('ETHUSDT');
  rerender({ rows: ['BTCUSDT'] });
  expect(result.current[0]).toBe('ETHUSDT');
});
