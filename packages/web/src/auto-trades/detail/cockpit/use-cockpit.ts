import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeFigures } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { isTraded } from '@pilotfish/core/auto-trades/held-positions';
import type { Price } from '@pilotfish/core/money/figure';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useApp } from '../../../platform/app-context.tsx';
import { useCalmPrice, usePairs } from '../../../prices/use-prices.ts';
import { useBotFigures, useHeld } from '../../use-auto-trades.ts';
import type { BotCoin } from './chosen-coin.ts';

/** What is open moves with every price, which the stream does not tell bot by bot. */
const REFRESH_MS = 5000;

export type Cockpit = {
  readonly bot: AutoTradeDetail;
  readonly figures: AutoTradeFigures | undefined;
  /** What it holds, by position. */
  readonly held: ReadonlyMap<string, HeldPositionRow>;
  /** The newest answer could not be had: what is shown is old. */
  readonly isStale: boolean;
};

/** The figures of one bot beside its detail, kept fresh while the page is looked at. */
export function useCockpit(bot: AutoTradeDetail, isOld: boolean): Cockpit {
  const app = useApp();
  const figures = useBotFigures();
  const rows = useHeld(bot.mode);
  useEffect(() => {
    const names = ['auto-trade-figures', 'held'];
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate(...names), REFRESH_MS);
    return () => clearInterval(timer);
  }, [app]);
  const held = useMemo(
    () => new Map((rows.data?.items ?? []).flatMap((row) => (row.autoTradeId === bot.id ? [[row.positionId, row] as const] : []))),
    [rows.data, bot.id],
  );
  const own = figures.data?.find(({ id }) => id === bot.id);
  const isStale = isOld || figures.isStale || rows.isStale;
  return useMemo(() => ({ bot, figures: own, held, isStale }), [bot, own, held, isStale]);
}

/** The name of a coin without what it is priced in; the pair where the exchange lists it no more. */
export function useCoinName(): (symbol: string) => string {
  const pairs = usePairs();
  return (symbol) => pairs?.get(symbol)?.baseAsset ?? symbol;
}

/**
 * The present price of a coin, the same everywhere on the page at one moment: the newest, else what its bot saw last; null
 * while the exchange does not trade it.
 */
export function usePresentPrice(bot: AutoTradeDetail, { symbol, evaluation }: Pick<BotCoin, 'symbol' | 'evaluation'>): Price | null {
  const newest = useCalmPrice(symbol);
  return isTraded(bot, symbol) ? (newest ?? evaluation?.price ?? null) : null;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('textarea, select, input'));

/** The keys of the page: 1 to 9 for coins, E for the levels. A dialog that is open takes its keys itself. */
export function useCockpitKeys({ onCoin, onLevels }: { onCoin: (index: number) => void; onLevels: () => void }) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (/^[1-9]$/.test(event.key)) onCoin(Number(event.key) - 1);
    else if (event.key.toLowerCase() === 'e') onLevels();
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}
