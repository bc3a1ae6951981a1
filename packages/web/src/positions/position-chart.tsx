import { Box, Flex, Text } from '@chakra-ui/react';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCandleHistory } from '../prices/use-candle-history.ts';
import { CHART_INTERVALS, type ChartInterval, usePairs } from '../prices/use-prices.ts';
import { type Fill, PriceChart, type PriceLevel } from '../ui/charts/price-chart.tsx';
import { Panel, Segments } from '../ui/controls.tsx';
import { ErrorPanel } from '../ui/state-panels.tsx';
import { type AnyPosition, usePositionMarks } from './use-positions.ts';

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
  const { averageCost, breakEven, openedAt } = position;
  const levels = useMemo<PriceLevel[]>(() => {
    const level = (id: string, price: Price | null, look: Pick<PriceLevel, 'tone' | 'look'>): PriceLevel[] =>
      price === null || isNothing(price) ? [] : [{ id, label: t(`positions.line.${id}`), price: Number(price), ...look }];
    return [
      ...level('average', averageCost, { tone: 'neutral', look: 'solid' }),
      ...level('breakEven', breakEven, { tone: 'neutral', look: 'dashed' }),
      ...level('target', target, { tone: 'gain', look: 'dashed' }),
    ];
  }, [averageCost, breakEven, target, t]);
  const zones = useMemo(() => {
    const [from, low, high] = [Date.parse(openedAt) / 1000, Number(averageCost ?? 0), Number(target ?? 0)];
    return low > 0 && high > low ? [{ from, low, high, tone: 'gain' as const }] : [];
  }, [openedAt, averageCost, target]);
  const items = trades.data?.items;
  const fills = useMemo<Fill[]>(
    () =>
      (items ?? []).map(({ at, price, side, quantity }) => ({
        time: Date.parse(at) / 1000,
        price: Number(price),
        side: side === 'Buy' ? 'buy' : 'sell',
        label: formatQuantity(quantity),
      })),
    [items],
  );
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
          <div className="skeleton" style={{ height: HEIGHT + 40 }} />
        ) : columns.time.length === 0 ? (
          <Text color="fg.muted">{t('chart.nothing')}</Text>
        ) : (
          <PriceChart
            label={`${symbol}, ${interval}`}
            candles={columns}
            levels={levels}
            zones={zones}
            fills={fills}
            pricePrecision={pair?.pricePrecision ?? 4}
            height={HEIGHT}
            room={0.2}
            onOlder={onOlder}
          />
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
