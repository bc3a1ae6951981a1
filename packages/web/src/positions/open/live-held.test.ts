import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { describe, expect, test } from 'vitest';
import { exitFeeOf, liveHeld, resultAt } from './live-held.ts';

/** 0.41 ETH bought at 3,702.60 for 1,518.066; at 3,664.10 with 0.1 % fee worth 1,502.281, result −17.287281. */
const row: HeldPositionRow = {
  autoTradeId: 'a',
  botName: 'Majors trend',
  positionId: 'p',
  symbol: 'ETHUSDT',
  baseAsset: 'ETH',
  quoteAsset: 'USDT',
  state: 'Open',
  quantity: '0.41',
  averageCost: '3702.6',
  cost: '1518.066',
  costGap: null,
  price: '3664.1',
  value: '1502.281',
  result: '-17.287281',
  resultPct: '-1.1388',
  realised: '0',
  stop: '3628.55',
  target: '3795.17',
  rebuys: [],
  breakEven: '3706.31',
  atRisk: '14.5609245',
  openedAt: '2026-11-25T05:42:00.000Z',
  next: null,
  attention: null,
  broken: [],
  excludedFromTotals: false,
  sparkline: [],
};

describe('a held row at a newer price', () => {
  test('has the figures that the server would give, to the last digit', () => {
    expect(liveHeld(row, '3700')).toEqual({
      ...row,
      price: '3700',
      value: '1517',
      // 1517 × 0.999 − 1518.066
      result: '-2.583',
      resultPct: '-0.1702',
      // 0.41 × (3700 − 3628.55) × 0.999
      atRisk: '29.2652055',
    });
  });
  test('back at the old price is the old row', () => {
    expect(liveHeld(liveHeld(row, '3700'), '3664.1')).toEqual(row);
  });
  test('risks nothing below its stop', () => {
    expect(liveHeld(row, '3600').atRisk).toBe('0');
  });
  test('without a newer price, or with what is no price, is the very same', () => {
    for (const price of [undefined, '3664.1', '0', '-1', 'NaN']) expect(liveHeld(row, price)).toBe(row);
    const unpriced: HeldPositionRow = { ...row, price: null, value: null, result: null, resultPct: null, atRisk: null };
    expect(liveHeld(unpriced, '3700')).toBe(unpriced);
  });
  test('without a cost has a value and no result', () => {
    const costless: HeldPositionRow = { ...row, cost: null, costGap: 'broken', result: null, resultPct: null, stop: null, atRisk: null };
    expect(liveHeld(costless, '3700')).toEqual({ ...costless, price: '3700', value: '1517' });
  });
});

describe('what a row would bring', () => {
  test('at its stop and at its target, after the fee', () => {
    // 0.41 × 3628.55 × 0.999 − 1518.066, and at 3795.17
    expect(resultAt(row, '3628.55')).toBe('-31.8482055');
    expect(resultAt(row, '3795.17')).toBe('36.3976803');
    expect(exitFeeOf(row)).toBe('1.502281');
  });
  test('is unknown without a cost or a price', () => {
    expect(resultAt({ ...row, cost: null, result: null }, '1')).toBeNull();
    expect(resultAt({ ...row, price: null, value: null, result: null }, '1')).toBeNull();
    expect(exitFeeOf({ ...row, result: null })).toBeNull();
  });
});
