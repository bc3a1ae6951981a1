import { Box, chakra, Flex } from '@chakra-ui/react';
import { formatPercent } from '@pilotfish/core/money/format';
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../primitives.tsx';
import { changePct, type Span } from './series-summary.ts';

/** Rows of the table that stands for a chart. */
export const TABLE_ROWS = 100;

export type ChartTable = { head: readonly string[]; rows: readonly { key: number; cells: readonly string[] }[] };

type Props = {
  label: string;
  summary: string;
  /** What the cursor points at, for the eye. */
  readout: ReactNode;
  /** The same for the ear, after a key moved the cursor. */
  spoken: string;
  asTable: boolean;
  onAsTable: (asTable: boolean) => void;
  table: () => ChartTable;
  onKeyDown: (event: KeyboardEvent) => void;
  height: number;
  /** What the keys of this chart do. */
  keys: string;
  children: ReactNode;
};

/** What every chart has besides its drawing: a sentence, a readout, a table, keys. */
export function ChartFrame({ label, summary, readout, spoken, asTable, onAsTable, table, onKeyDown, height, keys, children }: Props) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Flex direction="column" gap="2" minW="0">
      <Flex justify="space-between" align="center" gap="3" minH="8" wrap="wrap">
        <Flex
          gapX="3"
          gapY="0.5"
          fontSize="12px"
          color="fg.muted"
          wrap="wrap"
          flex="1"
          minW="0"
          css={{ fontVariantNumeric: 'tabular-nums' }}
        >
          {readout}
        </Flex>
        <Button size="xs" variant="ghost" color="fg.muted" aria-pressed={asTable} onClick={() => onAsTable(!asTable)}>
          {t(asTable ? 'chart.asChart' : 'chart.asTable')}
        </Button>
      </Flex>
      {asTable ? (
        <DataTable label={label} summary={summary} table={table()} height={height} />
      ) : (
        <Box role="img" tabIndex={0} aria-label={summary} aria-describedby={id} onKeyDown={onKeyDown} borderRadius="control" minW="0">
          <div aria-hidden="true">{children}</div>
        </Box>
      )}
      <span id={id} className="visually-hidden">
        {keys}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </Flex>
  );
}

const DataTable = ({ label, summary, table, height }: { label: string; summary: string; table: ChartTable; height: number }) => (
  <chakra.section tabIndex={0} aria-label={label} overflow="auto" h={`${height}px`}>
    <chakra.table w="100%" fontSize="12px" className="figure">
      <caption className="visually-hidden">{summary}</caption>
      <thead>
        <tr>
          {table.head.map((column) => (
            <chakra.th
              key={column}
              scope="col"
              px="2"
              py="1"
              textAlign="end"
              color="fg.muted"
              fontWeight="550"
              position="sticky"
              top="0"
              bg="bg.panel"
            >
              {column}
            </chakra.th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.toReversed().map((row) => (
          <tr key={row.key}>
            {row.cells.map((text, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
              <chakra.td key={column} px="2" py="1" borderTopWidth="1px" borderColor="border.subtle">
                {text}
              </chakra.td>
            ))}
          </tr>
        ))}
      </tbody>
    </chakra.table>
  </chakra.section>
);

/** The sentence that stands for a chart: where it began, where it is, its extremes and the change. */
export function useSummary(label: string, span: Span | undefined, format: (value: number) => string): string {
  const { t } = useTranslation();
  if (!span) return `${label}: ${t('chart.nothing')}`;
  const change = changePct(span);
  return t('chart.summary', {
    label,
    first: format(span.first),
    last: format(span.last),
    change: change === undefined ? format(span.last - span.first) : formatPercent(change.toFixed(2)),
    low: format(span.low),
    high: format(span.high),
  });
}

/** Where a key takes the cursor, or undefined when it is not a key of the cursor. */
export function cursorKey({ key, shiftKey }: { key: string; shiftKey: boolean }, at: number, last: number): number | undefined {
  const step = shiftKey ? undefined : { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -last, End: last }[key];
  return step === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, at + step));
}
