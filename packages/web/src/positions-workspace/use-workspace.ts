import type { TradeMode } from '@pilotfish/core/http/wire';
import type { Performance } from '@pilotfish/core/performance/performance-contract';
import { heldTotals } from '@pilotfish/core/positions/held-totals';
import { useMemo } from 'react';
import { useHeld } from '../auto-trades/use-auto-trades.ts';
import { useEvery } from '../overview/use-overview.ts';
import { usePerformanceNews, useToday } from '../performance/use-performance.ts';
import { useQuery } from '../platform/use-query.ts';
import { liveHeld } from '../positions/open/live-held.ts';
import { openRows } from '../positions/open/open-rows.ts';
import { useOpenPositions } from '../positions/use-positions.ts';
import { useCalmPrices, useLiveTickers } from '../prices/use-prices.ts';

/** What the stream does not say of positions, as a stop that followed the price, is asked for this often while the page is seen. */
const HELD_MS = 5000;

/** Every open position at the newest prices, and what they come to. */
export function useOpenRows(mode: TradeMode) {
  useLiveTickers();
  useEvery(HELD_MS, 'held');
  const held = useHeld(mode);
  const ledger = useOpenPositions({ enabled: mode === 'live' });
  const items = held.data?.items;
  const prices = useCalmPrices(useMemo(() => [...new Set(items?.map(({ symbol }) => symbol))].sort(), [items]));
  const live = useMemo(() => items?.map((row) => liveHeld(row, prices.get(row.symbol))), [items, prices]);
  const totals = useMemo(() => live && heldTotals(live), [live]);
  const opened = mode === 'live' ? ledger.data?.items : undefined;
  const rows = useMemo(() => live && openRows(live, opened), [live, opened]);
  return { held, ledger, rows, totals };
}

type MonthQuery = { readonly mode: TradeMode; readonly from: string; readonly to: string };

/** What was earned since the first of the month, by days; by the days of the reader. */
export function useMonth(mode: TradeMode) {
  usePerformanceNews();
  const today = useToday();
  const month = useQuery<MonthQuery, Performance>(
    `performance-month:${mode}`,
    (client, query, signal) => client.getPerformance({ query }, { signal, quiet: true }),
    { mode, from: `${today.slice(0, 7)}-01`, to: today },
  );
  return { month, today };
}
