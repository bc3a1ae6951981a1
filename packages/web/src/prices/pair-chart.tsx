import { Flex, Text } from '@chakra-ui/react';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoice } from '../app/use-choice.ts';
import { type Fill, PriceChart, type PriceLevel } from '../ui/charts/price-chart.tsx';
import { Segments } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import {
  FIRST_INDICATORS,
  INDICATOR_LABELS,
  INDICATORS,
  type IndicatorName,
  isIndicator,
  overlaysOf,
  panesOf,
} from './chart-indicators.ts';
import { CHART_RANGES, type ChartRange, RANGE_VIEW } from './chart-ranges.ts';
import { useCandleHistory } from './use-candle-history.ts';
import { useOwnActivity } from './use-own-activity.ts';
import { CHART_INTERVALS, type ChartInterval } from './use-prices.ts';

const HEIGHT = 320;
const PANE = 96;
const LABELS_ROOM = 0.15;

/** Candles of a pair with what one lays over them, one's own orders as lines and one's own trades as marks. */
export function PairChart({
  pair,
  interval,
  range,
  onView,
}: {
  pair: Pair;
  interval: ChartInterval;
  range: ChartRange | undefined;
  onView: (view: { interval: ChartInterval; range: ChartRange | undefined }) => void;
}) {
  const { t } = useTranslation();
  const [stored, setStored] = useChoice('chartIndicators');
  const wanted = useMemo<readonly IndicatorName[]>(() => stored?.filter(isIndicator) ?? FIRST_INDICATORS, [stored]);
  const { columns, hasFailed, problem, retry, older, onOlder, retryOlder } = useCandleHistory(pair.symbol, interval);
  const { orders, trades, alerts } = useOwnActivity(pair.symbol);
  const overlays = useMemo(() => (columns ? overlaysOf(columns.close, wanted) : []), [columns, wanted]);
  const panes = useMemo(() => (columns ? panesOf(columns.close, wanted) : []), [columns, wanted]);
  const orderLevels = useMemo<PriceLevel[]>(
    () =>
      (orders ?? []).flatMap((order) => {
        const price = Number(order.price) || Number(order.stopPrice ?? 0);
        const label = t('prices.orderLine', { side: t(`prices.side.${order.side}`), quantity: formatQuantity(order.quantity) });
        const tone = order.side === 'Buy' ? 'brand' : 'neutral';
        return price > 0 ? [{ id: order.orderId, label, price, tone, look: 'dashed' } as const] : [];
      }),
    [orders, t],
  );
  const levels = useMemo<PriceLevel[]>(
    () => [
      ...orderLevels,
      ...alerts.map(
        (level, index): PriceLevel => ({
          id: `alert${index}`,
          label: t('prices.alertLine'),
          price: Number(level),
          tone: 'warning',
          look: 'dotted',
        }),
      ),
    ],
    [orderLevels, alerts, t],
  );
  const fills = useMemo<Fill[]>(
    () =>
      (trades ?? []).map(({ at, side, price, quantity, bot, mode }) => ({
        time: Date.parse(at) / 1000,
        price: Number(price),
        side: side === 'Buy' ? 'buy' : 'sell',
        label: [bot ?? t('overview.byHand'), mode === 'paper' && t('autoTrades.mode.paper'), formatQuantity(quantity)]
          .filter(Boolean)
          .join(' '),
      })),
    [trades, t],
  );
  return (
    <Flex direction="column" gap="2" minW="0">
      <Flex gap="2" wrap="wrap">
        <Segments
          label={t('chart.range')}
          value={range ?? ''}
          options={CHART_RANGES.map((value) => ({ value, label: t(`chart.ranges.${value}`) }))}
          onChange={(value) => value !== '' && onView({ interval: RANGE_VIEW[value].interval, range: value })}
        />
        <Segments
          label={t('prices.interval')}
          value={interval}
          options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
          onChange={(value) => onView({ interval: value, range: undefined })}
        />
      </Flex>
      <Flex role="group" aria-label={t('chart.indicators')} gap="1" wrap="wrap">
        {INDICATORS.map((name) => {
          const on = wanted.includes(name);
          return (
            <Button
              key={name}
              size="xs"
              h="7"
              px="2"
              variant={on ? 'solid' : 'outline'}
              bg={on ? 'brand.muted' : undefined}
              color={on ? 'brand.fg' : 'fg.muted'}
              aria-pressed={on}
              onClick={() => setStored(on ? wanted.filter((each) => each !== name) : [...wanted, name])}
            >
              {INDICATOR_LABELS[name]}
            </Button>
          );
        })}
      </Flex>
      {hasFailed && !columns ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !columns ? (
        // As tall as the chart that comes, with its readout.
        <Skeleton rows={1} height={HEIGHT + 40 + (wanted.includes('rsi') ? PANE : 0)} />
      ) : (
        <PriceChart
          label={`${pair.symbol}, ${interval}`}
          candles={columns}
          overlays={overlays}
          panes={panes}
          levels={levels}
          fills={fills}
          pricePrecision={pair.pricePrecision}
          height={HEIGHT}
          seconds={range && RANGE_VIEW[range].interval === interval ? RANGE_VIEW[range].seconds : undefined}
          onOlder={onOlder}
          room={LABELS_ROOM}
        />
      )}
      <Flex role="status" fontSize="12px" color="fg.muted" minH="18px" gap="2" align="center">
        {older === 'loading' && t('chart.loadingOlder')}
        {older === 'failed' && (
          <>
            {t('chart.olderFailed')}
            <Button size="xs" h="6" variant="ghost" color="brand.fg" onClick={retryOlder}>
              {t('ui.retry')}
            </Button>
          </>
        )}
        {older === 'idle' && fills.length + levels.length > 0 && (
          <Text as="span">{t('prices.ownOnChart', { orders: orderLevels.length, trades: fills.length, alerts: alerts.length })}</Text>
        )}
      </Flex>
    </Flex>
  );
}
