import { useEffect, useMemo, useState } from 'react';
import { useApp } from '../../platform/app-context.tsx';
import { useQuery } from '../../platform/use-query.ts';
import { usePairs } from '../../prices/use-prices.ts';
import { useAutoTrades, useBotFigures, useBotNews } from '../use-auto-trades.ts';
import { botRows } from './bot-rows.ts';

/** Prices move what is open; nothing says so bot by bot. */
const PRICES_MS = 15_000;
const NEEDS_MS = 60_000;
/** Figures and needs that do not answer hold the list back no longer than this. */
const PATIENCE_MS = 3000;

/** What the server says needs somebody, on every screen; the rows of bots are found in it. */
function useNeeds() {
  useBotNews(['overview-needs']);
  return useQuery('overview-needs', (client, _: null, signal) => client.getNeeds(undefined, { signal, quiet: true }), null);
}

/** Loads again what no news are of, while somebody looks. */
function useRenewal(): void {
  const { queries } = useApp();
  useEffect(() => {
    const every = (ms: number, name: string) => setInterval(() => document.visibilityState === 'visible' && queries.invalidate(name), ms);
    const timers = [every(PRICES_MS, 'auto-trade-figures'), every(NEEDS_MS, 'overview-needs')];
    return () => {
      for (const timer of timers) clearInterval(timer);
    };
  }, [queries]);
}

/** The bots with their figures and needs. Ready once they can be put in order: rows that change places under a finger are pressed by mistake. */
export function useBotsList() {
  const bots = useAutoTrades();
  const figures = useBotFigures();
  const needs = useNeeds();
  // Coins are named, and prices written, as the pairs say.
  const pairs = usePairs();
  useRenewal();
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  const rows = useMemo(
    () => (bots.data ? botRows(bots.data, figures.data, needs.data?.items) : undefined),
    [bots.data, figures.data, needs.data],
  );
  return { bots, figures, rows: isLate || (!figures.isLoading && !needs.isLoading && pairs !== undefined) ? rows : undefined };
}
