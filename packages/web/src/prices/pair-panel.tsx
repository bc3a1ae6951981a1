import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { formatCompact, formatPercent, formatPrice, formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CandleChart } from '../ui/charts/candle-chart.tsx';
import { IconButton, LinkButton, Panel, Segments } from '../ui/controls.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { CHART_INTERVALS, type ChartInterval, useCandles, useTicker } from './use-prices.ts';

/** One pair: price now, candles, and the exchange's rules for its orders. */
export function PairPanel({ pair, onClose }: { pair: Pair; onClose: () => void }) {
  const { t } = useTranslation();
  const ticker = useTicker(pair.symbol);
  const [interval, setInterval] = useState<ChartInterval>('1h');
  const change = Number(ticker?.changePct ?? 0);
  const price = (value: string | undefined) => (value === undefined ? UNKNOWN : formatPrice(value, pair.pricePrecision));
  const facts: [string, ReactNode][] = [
    [t('prices.column.high'), price(ticker?.high)],
    [t('prices.column.low'), price(ticker?.low)],
    [t('prices.column.quoteVolume'), ticker ? `${formatCompact(ticker.quoteVolume)} ${pair.quoteAsset}` : UNKNOWN],
    [t('prices.tickSize'), formatQuantity(pair.filters.tickSize)],
    [t('prices.stepSize'), formatQuantity(pair.filters.stepSize)],
    [t('prices.minNotional'), `${formatQuantity(pair.filters.minNotional)} ${pair.quoteAsset}`],
  ];
  return (
    <Panel as="aside" aria-label={pair.symbol} display="flex" flexDirection="column" gap="4" h="100%" overflowY="auto">
      <Flex justify="space-between" align="flex-start" gap="3">
        <Box minW="0">
          <Heading as="h2" textStyle="title" lang="en" translate="no">
            {pair.baseAsset}
            <Text as="span" color="fg.muted" fontWeight="450">
              {' '}
              / {pair.quoteAsset}
            </Text>
          </Heading>
          <Flex gap="3" align="baseline" css={{ fontVariantNumeric: 'tabular-nums' }}>
            <Text textStyle="display">{price(ticker?.price)}</Text>
            <Text className={change > 0 ? 'gain' : change < 0 ? 'loss' : ''} fontWeight="600">
              {ticker ? formatPercent(ticker.changePct) : ''}
            </Text>
          </Flex>
        </Box>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </Flex>
      <Segments
        label={t('prices.interval')}
        value={interval}
        options={CHART_INTERVALS.map((value) => ({ value, label: value }))}
        onChange={setInterval}
      />
      <PairChart pair={pair} interval={interval} />
      <Grid as="dl" templateColumns="1fr 1fr" gap="3">
        {facts.map(([term, value]) => (
          <Box key={term}>
            <Text as="dt" color="fg.muted" fontSize="12px">
              {term}
            </Text>
            <Text as="dd" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {value}
            </Text>
          </Box>
        ))}
      </Grid>
      <LinkButton to={`/auto-trade/create?symbol=${pair.symbol}`} variant="outline" color="fg" alignSelf="flex-start">
        {t('prices.useInBot')}
      </LinkButton>
    </Panel>
  );
}

function PairChart({ pair, interval }: { pair: Pair; interval: ChartInterval }) {
  const { columns, hasFailed, problem, retry } = useCandles(pair.symbol, interval);
  if (hasFailed) return <ErrorPanel problem={problem} onRetry={retry} />;
  if (!columns) return <Skeleton rows={1} height={380} />;
  return <CandleChart label={`${pair.symbol}, ${interval}`} candles={columns} pricePrecision={pair.pricePrecision} />;
}
