import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { ClosedOrder, ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Tag } from '../ui/kit/badges.tsx';
import { ResultPercent } from '../ui/kit/result.tsx';
import { SortHead } from '../ui/sort-head.tsx';
import { Cell, HeadCell, RowHead, Second } from '../ui/table-cells.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { Amount } from './amounts.tsx';
import { PositionBadges, useUnknownReason } from './position-state.tsx';

/** What ended a position, in words. */
export function useExitWord(): (exit: ClosedRow['exit']) => string {
  const { t } = useTranslation();
  return (exit) => (exit === 'hand' || exit === 'gone' ? t(`positions.exits.${exit}`) : t(`exitReasons.${exit}`));
}

function useRow(item: ClosedRow) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const reasonOf = useUnknownReason();
  const exitWord = useExitWord();
  const names = item.bots.map(({ name }) => name);
  return {
    reason: reasonOf(item.broken, 'nothingHeld'),
    owner: [...names, ...(item.byHand ? [t('overview.byHand')] : [])].join(', '),
    exit: exitWord(item.exit),
    held: formatSpan(Date.parse(item.closedAt) - Date.parse(item.openedAt), i18n.language),
    opened: moment(item.openedAt),
    closed: moment(item.closedAt),
  };
}

const Name = ({ item, owner }: { item: ClosedRow; owner: string }) => (
  <Flex align="center" gap="2" minW="0">
    <chakra.div minW="0" asChild>
      <Link to={`/positions/detail/${item.id}`}>
        <Flex align="center" fontSize="16px" gap="0.5">
          <CoinIcon code={item.baseAsset} />
          <Box minW="0" maxW={{ md: '240px' }} fontSize="13px">
            <Text fontWeight="600" lineHeight="16px" lang="en" translate="no">
              {item.baseAsset}
              <Text as="span" color="fg.muted" fontWeight="450">
                {' '}
                / {item.quoteAsset} #{item.number}
              </Text>
            </Text>
            <Second overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap" title={owner}>
              {owner}
            </Second>
          </Box>
        </Flex>
      </Link>
    </chakra.div>
    <PositionBadges {...item} />
  </Flex>
);

const Exit = ({ word }: { word: string }) => (
  <Tag>
    <chakra.span display="inline-block" _firstLetter={{ textTransform: 'uppercase' }}>
      {word}
    </chakra.span>
  </Tag>
);

type SortKey = 'symbol' | 'matchedCost' | 'realised' | 'returnPct' | 'held' | 'closedAt';
/** The way in which a column is first sorted: names from A on, figures from the largest. */
const nextOrder = (key: SortKey, order: ClosedOrder): ClosedOrder => {
  const first = key === 'symbol' ? 'asc' : 'desc';
  return `${key}-${order === `${key}-${first}` ? (first === 'asc' ? 'desc' : 'asc') : first}`;
};

/** A line for each position, by what the heads say. */
export function ClosedTable({
  items,
  order,
  onOrder,
}: {
  items: readonly ClosedRow[];
  order: ClosedOrder;
  onOrder: (order: ClosedOrder) => void;
}) {
  const { t } = useTranslation();
  const head = (key: SortKey, label: string, start = false) => (
    <SortHead
      label={label}
      textAlign={start ? 'start' : 'end'}
      sorted={order.startsWith(`${key}-`) ? (order.endsWith('-asc') ? 'ascending' : 'descending') : undefined}
      onSort={() => onOrder(nextOrder(key, order))}
    />
  );
  return (
    <chakra.section tabIndex={0} aria-label={t('routes.closedPositions')} overflowX="auto" position="relative">
      <chakra.table w="100%" fontSize="13px" css={{ fontVariantNumeric: 'tabular-nums', borderCollapse: 'collapse' }}>
        <thead>
          <tr>
            {head('symbol', t('positions.pair'), true)}
            <HeadCell scope="col">{t('positions.exit')}</HeadCell>
            {head('matchedCost', t('positions.cost'))}
            <HeadCell scope="col" textAlign="end">
              {t('positions.fees')}
            </HeadCell>
            {head('realised', t('positions.realised'))}
            {head('returnPct', t('positions.return'))}
            {head('held', t('positions.held'))}
            {head('closedAt', t('positions.closed'))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </tbody>
      </chakra.table>
    </chakra.section>
  );
}

function Row({ item }: { item: ClosedRow }) {
  const { reason, owner, exit, held, opened, closed } = useRow(item);
  return (
    <chakra.tr _hover={{ bg: 'bg.raised' }}>
      <RowHead>
        <Name item={item} owner={owner} />
      </RowHead>
      <Cell>
        <Exit word={exit} />
      </Cell>
      <Cell textAlign="end">
        <Amount value={item.matchedCost} currency={item.quoteAsset} bare reason={reason} />
      </Cell>
      <Cell textAlign="end">
        <Amount value={item.fees} currency={item.quoteAsset} bare reason={reason} />
      </Cell>
      <Cell textAlign="end" fontWeight="600">
        <Amount value={item.realised} currency={item.quoteAsset} signed reason={reason} />
      </Cell>
      <Cell textAlign="end">
        <ResultPercent value={item.returnPct} reason={reason} />
      </Cell>
      <Cell textAlign="end">{held}</Cell>
      <Cell textAlign="end" title={opened}>
        {closed}
      </Cell>
    </chakra.tr>
  );
}

/** The same on a phone: two lines for each. */
export const ClosedCards = ({ items }: { items: readonly ClosedRow[] }) => (
  <Flex as="ul" direction="column" listStyleType="none" fontSize="13px">
    {items.map((item) => (
      <Card key={item.id} item={item} />
    ))}
  </Flex>
);

function Card({ item }: { item: ClosedRow }) {
  const { reason, owner, exit, held, closed } = useRow(item);
  return (
    <Box as="li" px="3.5" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
      <Flex justify="space-between" gap="3">
        <Name item={item} owner={owner} />
        <Box textAlign="end" flexShrink="0" lineHeight="16px" css={{ fontVariantNumeric: 'tabular-nums' }}>
          <Text fontWeight="600" lineHeight="16px">
            <Amount value={item.realised} currency={item.quoteAsset} signed reason={reason} />
          </Text>
          <Text fontSize="12px" lineHeight="16px">
            <ResultPercent value={item.returnPct} reason={reason} />
          </Text>
        </Box>
      </Flex>
      <Flex mt="1.5" gap="2" align="center" justify="space-between" color="fg.muted" fontSize="12px">
        <Exit word={exit} />
        <span>
          {held} · {closed}
        </span>
      </Flex>
    </Box>
  );
}
