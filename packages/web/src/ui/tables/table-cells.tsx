import { chakra, type HTMLChakraProps, Table } from '@chakra-ui/react';

// Within a `Table.Root`; how they look is the `table` of recipes.ts.

/** The heading of a column. Texts stand at the start, figures at the end: `textAlign="end"`. */
export const HeadCell = Table.ColumnHeader;

/** A cell of a row of two lines, 50 px high. */
export const Cell = Table.Cell;

/** The cell that names its row. Screen readers say it before each figure of the row. */
export const RowHead = (props: HTMLChakraProps<'th'>) => (
  <Cell as="th" {...{ scope: 'row' }} textAlign="start" fontWeight="400" {...props} />
);

/** The second line of a cell. */
export const Second = chakra('span', {
  base: { display: 'block', fontSize: '12px', lineHeight: '16px', color: 'fg.muted', fontWeight: '400' },
});
