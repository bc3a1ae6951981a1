import { openResult } from '@pilotfish/core/positions/position-figures';
import type { BotHoldings } from '../auto-trades/figures/bot-holdings.ts';
import type { PaperExitsReader } from '../auto-trades/figures/paper-exits.ts';
import type { FillOrigins } from '../auto-trades/fill-origins.ts';
import type { Market } from '../market/market.ts';
import { sellPrice } from '../market/sell-price.ts';
import type { PerformanceParts } from '../performance/performance-routes.ts';
import type { LedgerResults } from '../positions/ledger-results.ts';
import type { AppContext } from './context.ts';

/** What performance is made of, by the features that have it. */
export function performanceParts(
  { database }: Pick<AppContext, 'database'>,
  parts: {
    readonly market: Market;
    readonly ledger: LedgerResults;
    readonly onPaper: PaperExitsReader;
    readonly holdings: BotHoldings;
    readonly botFills: (accountId: string) => Promise<FillOrigins>;
  },
): Pick<PerformanceParts, 'ledgerExits' | 'paperExits' | 'botFills' | 'boughtAt' | 'pairOf' | 'held'> {
  const { market, ledger, onPaper, holdings, botFills } = parts;
  return {
    ledgerExits: ledger.exits,
    paperExits: onPaper.of,
    botFills,
    boughtAt: async (accountId) => {
      const rows = await database.queries
        .selectFrom('auto_trades as bot')
        .innerJoin('auto_trade_positions as position', 'position.auto_trade_id', 'bot.id')
        .select(['position.id', 'position.opened_at'])
        .where('bot.account_id', '=', accountId)
        .where('position.opened_at', 'is not', null)
        .execute();
      return new Map(rows.map(({ id, opened_at: at }) => [id, Number(at)]));
    },
    pairOf: holdings.pairOf,
    held: async (accountId, mode) => {
      const bots = await holdings.heldIn(accountId, mode);
      const ofBots = bots.map((bot) => {
        const price = sellPrice(market, bot.symbol);
        return {
          whose: bot.autoTradeId,
          coin: bot.baseAsset,
          currency: bot.quoteAsset,
          result: price && openResult(bot, price, bot.taker),
        };
      });
      const byHand = mode === 'paper' ? [] : await ledger.heldByHand(accountId, bots);
      return [...ofBots, ...byHand.map((held) => ({ ...held, whose: null }))];
    },
  };
}
