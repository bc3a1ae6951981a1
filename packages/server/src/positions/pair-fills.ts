import { fillKey } from '@pilotfish/core/positions/position-origin';
import { type PairFill, pairFillSchema } from '@pilotfish/core/positions/positions-contract';
import type { Logger } from 'pino';
import { storedRows } from '../database/stored-rows.ts';
import type { BotFills } from './closed-list.ts';
import type { LedgerStore } from './ledger-store.ts';

/** The newest fills of an account's bots on paper, newest first; `at` in venue ms. */
export type PaperFills = (
  accountId: string,
  of: { readonly symbol: string; readonly limit: number },
) => Promise<
  readonly (Pick<PairFill, 'id' | 'side' | 'autoTradeId' | 'botName'> & {
    readonly at: number;
    readonly price: string;
    readonly quantity: string;
  })[]
>;

/**
 * The newest fills of an account in a pair, newest first: real ones as the ledger has them, with the bot that brought each
 * about, and those of bots on paper. What an import knows by its order only names no bot.
 */
export function pairFills(parts: {
  readonly ledger: Pick<LedgerStore, 'newestTrades'>;
  readonly botFills: BotFills;
  readonly paperFills: PaperFills;
  readonly log: Pick<Logger, 'error'>;
}) {
  const { ledger, botFills, paperFills } = parts;
  const readable = storedRows(parts.log);
  type Stored = Omit<PairFill, 'at' | 'price' | 'quantity'> & { readonly at: number; readonly price: string; readonly quantity: string };
  /** A figure that is none costs its own fill only, not the list. */
  const shown = (table: string, fills: readonly Stored[]) =>
    readable(table, fills, (fill) => pairFillSchema.parse({ ...fill, at: new Date(fill.at).toISOString() }));
  return async (accountId: string, of: { readonly symbol: string; readonly limit: number }): Promise<PairFill[]> => {
    const [trades, onPaper] = await Promise.all([ledger.newestTrades(accountId, { ...of, readable }), paperFills(accountId, of)]);
    const { bots, fills } = trades.length === 0 ? NONE : await botFills(accountId);
    const live = trades.map(({ id, at, side, price, quantity, tradeId }) => {
      const bot = tradeId === null ? undefined : fills.get(fillKey(of.symbol, tradeId))?.autoTradeId;
      return {
        mode: 'live' as const,
        id,
        at,
        side,
        price,
        quantity,
        autoTradeId: bot ?? null,
        botName: bot === undefined ? null : (bots.get(bot)?.name ?? bot),
      };
    });
    const all = await Promise.all([
      shown('ledger_entries', live),
      shown(
        'auto_trade_fills',
        onPaper.map((fill) => ({ mode: 'paper' as const, ...fill })),
      ),
    ]);
    return all
      .flat()
      .sort((one, other) => Date.parse(other.at) - Date.parse(one.at))
      .slice(0, of.limit);
  };
}

const NONE: Awaited<ReturnType<BotFills>> = { bots: new Map(), fills: new Map() };
