import type { Market } from '../market/market.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import type { RunningBot } from './bot-runner.ts';
import type { PairFees } from './pair-fees.ts';

export type FollowedFees = ReturnType<typeof followedFees>;

/** Bots at work hear what the exchange takes of their pairs, and what they heard last is kept for their next start. */
export function followedFees(parts: {
  readonly running: ReadonlyMap<string, RunningBot>;
  readonly fees: Pick<PairFees, 'of' | 'isDue' | 'forget'>;
  readonly market: Pick<Market, 'pair'>;
  readonly store: Pick<AutoTradesStore, 'saveTakerFees' | 'list'>;
}) {
  const { running, fees, market, store } = parts;

  async function tell(bot: RunningBot, symbols: readonly string[]): Promise<void> {
    const all = bot.setTakerFees(await fees.of(bot.accountKey, symbols));
    if (all) await store.saveTakerFees(bot.bot.id, all);
  }

  return {
    /** Coins that a bot did not have before: each is entered by its own fee from its first price on. */
    ofCoins: (bot: RunningBot, symbols: readonly string[]): Promise<void> => {
      const known = bot.symbols();
      return tell(
        bot,
        symbols.filter((symbol) => !known.includes(symbol)),
      );
    },
    /** A paper wallet pays something else from now on. Its bots at work hear it at once, the others ask before they begin. */
    ofWallet: async (accountId: string, walletId: string): Promise<void> => {
      const key = `paper:${walletId}` as const;
      fees.forget(key);
      for (const bot of await store.list(accountId)) if (bot.walletId === walletId) await store.saveTakerFees(bot.id, {});
      for (const bot of running.values()) if (bot.accountKey === key) await tell(bot, bot.symbols());
    },
    /** Asks for one fee that is due: all of them at once, as after a start, would take the room of orders. */
    round: async (): Promise<void> => {
      for (const { accountKey, symbols } of running.values()) {
        const symbol = symbols().find((each) => market.pair(each) && fees.isDue(accountKey, each));
        if (symbol === undefined) continue;
        await fees.of(accountKey, [symbol]);
        for (const bot of running.values()) if (bot.accountKey === accountKey && bot.symbols().includes(symbol)) await tell(bot, [symbol]);
        return;
      }
    },
  };
}
