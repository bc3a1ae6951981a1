import { chakra, type HTMLChakraProps } from '@chakra-ui/react';

/** The heading of a column. Texts stand at the start, figures at the end: `textAlign="end"`. */
export const HeadCell = chakra('th', {
  base: {
    px: '2.5',
    py: '7px',
    textAlign: 'start',
    fontSize: '12px',
    lineHeight: '16px',
    fontWeight: '520',
    color: 'fg.muted',
    whiteSpace: 'nowrap',
    borderBottomWidth: '1px',
    borderColor: 'border.subtle',
    _first: { ps: '4' },
    _last: { pe: '4' },
  },
});

/** A cell of a row of two lines, 50 px high. */
export const Cell = chakra('td', {
  base: {
    px: '2.5',
    h: '50px',
    lineHeight: '16px',
    whiteSpace: 'nowrap',
    borderBottomWidth: '1px',
    borderColor: 'border.subtle',
    _first: { ps: '4' },
    _last: { pe: '4' },
    'tr:last-child > &': { borderBottomWidth: '0' },
  },
});

/** The cell that names its row. Screen readers say it before each figure of the row. */
export const RowHead = (props: HTMLChakraProps<'th'>) => (
  <Cell as="th" {...{ scope: 'row' }} textAlign="start" fontWeight="400" {...props} />
);

/** The second line of a cell. */
export const Second = chakra('span', {
  base: { display: 'block', fontSize: '12px', lineHeight: '16px', color: 'fg.muted', fontWeight: '400' },
});
