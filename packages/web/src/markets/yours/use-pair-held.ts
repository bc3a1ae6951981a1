import type { TradeMode } from '@pilotfish/core/http/wire';
import { useMemo } from 'react';
import { useHeld } from '../../auto-trades/use-auto-trades.ts';
import { useEvery } from '../../overview/use-overview.ts';
import { useSignedIn } from '../../platform/use-session.ts';
import { liveHeld } from '../../positions/open/live-held.ts';
import { useCalmPrice } from '../../prices/use-prices.ts';

/** What the stream does not say of positions, as a stop that followed the price, is asked for this often while the page is seen. */
const HELD_MS = 5000;

/** What is held of a pair in one mode, by bots and by hand, at its newest price. Closed for guests. */
export function usePairHeld(symbol: string, mode: TradeMode) {
  useEvery(HELD_MS, `held:${mode}`);
  const held = useHeld(mode, { enabled: useSignedIn() });
  const price = useCalmPrice(symbol);
  const items = held.data?.items;
  const rows = useMemo(() => items?.filter((row) => row.symbol === symbol).map((row) => liveHeld(row, price)), [items, symbol, price]);
  return { ...held, data: rows };
}

/** Live and paper of a pair, never added; the mode that is looked at first is the one that holds something, live before paper. */
export function useBothHeld(symbol: string) {
  const live = usePairHeld(symbol, 'live');
  const paper = usePairHeld(symbol, 'paper');
  const first: TradeMode | undefined = live.data?.length ? 'live' : live.data && paper.data?.length ? 'paper' : undefined;
  return { live, paper, first };
}
