import { Box, chakra, Flex, Grid, Text } from '@chakra-ui/react';
import { isNothing, type Price } from '@pilotfish/core/money/figure';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { usePairs, useTicker } from '../prices/use-prices.ts';
import { ALIGNED_FIGURES } from '../ui/aligned-figures.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Panel } from '../ui/controls.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';
import { Amount } from './amounts.tsx';
import { liveFigures } from './live-figures.ts';
import type { OpenSort } from './open-order.ts';
import { BrokenReasons, PositionBadges, useUnknownReason } from './position-state.tsx';
import { TargetCell } from './target-cell.tsx';
import { Cell } from './totals-panel.tsx';

const HeadCell = chakra('th', {
  base: { px: '2.5', py: '2', textAlign: 'end', fontSize: '12px', fontWeight: '550', color: 'fg.muted', whiteSpace: 'nowrap' },
});
const BodyCell = chakra('td', {
  base: { px: '2.5', py: '2.5', textAlign: 'end', verticalAlign: 'top', borderTopWidth: '1px', borderColor: 'border.subtle' },
});

export { BodyCell, HeadCell };

/** A column's name that sorts by it; pressed again it turns round. */
function SortHead({
  by,
  sort,
  onSort,
  start = false,
  children,
}: {
  by: OpenSort['by'];
  sort: OpenSort;
  onSort: (sort: OpenSort) => void;
  start?: boolean;
  children: ReactNode;
}) {
  const isActive = sort.by === by;
  return (
    <HeadCell
      scope="col"
      textAlign={start ? 'start' : 'end'}
      aria-sort={isActive ? (sort.descending ? 'descending' : 'ascending') : 'none'}
    >
      <chakra.button
        type="button"
        cursor="pointer"
        fontWeight="inherit"
        color={isActive ? 'fg' : 'inherit'}
        onClick={() => onSort({ by, descending: isActive ? !sort.descending : by !== 'symbol' })}
      >
        {children} <span aria-hidden="true">{isActive ? (sort.descending ? '↓' : '↑') : ''}</span>
      </chakra.button>
    </HeadCell>
  );
}

export function OpenTable({ items, sort, onSort }: { items: readonly OpenPosition[]; sort: OpenSort; onSort: (sort: OpenSort) => void }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const head = { sort, onSort };
  return (
    <chakra.section tabIndex={0} aria-label={t('routes.openPositions')} overflowX="auto" position="relative">
      <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            <SortHead by="symbol" start {...head}>
              {t('positions.pair')}
            </SortHead>
            <HeadCell scope="col">{t('positions.averageCost')}</HeadCell>
            <HeadCell scope="col">{t('positions.breakEven')}</HeadCell>
            <HeadCell scope="col">{t('positions.price')}</HeadCell>
            <SortHead by="value" {...head}>
              {t('positions.value')}
            </SortHead>
            <SortHead by="total" {...head}>
              {t('positions.result')}
            </SortHead>
            <SortHead by="targetDistancePct" {...head}>
              {t('positions.target.name')}
            </SortHead>
            <HeadCell scope="col">{t('positions.days30')}</HeadCell>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.id} item={item} pair={pairs?.get(item.symbol)} />
          ))}
        </tbody>
      </chakra.table>
    </chakra.section>
  );
}

/** Everything a row and a card tell, at the newest price. */
function useLive(item: OpenPosition, pair: Pair | undefined) {
  const reasonOf = useUnknownReason();
  const live = liveFigures(item, useTicker(item.symbol)?.price);
  const reason = reasonOf(item.broken);
  const price = (text: Price | null) => (text === null ? <Unknown reason={reason} /> : formatPrice(text, pair?.pricePrecision));
  return { live, reason, price };
}

const Name = ({ item }: { item: OpenPosition }) => (
  <Link to={`/positions/detail/${item.id}`}>
    <Text as="span" fontWeight="650" lang="en" translate="no">
      <CoinIcon code={item.baseAsset} />
      {item.baseAsset}
      <Text as="span" color="fg.muted" fontWeight="450">
        {' '}
        / {item.quoteAsset}
      </Text>
    </Text>
  </Link>
);

/** A result that can be reckoned but rests on a history that is not whole. */
function Uncertain({ item }: { item: OpenPosition }) {
  const { t } = useTranslation();
  if (item.broken.length === 0 || item.total === null) return null;
  return (
    <Text fontSize="12px" color="warning">
      {t('positions.uncertain')}
    </Text>
  );
}

function Row({ item, pair }: { item: OpenPosition; pair: Pair | undefined }) {
  const { t } = useTranslation();
  const { live, reason, price } = useLive(item, pair);
  const [first, last] = [item.sparkline[0] ?? 0, item.sparkline.at(-1) ?? 0];
  return (
    <>
      <tr>
        <BodyCell textAlign="start">
          <Name item={item} />
          <Text color="fg.muted" fontSize="12px">
            {formatQuantity(item.quantity)} {item.baseAsset}
          </Text>
          <PositionBadges {...item} />
        </BodyCell>
        <BodyCell>{price(item.averageCost)}</BodyCell>
        <BodyCell>
          {item.breakEven !== null && isNothing(item.breakEven) ? (
            <span title={t('positions.recoveredHint')}>{t('positions.recovered')}</span>
          ) : (
            price(item.breakEven)
          )}
        </BodyCell>
        <BodyCell>{price(live.price)}</BodyCell>
        <BodyCell whiteSpace="nowrap">
          <Amount value={live.value} currency={item.quoteAsset} reason={reason} />
        </BodyCell>
        <BodyCell whiteSpace="nowrap">
          <Text fontWeight="600">
            <Amount value={live.total} currency={item.quoteAsset} signed bare reason={reason} />
          </Text>
          <Text fontSize="12px">
            <ResultPercent value={live.returnPct} reason={reason} />
          </Text>
          <Uncertain item={item} />
        </BodyCell>
        <BodyCell>
          <Flex direction="column" align="flex-end">
            <TargetCell position={item} pair={pair} price={live.price} distancePct={live.targetDistancePct} />
          </Flex>
        </BodyCell>
        <BodyCell>
          <Flex justify="flex-end">
            {item.sparkline.length < 2 ? (
              <Unknown reason={t('positions.unknown.noDays')} />
            ) : (
              <Sparkline
                values={item.sparkline}
                tone={last > first ? 'gain' : last < first ? 'loss' : 'muted'}
                label={t('positions.days30Of', { symbol: item.symbol })}
                format={(value) => formatPrice(value.toFixed(8), pair?.pricePrecision)}
              />
            )}
          </Flex>
        </BodyCell>
      </tr>
      {item.broken.length > 0 && (
        <tr>
          <td colSpan={8}>
            <Box mx="2.5" mb="3" p="3" borderRadius="control" bg="danger.muted">
              <BrokenReasons broken={item.broken} asset={item.baseAsset} compact />
            </Box>
          </td>
        </tr>
      )}
    </>
  );
}

/** On a phone each position is a card. */
export function OpenCards({ items }: { items: readonly OpenPosition[] }) {
  const pairs = usePairs();
  return (
    <Flex as="ul" direction="column" gap="3" listStyleType="none">
      {items.map((item) => (
        <li key={item.id}>
          <Card item={item} pair={pairs?.get(item.symbol)} />
        </li>
      ))}
    </Flex>
  );
}

function Card({ item, pair }: { item: OpenPosition; pair: Pair | undefined }) {
  const { t } = useTranslation();
  const { live, reason, price } = useLive(item, pair);
  return (
    <Panel bg="bg" p="3.5" as="article">
      <Flex justify="space-between" gap="3" align="flex-start">
        <Box minW="0">
          <Name item={item} />
          <Text color="fg.muted" fontSize="12px">
            {formatQuantity(item.quantity)} {item.baseAsset}
          </Text>
        </Box>
        <Box textAlign="end" css={{ fontVariantNumeric: 'tabular-nums' }}>
          <Text fontWeight="650">
            <Amount value={live.total} currency={item.quoteAsset} signed reason={reason} />
          </Text>
          <Text fontSize="13px">
            <ResultPercent value={live.returnPct} reason={reason} />
          </Text>
          <Uncertain item={item} />
        </Box>
      </Flex>
      <PositionBadges {...item} />
      <Grid as="dl" templateColumns="repeat(3, minmax(0, 1fr))" gap="2.5" mt="3" css={ALIGNED_FIGURES}>
        <Cell term={t('positions.value')}>
          <Amount value={live.value} currency={item.quoteAsset} bare reason={reason} />
        </Cell>
        <Cell term={t('positions.averageCost')}>{price(item.averageCost)}</Cell>
        <Cell term={t('positions.price')}>{price(live.price)}</Cell>
      </Grid>
      <Flex mt="2" justify="space-between" align="center" gap="3">
        <Text color="fg.muted" fontSize="12px">
          {t('positions.target.name')}
        </Text>
        <TargetCell position={item} pair={pair} price={live.price} distancePct={live.targetDistancePct} />
      </Flex>
      {item.broken.length > 0 && (
        <Box mt="3" p="3" borderRadius="control" bg="danger.muted">
          <BrokenReasons broken={item.broken} asset={item.baseAsset} compact />
        </Box>
      )}
    </Panel>
  );
}
