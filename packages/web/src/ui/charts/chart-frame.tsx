import './charts.css';
import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, memo, type ReactElement, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../primitives.tsx';
import type { ChartColor } from './chart-axes.ts';
import { type Numbers, type Span, spanOf } from './series-summary.ts';

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
  /** Beside the choice between chart and table. */
  tools?: ReactNode;
  /** Lies over the drawing: what can be taken hold of, and whose work it is where a licence asks for that. */
  over?: ReactNode;
  children: ReactNode;
};

/** What every chart has besides its drawing: a sentence, a readout, a table, keys. */
export function ChartFrame({
  label,
  summary,
  readout,
  spoken,
  asTable,
  onAsTable,
  table,
  onKeyDown,
  height,
  keys,
  tools,
  over,
  children,
}: Props) {
  const id = useId();
  return (
    <div className="chart">
      <div className="chart-head">
        <div className="chart-readout">{readout}</div>
        {/* A phone has no room for them beside its figures. */}
        {!asTable && tools && <chakra.span display={{ base: 'none', md: 'inline' }}>{tools}</chakra.span>}
        <TableToggle asTable={asTable} onAsTable={onAsTable} />
      </div>
      {asTable ? (
        <DataTable label={label} summary={summary} table={table()} height={height} />
      ) : (
        <div className="chart-body">
          <div role="img" tabIndex={0} aria-label={summary} aria-describedby={id} onKeyDown={onKeyDown} className="chart-canvas">
            <div aria-hidden="true">{children}</div>
          </div>
          {over}
        </div>
      )}
      <span id={id} className="visually-hidden">
        {keys}
      </span>
      <span className="visually-hidden" aria-live="polite">
        {spoken}
      </span>
    </div>
  );
}

const TableToggle = memo(function TableToggle({ asTable, onAsTable }: Pick<Props, 'asTable' | 'onAsTable'>) {
  const { t } = useTranslation();
  return (
    <ChartButton isOn={asTable} onPress={() => onAsTable(!asTable)}>
      {t(asTable ? 'chart.asChart' : 'chart.asTable')}
    </ChartButton>
  );
});

/** For fingers in full, and the chart begins no lower for it. */
export const ChartButton = ({ isOn, onPress, children }: { isOn: boolean; onPress: () => void; children: string }) => (
  <Button
    size="chip"
    my={{ base: '-4px', md: '0' }}
    variant="ghost"
    color={isOn ? 'brand.fg' : 'fg.muted'}
    aria-pressed={isOn}
    onClick={onPress}
  >
    {children}
  </Button>
);

/** One figure of a readout: plain elements, for they change with every tick and every move of the pointer. */
export const Reading = ({ name, children, color }: { name: string; children: ReactElement | string; color?: ChartColor }) => (
  <span className="chart-reading">
    {color && <i style={{ background: `var(--chakra-colors-${color})` }} />}
    {name} {typeof children === 'string' ? <b>{children}</b> : children}
  </span>
);

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

/** Series up to this long are summed up at once, longer ones while nothing else happens. */
const LONG = 5_000;
const CALM_MS = 1_000;

/** First, last and extremes of a series. Of a long one that grows, at most once a second: nobody reads faster. */
export function useSpan(values: Numbers, lows: Numbers = values, highs: Numbers = values): Span | undefined {
  const isLong = values.length > LONG;
  const short = useMemo(() => (isLong ? undefined : spanOf(values, lows, highs)), [isLong, values, lows, highs]);
  const [long, setLong] = useState(() => (isLong ? spanOf(values, lows, highs) : undefined));
  const newest = useRef({ values, lows, highs });
  useEffect(() => {
    newest.current = { values, lows, highs };
  });
  useEffect(() => {
    if (!isLong) return;
    const timer = setInterval(() => setLong(spanOf(newest.current.values, newest.current.lows, newest.current.highs)), CALM_MS);
    return () => clearInterval(timer);
  }, [isLong]);
  return isLong ? long : short;
}

/** Where a key takes the cursor, or undefined when it is not a key of the cursor. */
export function cursorKey({ key, shiftKey }: { key: string; shiftKey: boolean }, at: number, last: number): number | undefined {
  const step = shiftKey ? undefined : { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -last, End: last }[key];
  return step === undefined || last < 0 ? undefined : Math.min(last, Math.max(0, at + step));
}
