import { chakra, Flex, Text } from '@chakra-ui/react';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icons.tsx';
import { Pager } from '../ui/pager.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';

type Sort = { key: string; order: 'asc' | 'desc' };
export type Column<Item> = {
  key: string;
  label: string;
  /** May be sorted by, on the server. */
  sortable?: boolean;
  align?: 'end';
  cell: (item: Item) => ReactNode;
};

/** A table whose search, order and pages are the server's; loading, empty and failed are drawn in its place. */
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
  if (!data) return hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={8} height={32} />;
  const pages = Math.max(1, Math.ceil(data.total / data.pageSize));
  const cell = { px: '2', py: '2', textAlign: 'start', verticalAlign: 'middle' } as const;
  return (
    <>
      <chakra.section overflowX="auto" tabIndex={0} aria-label={label} opacity={isStale ? 0.6 : 1}>
        <chakra.table w="100%" fontSize="13px" borderCollapse="collapse">
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
        </chakra.table>
      </chakra.section>
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
