import { Box, Flex, Grid, Text } from '@chakra-ui/react';
import { digits } from '@pilotfish/core/money/figure';
import { formatPrice } from '@pilotfish/core/money/format';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadedChart } from '../../../prices/loaded-chart.tsx';
import { type ChartInterval, useCandles, usePairs } from '../../../prices/use-prices.ts';
import type { LevelMoves } from '../../../ui/charts/level-grips.tsx';
import type { LevelPreview } from '../../../ui/charts/price-chart.tsx';
import { Panel } from '../../../ui/controls.tsx';
import { EmptyState, Skeleton } from '../../../ui/state-panels.tsx';
import { useFillMarks, useLevelMarks, useZones } from './chart-marks.ts';
import type { BotCoin } from './chosen-coin.ts';
import { CoinActions } from './coin-actions.tsx';
import { CoinBar, IntervalChoice } from './coin-bar.tsx';
import { useDraftWords } from './draft-words.ts';
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
  const candles = useCandles(symbol, interval);
  const levels = useLevelMarks(coin, {
    currency: cockpit.bot.currency,
    row: position && cockpit.held.get(position.id),
    isInForce,
    movable: draft.movable,
    previewed: isPreviewed(draft.open) ? draft.open.id : undefined,
  });
  const { preview, moves } = useChartMoves(cockpit, coin, draft);
  const zones = useZones(coin);
  const fills = useFillMarks(cockpit.bot.id, position?.id);
  const height = isPhone ? HEIGHT.phone : HEIGHT.desktop;
  return (
    <LoadedChart
      symbol={symbol}
      interval={interval}
      candles={candles}
      height={height}
      around={AROUND - 12}
      levels={levels}
      zones={zones}
      fills={fills}
      preview={preview}
      moves={moves}
      room={isPhone ? 0.1 : ROOM}
    />
  );
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
