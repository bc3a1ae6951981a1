import { Box, Flex, Text } from '@chakra-ui/react';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, negate } from '@pilotfish/core/money/decimal';
import { digits, type Price } from '@pilotfish/core/money/figure';
import { formatMoney, formatSigned } from '@pilotfish/core/money/format';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../../platform/app-context.tsx';
import { LoadedChart, ONE_LINE, ONE_LINE_HEAD } from '../../prices/loaded-chart.tsx';
import { CompactSelect } from '../../prices/screener/compact-select.tsx';
import { useCandleHistory } from '../../prices/use-candle-history.ts';
import { CHART_INTERVALS, type ChartInterval, usePairs } from '../../prices/use-prices.ts';
import type { PriceLevel, PriceZone } from '../../ui/charts/price-chart.tsx';
import { useMedia } from '../../ui/use-media.ts';

export type LadderRung = AutoTradeDetail['ladder']['rungs'][number];
type Shown = { readonly rungs: readonly LadderRung[]; readonly chosen: LadderRung; readonly currency: string };

/** Of the candles, px. */
const HEIGHT = { desktop: 270, phone: 244 } as const;
/** Share of the time axis that is empty for the labels of levels. */
const ROOM = { desktop: 0.3, phone: 0.2 } as const;

/** What the chart offers stands in one row, the figures of a candle in the next. */
const TWO_LINES = {
  ...ONE_LINE,
  '& .chart-head': { flexWrap: 'wrap', justifyContent: 'flex-end', minHeight: '54px' },
  '& .chart-readout': { ...ONE_LINE['& .chart-readout'], flex: '0 0 100%' },
} as const;

const drawn = (price: Price): number => Number(digits(price));

/** Every buy of one coin's plan; average, sells and stop as they are once the chosen step is bought. Floats, for drawing. */
function usePlanLevels({ rungs, chosen, currency }: Shown): PriceLevel[] {
  const { t } = useTranslation();
  return useMemo(() => {
    const buys = rungs.map(({ level, price, quote }): PriceLevel => {
      const label = level === 0 ? t('autoTrades.ladder.entry') : t('autoTrades.ladder.rebuy', { level });
      const note = t('autoTrades.cockpit.buys', { amount: formatMoney(quote, currency) });
      return { id: `rung${level}`, label, note, price: drawn(price), tone: 'brand', look: level === 0 ? 'dashed' : 'dotted' };
    });
    const sells = chosen.sells.flatMap(({ price, quote }, index): PriceLevel[] => {
      if (quote === null) return [];
      const number = chosen.sells.length > 1 ? ` ${index + 1}` : '';
      return [
        {
          id: `sell${index}`,
          label: `${t('autoTrades.cockpit.level.takeProfit')}${number}`,
          short: `${t('autoTrades.cockpit.shortLevel.takeProfit')}${number}`,
          note: formatMoney(quote, currency),
          price: drawn(price),
          tone: 'gain',
          look: 'dashed',
        },
      ];
    });
    const found = [...sells, ...buys];
    // At the entry it is the price of the buy, but for the fee: two lines on one another say nothing.
    if (chosen.level > 0 && chosen.averageCost !== undefined)
      found.push({ id: 'average', label: t('positions.line.average'), price: drawn(chosen.averageCost), tone: 'neutral', look: 'solid' });
    if (chosen.stopPrice !== null && chosen.lossAtStop !== null)
      found.push({
        id: 'stop',
        label: t('autoTrades.cockpit.level.stopLoss'),
        note: formatSigned(negate(decimal(chosen.lossAtStop)), currency),
        price: drawn(chosen.stopPrice),
        tone: 'loss',
        look: 'dashed',
      });
    return found;
  }, [t, rungs, chosen, currency]);
}

/** From now on: the gain up to the last sell, the loss down to the stop. */
function usePlanZones({ chosen }: Pick<Shown, 'chosen'>): PriceZone[] {
  const { now } = useApp().browser;
  return useMemo(() => {
    const from = now() / 1000;
    const average = drawn(chosen.averageCost ?? chosen.price);
    const top = Math.max(average, ...chosen.sells.filter(({ quote }) => quote !== null).map(({ price }) => drawn(price)));
    const bottom = chosen.stopPrice === null ? average : drawn(chosen.stopPrice);
    return [
      ...(top > average ? [{ from, low: average, high: top, tone: 'gain' as const }] : []),
      ...(bottom < average ? [{ from, low: bottom, high: average, tone: 'loss' as const }] : []),
    ];
  }, [now, chosen]);
}

/**
 * One coin's plan on its own chart. The table below says the same, and stands alone where the pair has no candles.
 * @param coin which coin it is, or the choice of it
 */
export function LadderChart({ symbol, coin, ...shown }: Shown & { symbol: string; coin: ReactNode }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const [interval, setInterval] = useState<ChartInterval>('1h');
  const hasLeft = pairs?.has(symbol) === false;
  return (
    <>
      <Flex mb="1" minH="8" gap="2" align="center" justify="space-between">
        {coin}
        {!hasLeft && (
          <CompactSelect
            label={t('prices.interval')}
            value={interval}
            options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
            onChange={(value) => setInterval(value as ChartInterval)}
            narrow
          />
        )}
      </Flex>
      {hasLeft ? (
        <Text color="fg.muted" fontSize="13px">
          {t('autoTrades.noChart')}
        </Text>
      ) : (
        // Another coin: the candles of the one before are not shown for it.
        <Chart key={symbol} symbol={symbol} interval={interval} {...shown} />
      )}
    </>
  );
}

function Chart({ symbol, interval, ...shown }: Shown & { symbol: string; interval: ChartInterval }) {
  const size = useMedia('(min-width: 768px)') ? 'desktop' : 'phone';
  const levels = usePlanLevels(shown);
  const zones = usePlanZones(shown);
  const candles = useCandleHistory(symbol, interval);
  return (
    <Box css={TWO_LINES}>
      <LoadedChart
        symbol={symbol}
        interval={interval}
        candles={candles}
        height={HEIGHT[size]}
        around={ONE_LINE_HEAD}
        levels={levels}
        zones={zones}
        room={ROOM[size]}
        startsFit
      />
    </Box>
  );
}
