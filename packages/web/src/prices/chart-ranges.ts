import type { ChartInterval } from './use-prices.ts';

/** Stretches of time to look at, each in candles that make it readable. */
export const CHART_RANGES = ['1d', '1w', '1M', '3M', '1y'] as const;
export type ChartRange = (typeof CHART_RANGES)[number];

const DAY = 86_400;
export const RANGE_VIEW: Record<ChartRange, { interval: ChartInterval; seconds: number }> = {
  '1d': { interval: '5m', seconds: DAY },
  '1w': { interval: '1h', seconds: 7 * DAY },
  '1M': { interval: '4h', seconds: 30 * DAY },
  '3M': { interval: '1d', seconds: 90 * DAY },
  '1y': { interval: '1d', seconds: 365 * DAY },
};
