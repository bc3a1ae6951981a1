import { Box, chakra, Flex, Table, Text } from '@chakra-ui/react';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { isLess, isNothing } from '@pilotfish/core/money/figure';
import type { ClosedOrder, ClosedRow } from '@pilotfish/core/positions/positions-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Tag } from '../../ui/kit/badges.tsx';
import { ResultPercent } from '../../ui/kit/result.tsx';
import { SortHead } from '../../ui/tables/sort-head.tsx';
import { Cell, HeadCell, RowHead, Second } from '../../ui/tables/table-cells.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Amount } from '../amounts.tsx';
import { Capitalised } from '../capitalised.tsx';
import { PositionBadges, useUnknownReason } from '../position-state.tsx';

/** What ended a position, in words. */
export function useExitWord(): (exit: ClosedRow['exit']) => string {
  const { t } = useTranslation();
  return (exit) => (exit === 'hand' || exit === 'gone' ? t(`positions.exits.${exit}`) : t(`exitReasons.${exit}`));
}

const WINNING: readonly ClosedRow['exit'][] = ['TakeProfit', 'TrailingCost', 'TargetPrice'];
/** The tone of an exit: a target that won, a stop that lost. Neither where the result says otherwise or is not known. */
export function exitTone({ exit, realised }: Pick<ClosedRow, 'exit' | 'realised'>): 'gain' | 'loss' | undefined {
  if (realised === null || isNothing(realised)) return undefined;
  if (isLess(realised)) return exit === 'StopLoss' ? 'loss' : undefined;
  return WINNING.includes(exit) ? 'gain' : undefined;
}

/** Where a closed position has its page: its own in the ledger, that of its bot on paper. */
export const closedPath = ({ id, bots }: Pick<ClosedRow, 'id' | 'bots'>, mode: TradeMode): string =>
  mode === 'live' ? `/positions/detail/${id}` : bots[0] === undefined ? '/auto-trade' : `/auto-trade/detail/${bots[0].id}`;

type ListProps = {
  readonly items: readonly ClosedRow[];
  readonly mode: TradeMode;
  readonly chosenId?: string | undefined;
  /** Where it is given, a plain click shows a position beside the list; else its page opens. */
  readonly onChoose?: ((row: ClosedRow) => void) | undefined;
};
type RowProps = Omit<ListProps, 'items' | 'chosenId'> & { readonly item: ClosedRow; readonly isChosen: boolean };

function useRow({ item, mode, onChoose }: RowProps) {
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
    link: {
      to: closedPath(item, mode),
      onClick: (event: MouseEvent) => {
        // A new tab or window is the browser's.
        if (!onChoose || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        onChoose(item);
      },
    },
  };
}

const CHOSEN = 'color-mix(in srgb, var(--chakra-colors-brand-solid) 5%, transparent)';

const Exit = ({ item, word }: { item: ClosedRow; word: string }) => (
  <Tag tone={exitTone(item)}>
    <Capitalised>{word}</Capitalised>
  </Tag>
);

type SortKey = 'symbol' | 'matchedCost' | 'realised' | 'returnPct' | 'held' | 'closedAt';
/** The way in which a column is first sorted: names from A on, figures from the largest. */
const nextOrder = (key: SortKey, order: ClosedOrder): ClosedOrder => {
  const first = key === 'symbol' ? 'asc' : 'desc';
  return `${key}-${order === `${key}-${first}` ? (first === 'asc' ? 'desc' : 'asc') : first}`;
};

/** Fees are in the detail, too: the column is there only where the table is wide. */
const WIDE_ONLY = { display: 'none', '@container (min-width: 1200px)': { display: 'table-cell' } } as const;

/** A line for each position, by what the heads say. */
export function ClosedTable({
  items,
  order,
  onOrder,
  chosenId,
  ...rest
}: ListProps & { order: ClosedOrder; onOrder: (order: ClosedOrder) => void }) {
  const { t } = useTranslation();
  const head = (key: SortKey, label: string, start = false) => (
    <SortHead
      label={label}
      textAlign={start ? 'start' : 'end'}
      sorted={order.startsWith(`${key}-`) ? (order.endsWith('-asc') ? 'ascending' : 'descending') : undefined}
      onSort={() => onOrder(nextOrder(key, order))}
    />
  );
  const isMixed = items.some(({ quoteAsset }) => quoteAsset !== items[0]?.quoteAsset);
  return (
    <chakra.section
      tabIndex={0}
      aria-label={t('routes.closedPositions')}
      overflowX="auto"
      position="relative"
      css={{ containerType: 'inline-size' }}
    >
      <Table.Root>
        <thead>
          <tr>
            {head('symbol', t('positions.position'), true)}
            <HeadCell scope="col">{t('positions.exit')}</HeadCell>
            {head('matchedCost', t('positions.cost'))}
            <HeadCell scope="col" textAlign="end" css={WIDE_ONLY}>
              {t('positions.fees')}
            </HeadCell>
            {head('realised', t('positions.result'))}
            {head('returnPct', t('positions.return'))}
            {head('held', t('positions.held'))}
            {head('closedAt', t('positions.closed'))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={item.id} item={item} isMixed={isMixed} isChosen={item.id === chosenId} {...rest} />
          ))}
        </tbody>
      </Table.Root>
    </chakra.section>
  );
}

/** @param props.isMixed rows in several currencies: each says its own */
function Row({ isMixed, ...props }: RowProps & { isMixed: boolean }) {
  const { item, isChosen } = props;
  const { reason, owner, exit, held, opened, closed, link } = useRow(props);
  const figure = { currency: item.quoteAsset, bare: !isMixed, reason };
  return (
    <chakra.tr
      data-row={item.id}
      aria-current={isChosen || undefined}
      bg={isChosen ? CHOSEN : undefined}
      _hover={{ bg: 'bg.raised' }}
      css={{ '& > :is(td, th)': { h: '36px' } }}
    >
      {/* Its share of the table, whatever it holds: a long name is cut, and no row scrolls for it. */}
      <RowHead w="30%" maxW="0">
        <Flex align="center" gap="2">
          <Flex align="center" gap="1.5" minW="0" asChild>
            <Link {...link} title={`${item.baseAsset} / ${item.quoteAsset} #${item.number}`}>
              <CoinIcon code={item.baseAsset} />
              <Text as="span" fontWeight="600" lang="en" translate="no">
                {item.baseAsset}
                {isMixed && ` / ${item.quoteAsset}`}
              </Text>{' '}
              <Text as="span" minW="0" color="fg.muted" overflow="hidden" textOverflow="ellipsis">
                {owner}
              </Text>
            </Link>
          </Flex>
          <PositionBadges {...item} />
        </Flex>
      </RowHead>
      <Cell>
        <Exit item={item} word={exit} />
      </Cell>
      <Cell textAlign="end">
        <Amount value={item.matchedCost} {...figure} />
      </Cell>
      <Cell textAlign="end" css={WIDE_ONLY}>
        <Amount value={item.fees} {...figure} />
      </Cell>
      <Cell textAlign="end" fontWeight="600">
        <Amount value={item.realised} signed {...figure} />
      </Cell>
      <Cell textAlign="end">
        <ResultPercent value={item.returnPct} reason={reason} />
      </Cell>
      <Cell textAlign="end" color="fg.muted">
        {held}
      </Cell>
      <Cell textAlign="end" color="fg.muted" title={opened}>
        {closed}
      </Cell>
    </chakra.tr>
  );
}

/** The same on a phone: two lines for each. */
export const ClosedCards = ({ items, chosenId, ...rest }: ListProps) => (
  <Flex as="ul" direction="column" listStyleType="none" fontSize="13px">
    {items.map((item) => (
      <Card key={item.id} item={item} isChosen={item.id === chosenId} {...rest} />
    ))}
  </Flex>
);

function Card(props: RowProps) {
  const { item, isChosen } = props;
  const { reason, owner, exit, held, closed, link } = useRow(props);
  return (
    <Box
      as="li"
      data-row={item.id}
      aria-current={isChosen || undefined}
      bg={isChosen ? CHOSEN : undefined}
      px="3.5"
      py="2.5"
      borderTopWidth="1px"
      borderColor="border.subtle"
    >
      <Flex justify="space-between" gap="3">
        <Flex align="center" gap="2" minW="0">
          {/* As high as a finger is wide; the row is no higher for it. */}
          <Flex align="center" gap="1" minW="0" minH="44px" my="-6px" fontSize="16px" asChild>
            <Link {...link}>
              <CoinIcon code={item.baseAsset} />
              <Box minW="0" fontSize="13px">
                <Text fontWeight="600" lineHeight="16px" lang="en" translate="no">
                  {item.baseAsset}
                  <Text as="span" color="fg.muted" fontWeight="450">
                    {' '}
                    / {item.quoteAsset} #{item.number}
                  </Text>
                </Text>
                <Second overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
                  {owner}
                </Second>
              </Box>
            </Link>
          </Flex>
          <PositionBadges {...item} />
        </Flex>
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
        <Exit item={item} word={exit} />
        <span>
          {held} · {closed}
        </span>
      </Flex>
    </Box>
  );
}
