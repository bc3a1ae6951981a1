import { fillKey } from '@pilotfish/core/positions/position-origin';
import type { PairFill } from '@pilotfish/core/positions/positions-contract';
import type { BotFills } from './closed-list.ts';
import type { LedgerStore } from './ledger-store.ts';

/** The newest fills of an account's bots on paper, newest first; `at` in venue ms. */
export type PaperFills = (
  accountId: string,
  of: { readonly symbol: string; readonly limit: number },
) => Promise<readonly (Pick<PairFill, 'id' | 'side' | 'price' | 'quantity' | 'autoTradeId' | 'botName'> & { readonly at: number })[]>;

/**
 * The newest fills of an account in a pair, newest first: real ones as the ledger has them, with the bot that brought each
 * about, and those of bots on paper. What an import knows by its order only names no bot.
 */
export function pairFills(parts: {
  readonly ledger: Pick<LedgerStore, 'newestTrades'>;
  readonly botFills: BotFills;
  readonly paperFills: PaperFills;
}) {
  const { ledger, botFills, paperFills } = parts;
  return async (accountId: string, of: { readonly symbol: string; readonly limit: number }): Promise<PairFill[]> => {
    const [trades, onPaper] = await Promise.all([ledger.newestTrades(accountId, of.symbol, of.limit), paperFills(accountId, of)]);
    const { bots, fills } = trades.length === 0 ? NONE : await botFills(accountId);
    const live = trades.map(({ id, at, side, price, quantity, tradeId }) => {
      const bot = tradeId === null ? undefined : fills.get(fillKey(of.symbol, tradeId))?.autoTradeId;
      const autoTradeId = bot ?? null;
      return {
        mode: 'live' as const,
        id,
        at,
        side,
        price,
        quantity,
        autoTradeId,
        botName: bot === undefined ? null : (bots.get(bot)?.name ?? bot),
      };
    });
    return [...live, ...onPaper.map((fill) => ({ mode: 'paper' as const, ...fill }))]
      .sort((one, other) => other.at - one.at)
      .slice(0, of.limit)
      .map((fill) => ({ ...fill, at: new Date(fill.at).toISOString() }));
  };
}

const NONE: Awaited<ReturnType<BotFills>> = { bots: new Map(), fills: new Map() };
