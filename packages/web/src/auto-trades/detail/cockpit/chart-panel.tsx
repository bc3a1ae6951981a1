import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { digits } from '@pilotfish/core/money/figure';
import { formatPercent, formatPrice, formatQuantity, formatSigned } from '@pilotfish/core/money/format';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ChartInterval, useCandles, usePairs } from '../../../prices/use-prices.ts';
import type { LevelMoves } from '../../../ui/charts/level-grips.tsx';
import { type Fill, type LevelPreview, PriceChart, type PriceLevel, type PriceZone } from '../../../ui/charts/price-chart.tsx';
import { Panel } from '../../../ui/controls.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../../../ui/state-panels.tsx';
import { useFills } from '../../use-auto-trades.ts';
import type { BotCoin } from './chosen-coin.ts';
import { isHeld } from './chosen-coin.ts';
import { type LevelRow, levelRows } from './chosen-levels.ts';
import { CoinActions } from './coin-actions.tsx';
import { CoinBar, IntervalChoice } from './coin-bar.tsx';
import { useDraftWords } from './draft-words.ts';
import { levelWords } from './level-words.ts';
import { isPreviewed, LevelsBar } from './levels-bar.tsx';
import { useFourFigures } from './result-panel.tsx';
import type { Cockpit } from './use-cockpit.ts';
import type { LevelsDraft } from './use-levels-draft.ts';

/** Of the candles, px: never less, so that levels are told apart. */
const HEIGHT = { desktop: 430, phone: 352 } as const;
/** Share of the time axis that is empty for the labels of levels. */
const ROOM = 0.25;
/** What the chart adds to its candles, px: its axis and its line of figures. */
const AROUND = 46;

type Props = {
  cockpit: Cockpit;
  coins: readonly BotCoin[];
  coin: BotCoin | undefined;
  onChoose: (symbol: string) => void;
  isPhone: boolean;
  /** The levels are in force. */
  isInForce: boolean;
  draft: LevelsDraft;
};

/** The chart of the chosen coin with everything that decides it, and what may be asked of its position below. */
export function ChartPanel(props: Props) {
  const { cockpit, coins, coin, onChoose, isPhone } = props;
  const { t } = useTranslation();
  const [interval, setInterval] = useState<ChartInterval>('15m');
  return (
    <Panel p="0" overflow="hidden" aria-label={t('autoTrades.cockpit.chart')}>
      <Flex align="center" gap="2" px="2" py="1.5" minH="12" borderBottomWidth="1px" borderColor="border.subtle">
        <CoinBar cockpit={cockpit} coins={coins} coin={coin} onChoose={onChoose} />
        <IntervalChoice value={interval} onChange={setInterval} isPhone={isPhone} />
      </Flex>
      {isPhone && <FourFigures cockpit={cockpit} />}
      <Box px={{ base: '1.5', md: '3' }} pt="1.5" minH={`${(isPhone ? HEIGHT.phone : HEIGHT.desktop) + AROUND}px`}>
        {coin ? (
          <CoinChart key={`${coin.symbol}${coin.position?.id}`} {...props} coin={coin} interval={interval} />
        ) : (
          <EmptyState icon="positions" title={t('autoTrades.positionGone')}>
            {t('autoTrades.positionGoneLead')}
          </EmptyState>
        )}
      </Box>
      {coin && <LevelsBar cockpit={cockpit} coin={coin} draft={props.draft} />}
      {coin && <CoinActions cockpit={cockpit} coin={coin} isPhone={isPhone} />}
    </Panel>
  );
}

/** On a phone the figures of the bot stand above its chart. */
function FourFigures({ cockpit }: { cockpit: Cockpit }) {
  const figures = useFourFigures(cockpit);
  return (
    <Grid
      as="dl"
      templateColumns="repeat(4, minmax(0, 1fr))"
      borderBottomWidth="1px"
      borderColor="border.subtle"
      className={cockpit.isStale ? 'stale' : undefined}
    >
      {figures.map(({ label, figure }) => (
        <Box key={label} ps="3" py="2" minW="0">
          <Text as="dt" fontSize="12px" lineHeight="16px" color="fg.muted" truncate>
            {label}
          </Text>
          <Text as="dd" fontSize="14px" lineHeight="20px" fontWeight="620" whiteSpace="nowrap">
            {figure}
          </Text>
        </Box>
      ))}
    </Grid>
  );
}

/** Nothing but words for a pair that has left the exchange: it answers no candles of it. */
function CoinChart(props: Props & { coin: BotCoin; interval: ChartInterval }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  if (!pairs) return <Skeleton rows={1} height={HEIGHT.phone} />;
  if (pairs.has(props.coin.symbol)) return <Candles {...props} />;
  return (
    <Text color="fg.muted" p="4">
      {t('autoTrades.noChart')}
    </Text>
  );
}

function Candles({ cockpit, coin, interval, isPhone, isInForce, draft }: Props & { coin: BotCoin; interval: ChartInterval }) {
  const { symbol, position } = coin;
  const pair = usePairs()?.get(symbol);
  const { columns, hasFailed, problem, retry } = useCandles(symbol, interval);
  const levels = useChartLevels(cockpit, coin, isInForce, draft);
  const { preview, moves } = useChartMoves(cockpit, coin, draft);
  const zones = useZones(coin);
  const fills = useChartFills(cockpit.bot.id, position?.id);
  const height = isPhone ? HEIGHT.phone : HEIGHT.desktop;
  if (hasFailed) return <ErrorPanel problem={problem} onRetry={retry} />;
  if (!columns) return <div className="skeleton" style={{ height: height + AROUND - 12 }} />;
  return (
    <PriceChart
      label={`${symbol}, ${interval}`}
      candles={columns}
      pricePrecision={pair?.pricePrecision ?? 4}
      height={height}
      levels={levels}
      zones={zones}
      fills={fills}
      preview={preview}
      moves={moves}
      room={isPhone ? 0.1 : ROOM}
    />
  );
}

const LOOKS: Readonly<Record<LevelRow['kind'], PriceLevel['look']>> = {
  stopLoss: 'dashed',
  protectedCost: 'solid',
  protectiveStop: 'dashed',
  arm: 'dotted',
  target: 'dashed',
  takeProfit: 'dashed',
  rebuy: 'dotted',
  entry: 'dashed',
  entryLow: 'dotted',
  order: 'dotted',
  breakEven: 'dotted',
};

/** The levels as the chart draws them: the average with what it has gained, and each level with what it does. Floats, for drawing. */
function useChartLevels({ bot, held }: Cockpit, coin: BotCoin, isInForce: boolean, { movable, open }: LevelsDraft): PriceLevel[] {
  const { t } = useTranslation();
  const { position } = coin;
  const base = usePairs()?.get(coin.symbol)?.baseAsset ?? '';
  const row = position && held.get(position.id);
  const [result, resultPct] = [row?.result ?? null, row?.resultPct ?? null];
  const previewed = isPreviewed(open) ? open.id : undefined;
  return useMemo(() => {
    const rows = levelRows(coin);
    const drawn = rows
      .filter(({ kind }) => kind !== 'breakEven')
      .map((each): PriceLevel => {
        const { name, short, note, outcome } = levelWords(t, each, { rows, position: coin.position, currency: bot.currency });
        const says = [note, outcome].filter((text) => text !== undefined).join(' · ');
        return {
          id: each.id,
          label: each.id === previewed ? t('autoTrades.draft.now', { name }) : name,
          short: each.id === previewed ? t('autoTrades.draft.now', { name: short }) : short,
          ...(says && { note: says }),
          price: Number(digits(each.price)),
          tone: each.tone,
          look: LOOKS[each.kind],
          faded: !isInForce,
          grip: movable.has(each.id),
        };
      });
    if (!coin.position || !isHeld(coin.position) || coin.position.averageCost === null) return drawn;
    const quantity = `${formatQuantity(coin.position.quantity)} ${base}`.trim();
    const shown = result === null ? undefined : formatSigned(result, bot.currency);
    const percent = resultPct === null ? '' : ` (${formatPercent(resultPct)})`;
    const average: PriceLevel = {
      id: 'average',
      label: quantity,
      ...(shown !== undefined && { short: `${quantity} · ${shown}`, note: `${shown}${percent}` }),
      price: Number(digits(coin.position.averageCost)),
      tone: 'neutral',
      look: 'solid',
    };
    return [average, ...drawn];
  }, [t, coin, bot.currency, base, result, resultPct, isInForce, movable, previewed]);
}

/** The level that is being moved, and what moves it on the chart. */
function useChartMoves(
  cockpit: Cockpit,
  coin: BotCoin,
  draft: LevelsDraft,
): { preview: LevelPreview | undefined; moves: LevelMoves | undefined } {
  const wordsOf = useDraftWords(cockpit, coin, draft);
  const { open, movable, pair } = draft;
  const isShown = isPreviewed(open) && open.price !== null;
  const [id, from, to] = isShown ? [open.id, Number(open.level.price), Number(digits(open.price!))] : [];
  const words = id === undefined ? undefined : wordsOf(id);
  const label = words && [`${words.name} ${formatPrice(open!.price!, pair?.pricePrecision)}`, words.note].filter(Boolean).join(' · ');
  const preview = useMemo(
    () => (id === undefined || label === undefined ? undefined : { id, from: from!, to: to!, label }),
    [id, from, to, label],
  );
  const moves: LevelMoves | undefined =
    movable.size === 0 && !open
      ? undefined
      : {
          wordsOf: (each) => {
            const found = wordsOf(each);
            return found && movable.has(each) ? { name: found.name, value: found.value } : undefined;
          },
          onTake: (each) => draft.take(each, false),
          onPoint: draft.point,
          onRelease: draft.release,
          onKeyDown: (each, event) => void draft.press(each, event),
        };
  return { preview, moves };
}

/** What lies between the average and the outermost levels since the first buy: the gain above, the loss below. */
function useZones({ position }: BotCoin): PriceZone[] {
  return useMemo(() => {
    if (!position || !isHeld(position) || position.averageCost === null || position.openedAt === null) return [];
    const from = Date.parse(position.openedAt) / 1000;
    const average = Number(digits(position.averageCost));
    const sales = (position.levels ?? []).filter(({ quantity }) => quantity !== null).map(({ price }) => Number(digits(price)));
    const [top, bottom] = [Math.max(average, ...sales), Math.min(average, ...sales)];
    return [
      ...(top > average ? [{ from, low: average, high: top, tone: 'gain' as const }] : []),
      ...(bottom < average ? [{ from, low: bottom, high: average, tone: 'loss' as const }] : []),
    ];
  }, [position]);
}

const NO_FILLS: readonly never[] = [];

function useChartFills(botId: string, positionId: string | undefined): readonly Fill[] {
  const { t } = useTranslation();
  const { data } = useFills(botId, positionId ?? '', { enabled: positionId !== undefined });
  return useMemo(
    () =>
      data?.map(({ at, price, side, quantity }) => ({
        time: Date.parse(at) / 1000,
        price: Number(digits(price)),
        side: side === 'Buy' ? ('buy' as const) : ('sell' as const),
        label: t('prices.orderLine', { side: t(`prices.side.${side}`), quantity: formatQuantity(quantity) }),
      })) ?? NO_FILLS,
    [data, t],
  );
}
