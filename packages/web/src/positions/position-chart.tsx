import { Box, Flex, Text } from '@chakra-ui/react';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCandleHistory } from '../prices/use-candle-history.ts';
import { CHART_INTERVALS, type ChartInterval, usePairs } from '../prices/use-prices.ts';
import type { PriceLine, TradeMark } from '../ui/charts/candle-chart.tsx';
import { Panel, Segments } from '../ui/controls.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import { type AnyPosition, usePositionMarks } from './use-positions.ts';

const CandleChart = lazy(() => import('../ui/charts/candle-chart.tsx').then((module) => ({ default: module.CandleChart })));
const HEIGHT = 320;

const HOUR = 3_600_000;
/** Candles in which the position's life fills the first window. */
function firstInterval(openedAt: string, until: number): ChartInterval {
  const hours = (until - Date.parse(openedAt)) / HOUR;
  if (hours < 2) return '1m';
  if (hours < 24) return '5m';
  if (hours < 24 * 10) return '1h';
  return hours < 24 * 60 ? '4h' : '1d';
}

/** The pair's candles with the position's trades, and the prices that matter to it, as numbers for drawing only. */
export function PositionChart({ position }: { position: AnyPosition }) {
  const { t } = useTranslation();
  const { symbol } = position;
  const pair = usePairs()?.get(symbol);
  const [interval, setInterval] = useState<ChartInterval>(() =>
    firstInterval(position.openedAt, position.kind === 'closed' ? Date.parse(position.closedAt) : Date.now()),
  );
  const { columns, hasFailed, problem, retry, older, onOlder } = useCandleHistory(symbol, interval);
  const trades = usePositionMarks(position.id);
  const target = position.kind === 'open' ? position.targetPrice : null;
  const { averageCost, breakEven } = position;
  const lines = useMemo<PriceLine[]>(() => {
    const line = (key: string, price: Price | null, color: PriceLine['color'], dashed: boolean): PriceLine[] =>
      price === null || isNothing(price) ? [] : [{ label: t(`positions.line.${key}`), price: Number(price), color, dashed }];
    return [
      ...line('average', averageCost, 'fg-muted', false),
      ...line('breakEven', breakEven, 'secondary-fg', true),
      ...line('target', target, 'brand-fg', true),
    ];
  }, [averageCost, breakEven, target, t]);
  const items = trades.data?.items;
  const marks = useMemo<TradeMark[]>(
    () =>
      (items ?? []).map(({ at, price, side, quantity }) => ({
        time: Date.parse(at) / 1000,
        price: Number(price),
        side: side === 'Buy' ? 'buy' : 'sell',
        label: formatQuantity(quantity),
      })),
    [items],
  );
  const box = <div className="skeleton" style={{ height: HEIGHT + 40 }} />;
  return (
    <Panel>
      <Flex direction="column" gap="3">
        <Segments
          label={t('prices.interval')}
          value={interval}
          options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
          onChange={setInterval}
        />
        {hasFailed && !columns ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : !columns ? (
          box
        ) : columns.time.length === 0 ? (
          <Text color="fg.muted">{t('chart.nothing')}</Text>
        ) : (
          <Suspense fallback={box}>
            <CandleChart
              label={`${symbol}, ${interval}`}
              candles={columns}
              lines={lines}
              marks={marks}
              pricePrecision={pair?.pricePrecision ?? 4}
              height={HEIGHT}
              onOlder={onOlder}
            />
          </Suspense>
        )}
        <Box role="status" fontSize="12px" color="fg.muted" minH="18px">
          {older === 'loading'
            ? t('chart.loadingOlder')
            : trades.data && trades.data.total > trades.data.items.length
              ? t('positions.marksShown', { shown: trades.data.items.length, of: trades.data.total })
              : ''}
        </Box>
      </Flex>
    </Panel>
  );
}
