import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';
import { Icon } from '../icons.tsx';
import { HeadCell } from './table-cells.tsx';

/** The heading of a column that rows can be sorted by. @param sorted which way they are sorted by it now */
export const SortHead = ({
  label,
  sorted,
  onSort,
  ...props
}: { label: string; sorted: 'ascending' | 'descending' | undefined; onSort: () => void } & ComponentProps<typeof HeadCell>) => (
  <HeadCell scope="col" aria-sort={sorted} {...props}>
    <chakra.button
      type="button"
      display="inline-flex"
      alignItems="center"
      gap="1"
      minH="24px"
      my="-4px"
      font="inherit"
      fontWeight={sorted ? '620' : undefined}
      color={sorted ? 'fg' : undefined}
      cursor="pointer"
      _hover={{ color: 'fg' }}
      onClick={onSort}
    >
      {label}
      {sorted && <Icon name={sorted === 'ascending' ? 'up' : 'down'} size={12} />}
    </chakra.button>
  </HeadCell>
);
