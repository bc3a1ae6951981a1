import { Box, chakra, Flex, Table } from '@chakra-ui/react';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { LevelTrack } from '../../ui/kit/level-track.tsx';
import { Result } from '../../ui/kit/result.tsx';
import { SortHead } from '../../ui/tables/sort-head.tsx';
import { Cell, HeadCell, RowHead } from '../../ui/tables/table-cells.tsx';
import { AtRisk, DaysCell, HeldCard, HeldName, PriceCell, reasonsOf, useOwner, ValueCell, type Whole } from './held-cells.tsx';
import type { HeldSort } from './held-order.ts';

export type HeldColumn = 'price' | 'value' | 'result' | 'levels' | 'atRisk' | 'days';
/** What a column is sorted by, where it can be. */
const SORT_OF: Partial<Record<HeldColumn | 'position', HeldSort['by']>> = {
  position: 'symbol',
  value: 'value',
  result: 'result',
  levels: 'targetDistancePct',
  atRisk: 'atRisk',
};

type Shared<Row> = {
  readonly rows: readonly Row[];
  /** The page of a row. */
  readonly pathOf: (row: Row) => string;
  /** Marks beside the name. */
  readonly badges?: (row: Row) => ReactNode;
};
type TableProps<Row> = Shared<Row> & {
  readonly columns: readonly HeldColumn[];
  /** What shares are of. */
  readonly whole: Whole | undefined;
  /** The second line of a value: a share of the whole, or the quantity. */
  readonly below: 'share' | 'quantity';
  /** Undefined where the order is given. */
  readonly sorting?: { readonly sort: HeldSort; readonly onSort: (sort: HeldSort) => void };
  readonly choice?: { readonly id: string | undefined; readonly onChoose: (row: Row) => void } | undefined;
};

/** A tint of the brand: the row whose detail stands beside the table. */
const CHOSEN = 'color-mix(in srgb, var(--chakra-colors-brand-solid) 7%, transparent)';

const keyOf = ({ autoTradeId, positionId }: HeldPositionRow): string => `${autoTradeId} ${positionId}`;

/** What is held, a line each: its price between its levels, its result, and what its stop would cost. */
export function HeldTable<Row extends HeldPositionRow>({ rows, pathOf, columns, whole, below, sorting, choice, badges }: TableProps<Row>) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const ownerOf = useOwner();
  return (
    <Box overflowX="auto">
      <Table.Root>
        <thead>
          <tr>
            {(['position', ...columns] as const).map((column) => (
              <Head key={column} column={column} sorting={sorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const places = pairs?.get(row.symbol)?.pricePrecision;
            const isChosen = choice !== undefined && choice.id === row.positionId;
            const onChoose = choice && (() => choice.onChoose(row));
            const cells: Record<HeldColumn, ReactNode> = {
              price: <PriceCell row={row} places={places} />,
              value: <ValueCell row={row} whole={below === 'share' ? whole : undefined} />,
              result: (
                <chakra.span fontWeight="600">
                  <Result value={row.result} percent={row.resultPct} currency={row.quoteAsset} reason={reasonsOf(row, t).result} below />
                </chakra.span>
              ),
              levels: <LevelTrack symbol={row.baseAsset} levels={row} places={places} />,
              atRisk: <AtRisk row={row} whole={whole} />,
              days: <DaysCell row={row} places={places} />,
            };
            return (
              <chakra.tr
                key={keyOf(row)}
                data-row={row.positionId}
                bg={isChosen ? CHOSEN : undefined}
                cursor={onChoose && 'pointer'}
                _hover={{ bg: isChosen ? CHOSEN : 'bg.raised' }}
                // The link of its name does the same for the keyboard.
                onClick={(event) => {
                  if (onChoose && event.target instanceof Element && !event.target.closest('a, button')) onChoose();
                }}
              >
                <RowHead>
                  <HeldName row={row} owner={ownerOf(row)} to={pathOf(row)} isChosen={isChosen} onChoose={onChoose}>
                    {badges?.(row)}
                  </HeldName>
                </RowHead>
                {columns.map((column) => (
                  <Cell key={column} textAlign={column === 'levels' ? 'start' : 'end'} lineHeight={column === 'levels' ? '8px' : undefined}>
                    {cells[column]}
                  </Cell>
                ))}
              </chakra.tr>
            );
          })}
        </tbody>
      </Table.Root>
    </Box>
  );
}

function Head({ column, sorting }: { column: HeldColumn | 'position'; sorting: TableProps<HeldPositionRow>['sorting'] }) {
  const { t } = useTranslation();
  const label = column === 'atRisk' ? t('overview.atRisk') : t(`overview.columns.${column}`);
  const look = {
    textAlign: column === 'position' || column === 'levels' ? 'start' : 'end',
    w: column === 'levels' ? '160px' : undefined,
  } as const;
  const by = SORT_OF[column];
  if (!sorting || !by)
    return (
      <HeadCell scope="col" {...look}>
        {label}
      </HeadCell>
    );
  const { sort, onSort } = sorting;
  const isSorted = sort.by === by;
  return (
    <SortHead
      label={label}
      {...look}
      sorted={isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined}
      // Names from A on, figures from the largest, distances from the nearest.
      onSort={() => onSort({ by, descending: isSorted ? !sort.descending : by !== 'symbol' && by !== 'targetDistancePct' })}
    />
  );
}

/** The same on a phone. */
export function HeldCards<Row extends HeldPositionRow>({ rows, pathOf, badges }: Shared<Row>) {
  const pairs = usePairs();
  return (
    <Flex as="ul" direction="column" listStyleType="none">
      {rows.map((row) => (
        <chakra.li key={keyOf(row)} px="3.5" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
          <HeldCard row={row} to={pathOf(row)} places={pairs?.get(row.symbol)?.pricePrecision} badges={badges?.(row)} />
        </chakra.li>
      ))}
    </Flex>
  );
}
