import { Box, Flex } from '@chakra-ui/react';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { type ReactNode, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useChoice } from '../platform/use-choice.ts';
import { type Fill, PriceChart, type PriceLevel } from '../ui/charts/price-chart.tsx';
import { Segments } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { DropMenu, MenuCheck } from '../ui/kit/menu.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useHeight } from '../ui/use-height.ts';
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

const PANE = 96;
const LABELS_ROOM = 0.15;
/** Of the line of figures above the candles, with the room below it; fixed in `markets.css`. */
const HEAD = 48;
const LEAST = 200;
const NO_LEVELS: readonly never[] = [];

/** Candles of a pair with what one lays over them, one's own orders as lines and one's own trades as marks. */
export function PairChart({
  pair,
  interval,
  range,
  onView,
  positions = NO_LEVELS,
  expand,
}: {
  pair: Pair;
  interval: ChartInterval;
  range: ChartRange | undefined;
  onView: (view: { interval: ChartInterval; range: ChartRange | undefined }) => void;
  /** Averages, stops and targets of what is held of it. */
  positions?: readonly PriceLevel[];
  /** Stands at the end of its tools. */
  expand?: ReactNode;
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
      ...positions,
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
    [positions, orderLevels, alerts, t],
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
  const area = useRef<HTMLDivElement>(null);
  const panesHeight = wanted.includes('rsi') ? PANE : 0;
  const height = Math.max(LEAST, useHeight(area, HEAD + LEAST + panesHeight) - HEAD - panesHeight);
  return (
    <Flex className="market-chart" direction="column" gap="1" minW="0" flex="1">
      <Flex columnGap={{ base: '1', md: '2' }} rowGap="2" wrap="wrap" align="center">
        <Segments
          label={t('prices.interval')}
          value={interval}
          options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
          onChange={(value) => onView({ interval: value, range: undefined })}
        />
        <Segments
          label={t('chart.range')}
          value={range ?? ''}
          options={CHART_RANGES.map((value) => ({ value, label: t(`chart.ranges.${value}`) }))}
          onChange={(value) => value !== '' && onView({ interval: RANGE_VIEW[value].interval, range: value })}
        />
        <Flex role="status" flex="1" minW="0" fontSize="12px" color="fg.muted" gap="2" align="center" justify="center">
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
            <span className="visually-hidden">
              {t('prices.ownOnChart', { orders: orderLevels.length, trades: fills.length, alerts: alerts.length })}
            </span>
          )}
        </Flex>
        <Flex gap="1" ms="auto">
          <DropMenu
            button={
              <Button size="chip" px={{ base: '1', md: '2.5' }} variant="ghost" color="fg.muted">
                {t('chart.indicators')}
                <Icon name="chevron" size={14} />
              </Button>
            }
          >
            {() => <Indicators wanted={wanted} onChange={setStored} />}
          </DropMenu>
          {expand}
        </Flex>
      </Flex>
      {/* Its place does not grow with what lies in it: the chart is as high as there is room, not the other way round. */}
      <Box ref={area} flex="1" minH={`${HEAD + LEAST + panesHeight}px`} position="relative">
        <Box position="absolute" inset="0">
          {hasFailed && !columns ? (
            <ErrorPanel problem={problem} onRetry={retry} />
          ) : !columns ? (
            <Skeleton rows={1} height={HEAD + height + panesHeight} />
          ) : (
            <PriceChart
              label={`${pair.symbol}, ${interval}`}
              candles={columns}
              overlays={overlays}
              panes={panes}
              levels={levels}
              fills={fills}
              pricePrecision={pair.pricePrecision}
              height={height}
              seconds={range && RANGE_VIEW[range].interval === interval ? RANGE_VIEW[range].seconds : undefined}
              onOlder={onOlder}
              room={LABELS_ROOM}
            />
          )}
        </Box>
      </Box>
    </Flex>
  );
}

/** What is laid over and under the candles, one by one. */
const Indicators = ({ wanted, onChange }: { wanted: readonly IndicatorName[]; onChange: (next: IndicatorName[]) => void }) =>
  INDICATORS.map((name) => (
    <MenuCheck
      key={name}
      checked={wanted.includes(name)}
      onChange={(on) => onChange(on ? [...wanted, name] : wanted.filter((each) => each !== name))}
    >
      {INDICATOR_LABELS[name]}
    </MenuCheck>
  ));
