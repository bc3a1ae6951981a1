import { Box, chakra, Flex, Table, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField } from '../fields/select-field.tsx';
import { Icon } from '../icons.tsx';
import { ErrorPanel, Skeleton } from '../state-panels.tsx';
import { useMedia } from '../use-media.ts';
import { Pager } from './pager.tsx';

type Sort = { key: string; order: 'asc' | 'desc' };
export type Column<Item> = {
  key: string;
  label: string;
  /** May be sorted by, on the server. */
  sortable?: boolean;
  align?: 'end';
  /** Heads the card of a row on a phone; the first column when none is said to. */
  head?: boolean;
  cell: (item: Item) => ReactNode;
};

/**
 * A table whose search, order and pages are the server's; loading, empty and failed are drawn in its place. On a phone
 * each row is a card, with the column `actions` beside its head.
 */
export function PagedTable<Item>({
  label,
  columns,
  rowKey,
  query,
  sort,
  onSort,
  onPage,
  empty,
}: {
  label: string;
  columns: readonly Column<Item>[];
  rowKey: (item: Item) => string;
  query: {
    data: { items: readonly Item[]; page: number; pageSize: number; total: number } | undefined;
    hasFailed: boolean;
    isStale: boolean;
    problem: ShownProblem | undefined;
    retry: () => void;
  };
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  onPage: (page: number) => void;
  empty: string;
}) {
  const { data, hasFailed, isStale, problem, retry } = query;
  const isPhone = useMedia('(max-width: 767px)');
  if (!data) return hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={8} height={32} />;
  const pages = Math.max(1, Math.ceil(data.total / data.pageSize));
  const cell = { px: '2', py: '2', textAlign: 'start', verticalAlign: 'middle' } as const;
  return (
    <>
      {isPhone ? (
        <Cards label={label} columns={columns} items={data.items} rowKey={rowKey} isStale={isStale} sort={sort} onSort={onSort} />
      ) : (
        <chakra.section overflowX="auto" tabIndex={0} aria-label={label} opacity={isStale ? 0.6 : 1}>
          <Table.Root>
            <thead>
              <chakra.tr color="fg.muted">
                {columns.map((column) => {
                  const sorted = sort?.key === column.key ? sort.order : undefined;
                  return (
                    <chakra.th
                      key={column.key}
                      scope="col"
                      {...cell}
                      textAlign={column.align ?? 'start'}
                      fontWeight="550"
                      whiteSpace="nowrap"
                      aria-sort={sorted && (sorted === 'asc' ? 'ascending' : 'descending')}
                    >
                      {column.sortable && onSort ? (
                        <chakra.button
                          type="button"
                          display="inline-flex"
                          gap="1"
                          alignItems="center"
                          cursor="pointer"
                          minH="24px"
                          _hover={{ color: 'fg' }}
                          onClick={() => onSort({ key: column.key, order: sorted === 'asc' ? 'desc' : 'asc' })}
                        >
                          {column.label}
                          {sorted && <Icon name={sorted === 'asc' ? 'up' : 'down'} size={14} />}
                        </chakra.button>
                      ) : (
                        column.label
                      )}
                    </chakra.th>
                  );
                })}
              </chakra.tr>
            </thead>
            <tbody>
              {data.items.map((item) => (
                <chakra.tr key={rowKey(item)} borderTopWidth="1px" borderColor="border.subtle">
                  {columns.map((column) => (
                    <chakra.td key={column.key} {...cell} textAlign={column.align ?? 'start'}>
                      {column.cell(item)}
                    </chakra.td>
                  ))}
                </chakra.tr>
              ))}
            </tbody>
          </Table.Root>
        </chakra.section>
      )}
      {data.items.length === 0 && (
        <Text color="fg.muted" py="4">
          {empty}
        </Text>
      )}
      <Flex direction="column">
        <Pager page={data.page} pages={pages} onPage={onPage} />
      </Flex>
    </>
  );
}

/** Which order and which way, in one choice. */
const SORT_ARROW = { asc: '↑', desc: '↓' } as const;

function Cards<Item>({
  label,
  columns,
  items,
  rowKey,
  isStale,
  sort,
  onSort,
}: {
  label: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  rowKey: (item: Item) => string;
  isStale: boolean;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}) {
  const { t } = useTranslation();
  const head = columns.find((column) => column.head) ?? columns[0];
  const actions = columns.find(({ key }) => key === 'actions');
  const orders = columns
    .filter(({ sortable }) => sortable)
    .flatMap((column) =>
      (['asc', 'desc'] as const).map((order) => ({ value: `${column.key} ${order}`, label: `${column.label} ${SORT_ARROW[order]}` })),
    );
  return (
    <>
      {sort && onSort && (
        <SelectField
          label={t('positions.sortBy')}
          value={`${sort.key} ${sort.order}`}
          options={orders}
          onChange={(choice) => {
            const [key = '', order] = choice.split(' ');
            onSort({ key, order: order === 'asc' ? 'asc' : 'desc' });
          }}
        />
      )}
      <Flex as="ul" direction="column" listStyleType="none" aria-label={label} fontSize="13px" opacity={isStale ? 0.6 : 1}>
        {items.map((item) => (
          <chakra.li key={rowKey(item)} py="3" borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
            <Flex justify="space-between" align="flex-start" gap="2" mb="2" wrap="wrap">
              <Box fontSize="14px" minW="0" overflowWrap="anywhere">
                {head?.cell(item)}
              </Box>
              {actions?.cell(item)}
            </Flex>
            <chakra.dl display="grid" gridTemplateColumns="repeat(2, minmax(0, 1fr))" columnGap="4" rowGap="2">
              {columns
                .filter((column) => column !== head && column !== actions)
                .map((column) => (
                  <div key={column.key}>
                    <chakra.dt color="fg.muted" fontSize="12px">
                      {column.label}
                    </chakra.dt>
                    <chakra.dd overflowWrap="anywhere">{column.cell(item)}</chakra.dd>
                  </div>
                ))}
            </chakra.dl>
          </chakra.li>
        ))}
      </Flex>
    </>
  );
}
