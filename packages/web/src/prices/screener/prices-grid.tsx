import type { Preferences } from '@pilotfish/core/account/preferences';
import './prices.css';
import { formatCompact, formatPercent, UNKNOWN } from '@pilotfish/core/money/format';
import type { FilterOption, FilterResult, FilterSort } from '@pilotfish/core/prices/screener-contract';
import { columnId, columnRef } from '@pilotfish/core/prices/screener-fields';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoinIcon } from '../../ui/coin-icon.tsx';
import { Icon } from '../../ui/icons.tsx';
import { toneOf } from '../../ui/theme/tone.ts';
import { useMedia } from '../../ui/use-media.ts';
import { useMoment } from '../../ui/use-moment.ts';
import type { LiveTicker } from '../ticker-store.ts';
import { useTicker } from '../use-prices.ts';
import { type CellContext, cellText, exactPrice, signedColumns } from './cell-text.ts';
import { SparkCell } from './spark-cell.tsx';
import { useSparklines } from './use-sparklines.ts';

export type Density = Preferences['density'];
const ROW_HEIGHT: Record<Density, number> = { comfortable: 36, compact: 28 };
const HEAD_HEIGHT = 48;
const SYMBOL = 'symbol';

type Props = {
  rows: readonly FilterResult[];
  columns: readonly string[];
  options: ReadonlyMap<string, FilterOption>;
  precisionOf: (symbol: string) => number | undefined;
  tag: (key: string) => string;
  sort: readonly FilterSort[];
  onSort: (column: string, first: 'asc' | 'desc', add: boolean) => void;
  favourites: ReadonlySet<string>;
  onToggleFavourite: (symbol: string) => void;
  open: string | undefined;
  onOpen: (symbol: string) => void;
  density: Density;
  /** The rows are old: shown, but not as if they were new. */
  stale?: boolean;
};

/** Label of a column: the field's, and its timeframe where it has several. */
export function columnLabel(id: string, options: ReadonlyMap<string, FilterOption>): string {
  const { key, timeframe } = columnRef(id);
  const label = options.get(key)?.label ?? key;
  return timeframe === undefined ? label : `${label} ${timeframe}`;
}

/** Words are read from A to Z, figures from the largest. */
const firstDirection = (option: FilterOption | undefined): 'asc' | 'desc' =>
  option === undefined || option.type === 'text' || option.type === 'enum' || option.type === 'tags' ? 'asc' : 'desc';

/** Thousands of rows of which some thirty exist; cells of the last 24 hours listen to their own pair. */
export function PricesGrid(props: Props) {
  const { rows, columns, options, favourites, onToggleFavourite, open, onOpen, density, stale = false, precisionOf, tag } = props;
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const height = ROW_HEIGHT[density];
  // oxlint-disable-next-line react/incompatible-library -- the virtualiser is read in this component only
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
    scrollPaddingStart: HEAD_HEIGHT,
  });
  useEffect(() => {
    if (height > 0) virtual.measure();
  }, [virtual, height]);
  const hasLines = useMedia('(min-width: 768px)');
  const lines = useSparklines({ enabled: hasLines });
  const signed = useMemo(() => signedColumns(rows, columns), [rows, columns]);
  const moment = useMoment();
  const context = useMemo<CellContext>(() => ({ day: (at) => moment(at, 'day'), t: t as CellContext['t'], tag }), [moment, t, tag]);
  const layout = useMemo<Layout>(() => ({ columns, options, signed, context }), [columns, options, signed, context]);
  const [scrolled, setScrolled] = useState(false);
  const [wide, setWide] = useState(false);
  useLayoutEffect(() => {
    const [box, head] = [scroller.current, scroller.current?.querySelector('.prices-head')];
    if (!box || !head) return;
    // The head is as wide as the columns are: more of them, or a narrower window, and there is something to scroll.
    const sizes = new ResizeObserver(() => setWide(box.scrollWidth > box.clientWidth));
    sizes.observe(box);
    sizes.observe(head);
    return () => sizes.disconnect();
  }, []);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 15, PageUp: -15 }[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (step === undefined || !row) return;
    event.preventDefault();
    const next = Math.min(rows.length - 1, Math.max(0, Number(row.dataset.index) + step));
    virtual.scrollToIndex(next);
    const star = (event.target as HTMLElement).classList.contains('prices-star');
    // The row may come into being with the scrolling only.
    requestAnimationFrame(() =>
      scroller.current?.querySelector<HTMLElement>(`[data-index="${next}"] ${star ? '.prices-star' : '.prices-pair'}`)?.focus(),
    );
  };

  return (
    <div
      ref={scroller}
      className="prices-grid"
      role="table"
      aria-label={t('prices.table')}
      aria-rowcount={rows.length + 1}
      aria-colcount={columns.length + (hasLines ? 2 : 1)}
      data-density={density}
      data-stale={stale ? '' : undefined}
      data-wide={wide ? '' : undefined}
      data-scrolled={scrolled ? '' : undefined}
      onScroll={(event) => setScrolled(event.currentTarget.scrollLeft > 0)}
      onKeyDown={onKeyDown}
      style={
        {
          height: '100%',
          '--columns': `minmax(var(--first), 1.3fr)${hasLines ? ' var(--spark)' : ''} repeat(${columns.length}, minmax(var(--column), 1fr))`,
          '--width': `calc(var(--first)${hasLines ? ' + var(--spark)' : ''} + ${columns.length} * var(--column))`,
        } as React.CSSProperties
      }
    >
      <div role="rowgroup">
        <div className="prices-head" role="row" aria-rowindex={1}>
          <HeadCell {...props} id={SYMBOL} first />
          {hasLines && (
            <div role="columnheader" className="prices-spark">
              {t('prices.column.line')}
            </div>
          )}
          {columns.map((id) => (
            <HeadCell key={id} {...props} id={id} />
          ))}
        </div>
      </div>
      <div role="rowgroup" className="prices-body" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row ? (
            <PriceRow
              key={row.symbol}
              row={row}
              layout={layout}
              precision={precisionOf(row.symbol)}
              hasLine={hasLines}
              line={lines.get(row.symbol)}
              index={item.index}
              top={item.start}
              favourite={favourites.has(row.symbol)}
              isOpen={open === row.symbol}
              onToggleFavourite={onToggleFavourite}
              onOpen={onOpen}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

function HeadCell({ id, sort, onSort, options, first = false }: Props & { id: string; first?: boolean }) {
  const { t } = useTranslation();
  const at = sort.findIndex((each) => columnId(each) === id);
  const direction = sort[at]?.direction;
  const label = first ? t('prices.column.symbol') : columnLabel(id, options);
  const order = at >= 0 && sort.length > 1 ? at + 1 : undefined;
  return (
    <div
      role="columnheader"
      className={`prices-cell ${first ? 'prices-first' : 'figure'}`}
      // One column at a time may say so; further ones say it in words.
      aria-sort={at === 0 ? (direction === 'asc' ? 'ascending' : 'descending') : at < 0 ? 'none' : undefined}
    >
      <button
        type="button"
        className="prices-sort"
        data-active={direction ? '' : undefined}
        title={`${label}. ${t('prices.sortHint')}`}
        onClick={(event) => onSort(id, firstDirection(first ? undefined : options.get(columnRef(id).key)), event.shiftKey)}
      >
        <span>{label}</span>
        {direction && <span aria-hidden="true">{direction === 'asc' ? '↑' : '↓'}</span>}
        {order !== undefined && (
          <span className="prices-order">
            <span className="visually-hidden">{t('prices.sortOrder')} </span>
            {order}
          </span>
        )}
      </button>
    </div>
  );
}

type Layout = {
  columns: readonly string[];
  options: ReadonlyMap<string, FilterOption>;
  signed: ReadonlySet<string>;
  context: CellContext;
};
type RowProps = {
  row: FilterResult;
  layout: Layout;
  precision: number | undefined;
  hasLine: boolean;
  line: readonly number[] | undefined;
  index: number;
  top: number;
  favourite: boolean;
  isOpen: boolean;
  onToggleFavourite: (symbol: string) => void;
  onOpen: (symbol: string) => void;
};

const PriceRow = memo(function PriceRow(props: RowProps) {
  const { row, layout, precision, hasLine, line, index, top, favourite, isOpen, onToggleFavourite, onOpen } = props;
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the row does the same for the keyboard
    <div
      className="prices-row"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-index={index}
      data-open={isOpen ? '' : undefined}
      style={{ top }}
      onClick={() => onOpen(row.symbol)}
    >
      <div role="rowheader" className="prices-first">
        <button
          type="button"
          className="prices-star"
          aria-pressed={favourite}
          aria-label={t('prices.toggleFavourite', { pair: row.symbol })}
          onClick={(event) => {
            event.stopPropagation();
            onToggleFavourite(row.symbol);
          }}
        >
          <Icon name="star" size={16} filled={favourite} />
        </button>
        <button
          type="button"
          className="prices-pair"
          lang="en"
          translate="no"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(row.symbol);
          }}
        >
          <CoinIcon code={row.baseAsset} />
          {row.baseAsset} <small>/ {row.quoteAsset}</small>
        </button>
      </div>
      {hasLine && <SparkCell symbol={row.symbol} points={line} />}
      {layout.columns.map((id) => {
        const live = LIVE[id];
        if (live) return <LiveCell key={id} row={row} precision={precision} live={live} id={id} />;
        const { text, tone } = cellText(layout.options.get(columnRef(id).key), row.values[id], layout.signed.has(id), layout.context);
        return (
          <div key={id} role="cell" data-column={id} className={`prices-cell figure ${tone}`} data-clipped={clipped(text)}>
            {text}
          </div>
        );
      })}
    </div>
  );
});

/** Figures that fit the narrowest column; what else there is may be longer than its cell. */
const FITS = /^[−+]?[\d.,]{1,9}[%×KMBT]?$/;
/** Clipping makes a cell a thing of its own for the browser, at every frame: only those that need it are clipped. */
const clipped = (text: string): '' | undefined => (text === UNKNOWN || FITS.test(text) ? undefined : '');

/** What a cell shows of the stream between two answers of the screener, and of the answer before the first tick. */
type Live = {
  tone: (ticker: LiveTicker) => string;
  text: (ticker: LiveTicker, precision: number | undefined) => string;
  before: (row: FilterResult, precision: number | undefined) => string;
  flashes?: true;
};
const number = (row: FilterResult, id: string): number | undefined => {
  const value = row.values[id];
  return typeof value === 'number' ? value : undefined;
};
/** Columns that the stream of tickers keeps live; by id, for they are the stream's fields, whoever names them. */
const LIVE: Readonly<Record<string, Live>> = {
  price: {
    tone: () => '',
    text: ({ price }, precision) => exactPrice(price, precision),
    flashes: true,
    before: (row, precision) => exactPrice(row.price, precision),
  },
  'change.24h': {
    tone: ({ changePct }) => toneOf(formatPercent(changePct)),
    text: ({ changePct }) => formatPercent(changePct),
    before: (row) => formatPercent(number(row, 'change.24h')?.toFixed(2) ?? ''),
  },
  quoteVolume: {
    tone: () => '',
    text: ({ quoteVolume }) => formatCompact(quoteVolume),
    before: (row) => formatCompact(number(row, 'quoteVolume')?.toFixed(2) ?? UNKNOWN),
  },
};

function LiveCell({ id, row, precision, live }: { id: string; row: FilterResult; precision: number | undefined; live: Live }) {
  const ticker = useTicker(row.symbol);
  // A row that scrolls into view has not moved just now.
  const [seen] = useState(ticker?.moves ?? 0);
  const text = ticker ? live.text(ticker, precision) : live.before(row, precision);
  return (
    <div role="cell" data-column={id} className={`prices-cell figure ${ticker ? live.tone(ticker) : ''}`} data-clipped={clipped(text)}>
      {live.flashes && ticker ? (
        <span
          className={ticker.moves > seen ? 'flash' : undefined}
          data-up={ticker.direction > 0 ? '' : undefined}
          data-odd={ticker.moves % 2 === 1 ? '' : undefined}
        >
          {text}
        </span>
      ) : (
        text
      )}
    </div>
  );
}
