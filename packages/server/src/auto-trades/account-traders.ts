import type { AccountKey } from '../exchange-connection/trading-accounts.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import type { AccountStatesStore } from './account-states-store.ts';
import type { AutoTradesStore, BotRow } from './auto-trades-store.ts';
import type { BotCoins } from './bot-coins.ts';
import { accountKeyOf } from './bot-rules.ts';

/** A bot, and the coins that it trades or has traded. */
export type Trader = { readonly bot: BotRow; readonly symbols: readonly string[] };

/** The bots that trade on an account at the exchange, or are about to. */
export function accountTraders(parts: {
  readonly store: Pick<AutoTradesStore, 'all'>;
  readonly states: Pick<AccountStatesStore, 'tradedSymbols'>;
  readonly wallets: Pick<WalletsStore, 'find'>;
  readonly coins: Pick<BotCoins, 'of'>;
}) {
  const { store, states, wallets, coins } = parts;
  return async (key: AccountKey): Promise<readonly Trader[]> => {
    const traders: Trader[] = [];
    for (const bot of await store.all()) {
      const wallet = await wallets.find(bot.accountId, bot.walletId);
      if (!wallet || accountKeyOf(wallet) !== key) continue;
      const selected = await coins.of(bot.accountId, bot.config, wallet.currency);
      const symbols = [...bot.config.coins.symbols, ...selected, ...(await states.tradedSymbols(bot.id))];
      traders.push({ bot, symbols: [...new Set(symbols)] });
    }
    return traders;
  };
}
