import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { Logger } from 'pino';
import type { CoinFilters } from '../prices/coin-filters.ts';

export type BotCoins = ReturnType<typeof botCoins>;

/** Which coins a bot may enter: those it names, or those that its coin filters select now. */
export function botCoins({
  filters,
  pair,
  most,
  log,
}: {
  filters: Pick<CoinFilters, 'coinsOf'>;
  pair: (symbol: string) => Pair | undefined;
  /** Coins that the filters of one bot may bring together. */
  most: () => number;
  log: Logger;
}) {
  return {
    /**
     * In the order of the filters, each coin once, and only those priced in the wallet's currency.
     * @param known what was selected last: kept for a filter that cannot be asked now
     */
    of: async (
      accountId: string,
      { coins }: Pick<AutoTradeConfig, 'coins'>,
      currency: string,
      known: readonly string[] = [],
    ): Promise<readonly string[]> => {
      if (coins.coinFilterIds.length === 0) return coins.symbols;
      const selected = new Set<string>();
      for (const id of coins.coinFilterIds) {
        try {
          for (const symbol of (await filters.coinsOf(id, accountId))?.coins ?? []) selected.add(symbol);
        } catch (error) {
          log.warn({ coinFilterId: id, reason: (error as Error).message }, 'a coin filter could not be asked; its coins stay');
          return known;
        }
      }
      return [...selected].filter((symbol) => pair(symbol)?.quoteAsset === currency).slice(0, most());
    },
  };
}
