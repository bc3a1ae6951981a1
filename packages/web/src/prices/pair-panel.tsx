import { Box, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { isNothing, type Price, type Quantity } from '@pilotfish/core/money/figure';
import { formatCompact, formatCurrency, formatPrice, formatQuantity, formatRatio, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FilterOption } from '@pilotfish/core/prices/screener-contract';
import { columnRef } from '@pilotfish/core/prices/screener-fields';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../app/use-session.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Badge, IconButton, LinkButton, Panel } from '../ui/controls.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { type CellContext, cellText } from './cell-text.ts';
import type { ChartRange } from './chart-ranges.ts';
import { PairChart } from './pair-chart.tsx';
import { columnLabel } from './prices-grid.tsx';
import { type ChartInterval, useCurrencyNames, useTicker } from './use-prices.ts';
import { useScreener } from './use-screener.ts';

type Props = {
  pair: Pair;
  interval: ChartInterval;
  range: ChartRange | undefined;
  onView: (view: { interval: ChartInterval; range: ChartRange | undefined }) => void;
  /** Of the table: the same figures are told of this pair. */
  columns: readonly string[];
  options: ReadonlyMap<string, FilterOption> | undefined;
  tags: readonly { key: string; label: string; symbols: readonly string[] }[];
  onClose: () => void;
};

/** One pair: price now, candles, figures, and the exchange's rules for its orders. */
export function PairPanel({ pair, interval, range, onView, columns, options, tags, onClose }: Props) {
  const { t } = useTranslation();
  const config = useConfig();
  const ticker = useTicker(pair.symbol);
  const own = tags.filter(({ symbols }) => symbols.includes(pair.symbol));
  const price = (value: Price | undefined) => (value === undefined ? UNKNOWN : formatPrice(value, pair.pricePrecision));
  const name = useCurrencyNames()?.get(pair.baseAsset);
  const quantity = (value: Quantity) => (isNothing(value) ? UNKNOWN : formatQuantity(value));
  const { filters } = pair;
  return (
    <Panel as="aside" aria-label={pair.symbol} display="flex" flexDirection="column" gap="4" h="100%" overflowY="auto" p="4">
      <Flex justify="space-between" align="flex-start" gap="3">
        <Box minW="0">
          <Heading as="h2" textStyle="title" lang="en" translate="no">
            <CoinIcon code={pair.baseAsset} />
            {pair.baseAsset}
            <Text as="span" color="fg.muted" fontWeight="450">
              {' '}
              / {pair.quoteAsset}
            </Text>
          </Heading>
          {name !== undefined && name !== pair.baseAsset && (
            <Text fontSize="13px" color="fg.muted" lang="en" translate="no">
              {name}
            </Text>
          )}
          <Flex gap="3" align="baseline" wrap="wrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
            <Text textStyle="display">{price(ticker?.price)}</Text>
            <Text fontWeight="600">{ticker && <ResultPercent value={ticker.changePct} reason="" />}</Text>
          </Flex>
          {own.length > 0 && (
            <Flex as="ul" gap="1" wrap="wrap" mt="1.5" listStyleType="none" aria-label={t('prices.tags')}>
              {own.map(({ key, label }) => (
                <li key={key}>
                  <Badge>{label}</Badge>
                </li>
              ))}
            </Flex>
          )}
        </Box>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </Flex>
      <PairChart key={pair.symbol} pair={pair} interval={interval} range={range} onView={onView} />
      <Facts
        title={t('prices.figures')}
        facts={[
          [t('prices.column.high'), price(ticker?.high)],
          [t('prices.column.low'), price(ticker?.low)],
          [t('prices.column.quoteVolume'), ticker ? `${formatCompact(ticker.quoteVolume)} ${pair.quoteAsset}` : UNKNOWN],
        ]}
      >
        {options && <Figures symbol={pair.symbol} columns={columns} options={options} tags={tags} />}
      </Facts>
      <Facts
        title={t('prices.orderRules')}
        facts={[
          [t('prices.tickSize'), isNothing(filters.tickSize) ? UNKNOWN : price(filters.tickSize)],
          [t('prices.stepSize'), quantity(filters.stepSize)],
          [t('prices.minNotional'), formatCurrency(filters.minNotional, pair.quoteAsset)],
          [t('prices.maxNotional'), isNothing(filters.maxNotional) ? UNKNOWN : `${formatCompact(filters.maxNotional)} ${pair.quoteAsset}`],
          [
            t('prices.quantityRange'),
            `${quantity(filters.minQty)} – ${isNothing(filters.maxQty) ? UNKNOWN : formatCompact(filters.maxQty)}`,
          ],
          [t('prices.priceBand'), `×${formatRatio(filters.askMultiplierDown)} – ×${formatRatio(filters.bidMultiplierUp)}`],
          [t('prices.openOrdersLimit'), String(filters.maxNumOrders)],
          [t('prices.status'), t(`screener.value.${pair.status}`, { defaultValue: pair.status })],
        ]}
      />
      <Flex gap="2" wrap="wrap">
        <LinkButton to={`/auto-trade/create?symbol=${pair.symbol}`} colorPalette="brand" size="sm">
          {t('prices.useInBot')}
        </LinkButton>
        {config?.features.includes('price-alerts') && (
          <LinkButton to={`/price-alerts?symbol=${pair.symbol}`} variant="outline" color="fg" size="sm">
            {t('prices.setAlert')}
          </LinkButton>
        )}
      </Flex>
    </Panel>
  );
}

const Facts = ({ title, facts, children }: { title: string; facts: readonly [string, ReactNode][]; children?: ReactNode }) => (
  <Box as="section">
    <Heading as="h3" fontSize="13px" fontWeight="600" color="fg.muted" mb="2">
      {title}
    </Heading>
    <Grid as="dl" templateColumns="repeat(auto-fill, minmax(130px, 1fr))" gapX="4" gapY="2.5" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {facts.map(([term, value]) => (
        <Fact key={term} term={term}>
          {value}
        </Fact>
      ))}
      {children}
    </Grid>
  </Box>
);

const Fact = ({ term, tone = '', children }: { term: string; tone?: string; children: ReactNode }) => (
  <div>
    <Text as="dt" color="fg.muted" fontSize="12px">
      {term}
    </Text>
    <Text as="dd" fontSize="13px" className={tone}>
      {children}
    </Text>
  </div>
);

/** What the ticker already tells, live, above. */
const TOLD = new Set(['price', 'quoteVolume', 'change.24h']);

/** The table's own columns, of one pair: also when the filter leaves it out. */
function Figures({
  symbol,
  columns,
  options,
  tags,
}: {
  symbol: string;
  columns: readonly string[];
  options: ReadonlyMap<string, FilterOption>;
  tags: Props['tags'];
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { answer } = useScreener(`pair-figures:${symbol}`, {
    filter: { match: 'all', rules: [{ key: 'symbol', operation: 'startsWith', value: symbol }] },
    sort: [],
    columns: columns.map(columnRef),
  });
  const row = answer?.rows.find((each) => each.symbol === symbol);
  const context = useMemo<CellContext>(
    () => ({
      day: (at) => moment(at, 'day'),
      t: t as CellContext['t'],
      tag: (key) => tags.find((tag) => tag.key === key)?.label ?? key,
    }),
    [moment, t, tags],
  );
  return columns
    .filter((id) => !TOLD.has(id))
    .map((id) => {
      const option = options.get(columnRef(id).key);
      const value = row?.values[id];
      // A single value cannot show that its column goes both ways; a sign that is there is kept.
      const { text, tone } = cellText(option, value, typeof value === 'number' && value < 0, context);
      return (
        <Fact key={id} term={columnLabel(id, options)} tone={tone}>
          {text === '' ? UNKNOWN : text}
        </Fact>
      );
    });
}
