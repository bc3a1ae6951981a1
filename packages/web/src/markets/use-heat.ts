import type { Money, Percent } from '@pilotfish/core/money/figure';
import type { FilterResult } from '@pilotfish/core/prices/screener-contract';
import { useMemo } from 'react';
import { HEAT_SPANS, type HeatSpan } from '../prices/screener/table-address.ts';
import { type Question, useScreener } from '../prices/screener/use-screener.ts';
import { useCalmChanges, useLiveTickers } from '../prices/use-prices.ts';
import { bySize, type Sized } from './heat-tiles.ts';

export type HeatCoin = Sized & {
  readonly base: string;
  readonly quote: string;
  readonly turnover: Money;
  /** Absent where history is missing. */
  readonly change: Percent | undefined;
};

const MOST = 60;
/** Volumes in different currencies cannot be compared: all quotes together are those of the currency that most pairs have. */
const WITHOUT_QUOTE = 'USDT';
const questionOf = (quote: string): Question => ({
  filter: {
    match: 'all',
    rules: [
      { key: 'quote', operation: 'in', value: [quote] },
      { key: 'quoteVolume', operation: 'topN', value: MOST },
    ],
  },
  sort: [{ key: 'quoteVolume', direction: 'desc' }],
  columns: [...HEAT_SPANS.map((timeframe) => ({ key: 'change', timeframe })), { key: 'quoteVolume' }],
});

const numberOf = ({ values }: FilterResult, id: string): number | undefined => {
  const value = values[id];
  return typeof value === 'number' ? value : undefined;
};

/**
 * The most traded pairs of a quote asset, the largest first, and how they changed. The change of 24 hours follows the market.
 * @param quote '' for USDT
 */
export function useHeat(quote: string, span: HeatSpan) {
  useLiveTickers();
  const currency = quote === '' ? WITHOUT_QUOTE : quote;
  const { answer, problem, keptSince, retry } = useScreener(
    'screener:heat',
    useMemo(() => questionOf(currency), [currency]),
  );
  const rows = useMemo(
    () => answer && bySize(answer.rows.map((row) => ({ row, symbol: row.symbol, volume: numberOf(row, 'quoteVolume') ?? 0 }))),
    [answer],
  );
  const live = useCalmChanges(useMemo(() => (span === '24h' ? (rows ?? []).map(({ symbol }) => symbol) : []), [rows, span]));
  const coins = useMemo(
    () =>
      rows?.map(
        ({ row, symbol, volume }): HeatCoin => ({
          symbol,
          volume,
          base: row.baseAsset,
          quote: row.quoteAsset,
          turnover: volume.toFixed(2),
          change: (span === '24h' ? live.get(symbol) : undefined) ?? numberOf(row, `change.${span}`)?.toFixed(2),
        }),
      ),
    [rows, live, span],
  );
  return { coins, currency, problem, keptSince, retry };
}
