import { Box, Flex } from '@chakra-ui/react';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatQuantity } from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { LoadedChart, ONE_LINE, ONE_LINE_HEAD } from '../../prices/loaded-chart.tsx';
import { useCandleHistory } from '../../prices/use-candle-history.ts';
import { CHART_INTERVALS, type ChartInterval } from '../../prices/use-prices.ts';
import type { Fill, PriceLevel, PriceZone } from '../../ui/charts/price-chart.tsx';
import { Segments } from '../../ui/controls.tsx';
import { usePositionMarks } from '../use-positions.ts';

/** Of the candles, px. */
const HEIGHT = { page: 320, panel: 236 } as const;
/** What the chart adds to its candles, px: its line of figures, in a panel below the choice of candles. */
const HEAD = { page: 40, panel: ONE_LINE_HEAD } as const;
/** Of the choice of candles, px. */
const CHOICE = 42;

const HOUR = 3_600_000;
/** Candles in which the position's life fills the first window. */
function firstInterval(openedAt: string, until: number): ChartInterval {
  const hours = (until - Date.parse(openedAt)) / HOUR;
  if (hours < 2) return '1m';
  if (hours < 24) return '5m';
  if (hours < 24 * 10) return '1h';
  return hours < 24 * 60 ? '4h' : '1d';
}

/**
 * The candles of a position's pair with what is drawn over them. What was asked for stays when another position is shown.
 * @param closedAt null while it is open
 * @param isInPanel lower, and as high while it loads or fails
 */
export function CandleChart({
  symbol,
  openedAt,
  closedAt,
  levels,
  zones,
  fills,
  note = '',
  isInPanel = false,
}: {
  symbol: string;
  openedAt: string;
  closedAt: string | null;
  levels: readonly PriceLevel[];
  zones: readonly PriceZone[];
  fills: readonly Fill[];
  note?: string;
  isInPanel?: boolean;
}) {
  const { t } = useTranslation();
  const { now } = useApp().browser;
  const first = useMemo(() => firstInterval(openedAt, closedAt === null ? now() : Date.parse(closedAt)), [openedAt, closedAt, now]);
  const [chosen, choose] = useState<ChartInterval>();
  const interval = chosen ?? first;
  const candles = useCandleHistory(symbol, interval);
  const [height, head] = isInPanel ? [HEIGHT.panel, HEAD.panel] : [HEIGHT.page, HEAD.page];
  const choice = (
    <Segments
      label={t('prices.interval')}
      value={interval}
      options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
      onChange={choose}
    />
  );
  return (
    <Flex direction="column" gap={isInPanel ? 0 : 3} css={isInPanel ? ONE_LINE : undefined}>
      {isInPanel ? (
        <Box position="absolute" top="0" left="0" zIndex="1" maxW="calc(100% - 150px)">
          {choice}
        </Box>
      ) : (
        choice
      )}
      <Box minH={`${height + head}px`}>
        <LoadedChart
          symbol={symbol}
          interval={interval}
          candles={candles}
          levels={levels}
          zones={zones}
          fills={fills}
          height={height}
          around={head}
          inset={isInPanel ? CHOICE : undefined}
          room={0.2}
        />
      </Box>
      <Box role="status" fontSize="12px" color="fg.muted" minH={isInPanel ? undefined : '18px'}>
        {candles.older === 'loading' ? t('chart.loadingOlder') : note}
      </Box>
    </Flex>
  );
}

/** What of a position of the ledger is drawn. */
export type ChartedPosition = Pick<OpenPosition, 'id' | 'symbol' | 'openedAt' | 'averageCost' | 'breakEven' | 'targetPrice'> & {
  readonly closedAt: string | null;
};

/** The pair's candles with the position's trades, and the prices that matter to it, as numbers for drawing only. */
export function PositionChart({ position, isInPanel = false }: { position: ChartedPosition; isInPanel?: boolean }) {
  const { t } = useTranslation();
  const trades = usePositionMarks(position.id);
  const { symbol, averageCost, breakEven, openedAt, closedAt, targetPrice } = position;
  const levels = useMemo<PriceLevel[]>(() => {
    const level = (id: string, price: Price | null, look: Pick<PriceLevel, 'tone' | 'look'>): PriceLevel[] =>
      price === null || isNothing(price) ? [] : [{ id, label: t(`positions.line.${id}`), price: Number(price), ...look }];
    return [
      ...level('average', averageCost, { tone: 'neutral', look: 'solid' }),
      ...level('breakEven', breakEven, { tone: 'neutral', look: 'dashed' }),
      ...level('target', targetPrice, { tone: 'gain', look: 'dashed' }),
    ];
  }, [averageCost, breakEven, targetPrice, t]);
  const zones = useMemo<PriceZone[]>(() => {
    const [from, low, high] = [Date.parse(openedAt) / 1000, Number(averageCost ?? 0), Number(targetPrice ?? 0)];
    return low > 0 && high > low ? [{ from, low, high, tone: 'gain' }] : [];
  }, [openedAt, averageCost, targetPrice]);
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
  const note =
    trades.data && trades.data.total > trades.data.items.length
      ? t('positions.marksShown', { shown: trades.data.items.length, of: trades.data.total })
      : '';
  return <CandleChart {...{ symbol, openedAt, closedAt, levels, zones, fills, note, isInPanel }} />;
}
