import './prices.css';
import { formatCompact, formatPercent, formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../ui/icons.tsx';
import { COLUMNS, type Column, type Sort } from './sort-pairs.ts';
import { useTicker } from './use-prices.ts';

const ROW_HEIGHT = 36;
const HEAD_HEIGHT = 40;
/** Hidden on phones. */
const WIDE: ReadonlySet<Column> = new Set(['high', 'low']);

type Props = {
  pairs: readonly Pair[];
  sort: Sort;
  onSort: (column: Column) => void;
  favourites: ReadonlySet<string>;
  onToggleFavourite: (symbol: string) => void;
  open: string | undefined;
  onOpen: (symbol: string) => void;
};

/** Thousands of rows of which some thirty exist; each listens to its own pair. */
export function PricesGrid({ pairs, sort, onSort, favourites, onToggleFavourite, open, onOpen }: Props) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  // oxlint-disable-next-line react/incompatible-library -- the virtualiser is read in this component only
  const rows = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 8,
    paddingStart: HEAD_HEIGHT,
  });
  return (
    <div
      ref={scroller}
      className="prices-grid"
      role="table"
      aria-label={t('prices.table')}
      aria-rowcount={pairs.length + 1}
      style={{ height: '100%' }}
    >
      <div role="rowgroup">
        <div className="prices-head" role="row" aria-rowindex={1}>
          <div role="columnheader" className="prices-cell">
            <span className="visually-hidden">{t('prices.favourite')}</span>
          </div>
          {COLUMNS.map((column) => (
            <div
              key={column}
              role="columnheader"
              className={`prices-cell ${column === 'symbol' ? '' : 'figure'} ${WIDE.has(column) ? 'prices-wide' : ''}`}
              aria-sort={sort.column === column ? (sort.direction === 'asc' ? 'ascending' : 'descending') : 'none'}
            >
              <button
                type="button"
                className="prices-sort"
                data-active={sort.column === column ? '' : undefined}
                onClick={() => onSort(column)}
              >
                {t(`prices.column.${column}`)}
                <span aria-hidden="true">{sort.column === column ? (sort.direction === 'asc' ? ' ↑' : ' ↓') : ''}</span>
              </button>
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: rows.getTotalSize() - HEAD_HEIGHT }}>
        {rows.getVirtualItems().map((item) => {
          const pair = pairs[item.index];
          return pair ? (
            <PriceRow
              key={pair.symbol}
              pair={pair}
              index={item.index}
              top={item.start}
              favourite={favourites.has(pair.symbol)}
              isOpen={open === pair.symbol}
              onToggleFavourite={onToggleFavourite}
              onOpen={onOpen}
            />
          ) : null;
        })}
      </div>
    </div>
  );
}

type RowProps = {
  pair: Pair;
  index: number;
  top: number;
  favourite: boolean;
  isOpen: boolean;
  onToggleFavourite: (symbol: string) => void;
  onOpen: (symbol: string) => void;
};

const PriceRow = memo(function PriceRow({ pair, index, top, favourite, isOpen, onToggleFavourite, onOpen }: RowProps) {
  const { t } = useTranslation();
  const ticker = useTicker(pair.symbol);
  const change = ticker ? Number(ticker.changePct) : 0;
  const flash = ticker && ticker.moves > 0 ? (ticker.direction > 0 ? 'flash-gain' : 'flash-loss') : '';
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button in the row does the same for the keyboard
    <div
      className="prices-row"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      data-open={isOpen ? '' : undefined}
      style={{ transform: `translateY(${top}px)`, top: 0 }}
      onClick={() => onOpen(pair.symbol)}
    >
      <div role="cell">
        <button
          type="button"
          className="prices-star"
          aria-pressed={favourite}
          aria-label={t('prices.toggleFavourite', { pair: pair.symbol })}
          onClick={(event) => {
            event.stopPropagation();
            onToggleFavourite(pair.symbol);
          }}
        >
          <Icon name="star" size={16} filled={favourite} />
        </button>
      </div>
      <div role="cell" className="prices-cell">
        <button
          type="button"
          className="prices-pair"
          lang="en"
          translate="no"
          aria-expanded={isOpen}
          onClick={(event) => {
            event.stopPropagation();
            onOpen(pair.symbol);
          }}
        >
          {pair.baseAsset} <small>/ {pair.quoteAsset}</small>
        </button>
      </div>
      <div role="cell" className="prices-cell figure">
        <span key={ticker?.moves} className={flash}>
          {ticker ? formatPrice(ticker.price, pair.pricePrecision) : UNKNOWN}
        </span>
      </div>
      <div role="cell" className={`prices-cell figure ${change > 0 ? 'gain' : change < 0 ? 'loss' : ''}`}>
        {ticker ? formatPercent(ticker.changePct) : UNKNOWN}
      </div>
      <div role="cell" className="prices-cell figure prices-wide">
        {ticker ? formatPrice(ticker.high, pair.pricePrecision) : UNKNOWN}
      </div>
      <div role="cell" className="prices-cell figure prices-wide">
        {ticker ? formatPrice(ticker.low, pair.pricePrecision) : UNKNOWN}
      </div>
      <div role="cell" className="prices-cell figure">
        {ticker ? formatCompact(ticker.quoteVolume) : UNKNOWN}
      </div>
    </div>
  );
});
