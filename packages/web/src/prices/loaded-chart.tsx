import { Box, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { useTranslation } from 'react-i18next';
import type { CandleColumns } from '../ui/charts/candle-columns.ts';
import { PriceChart, type PriceChartProps } from '../ui/charts/price-chart.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import { usePairs } from './use-prices.ts';

/** Candles as `useCandles` and `useCandleHistory` answer them. */
export type LoadedCandles = {
  readonly columns: CandleColumns | undefined;
  readonly hasFailed: boolean;
  readonly problem: ShownProblem | undefined;
  readonly retry: () => void;
  readonly onOlder?: () => void;
};

/**
 * Where there is little room there is one line of figures, however narrow: one that wraps would move what is below with every candle that
 * is read. A figure that has no room is left out whole, not cut. Their time is at the axis.
 */
export const ONE_LINE = {
  position: 'relative',
  '& .chart-head': { flexDirection: 'column', alignItems: 'flex-end', flexWrap: 'nowrap', minHeight: '54px' },
  '& .chart-readout': {
    order: 2,
    flex: '0 0 18px',
    width: '100%',
    height: '18px',
    flexWrap: 'wrap',
    gap: '0 8px',
    overflow: 'hidden',
    fontSize: '11px',
  },
  '& .chart-readout > span:first-of-type': { display: 'none' },
} as const;
/** What such a chart adds to its candles, px. */
export const ONE_LINE_HEAD = 62;

/**
 * The chart of a pair, or what is to be said while there is none: it loads, it failed, nothing was traded yet.
 * @param around what the chart adds to its candles, px: nothing moves once they are there
 * @param inset what lies over the upper edge of the chart, px: words in its place begin below
 */
export function LoadedChart({
  symbol,
  interval,
  candles: { columns, hasFailed, problem, retry, onOlder },
  height,
  around,
  inset,
  ...drawn
}: Omit<PriceChartProps, 'label' | 'candles' | 'pricePrecision' | 'height' | 'onOlder'> & {
  symbol: string;
  interval: string;
  candles: LoadedCandles;
  height: number;
  around: number;
  inset?: number | undefined;
}) {
  const { t } = useTranslation();
  const pair = usePairs()?.get(symbol);
  const below = inset === undefined ? {} : { pt: `${inset}px` };
  if (hasFailed && !columns)
    return (
      <Box {...below}>
        <ErrorPanel problem={problem} onRetry={retry} />
      </Box>
    );
  if (!columns)
    return (
      <Box {...below}>
        <div className="skeleton" style={{ height: height + around - (inset ?? 0) }} />
      </Box>
    );
  if (columns.time.length === 0)
    return (
      <Text color="fg.muted" {...below}>
        {t('chart.nothing')}
      </Text>
    );
  return (
    <PriceChart
      label={`${symbol}, ${interval}`}
      candles={columns}
      pricePrecision={pair?.pricePrecision ?? 4}
      height={height}
      {...(onOlder && { onOlder })}
      {...drawn}
    />
  );
}
