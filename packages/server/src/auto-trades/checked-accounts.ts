import type { AppContext } from '../app/context.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { ExchangeError, isKeyRefusal, toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import { accountCheck } from './account-check.ts';
import { accountStatesStore } from './account-states-store.ts';
import { accountTraders } from './account-traders.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import type { BotCoins } from './bot-coins.ts';
import { accountKeyOf } from './bot-rules.ts';
import type { BotSwitches } from './bot-switches.ts';
import type { OrderIntentsStore } from './order-intents-store.ts';
import { unreadPairNotices } from './unread-pair-notices.ts';

/** The check of accounts (`accountCheck`) where bots are put to work and where orders are signed. */
export function checkedAccounts(
  {
    database,
    installation,
    notifier,
    now,
    newId,
    log,
  }: Pick<AppContext, 'database' | 'installation' | 'notifier' | 'now' | 'newId' | 'log'>,
  parts: {
    readonly exchange: Exchange;
    readonly accounts: TradingAccounts;
    readonly market: Pick<Market, 'pair' | 'isUnread'>;
    readonly wallets: WalletsStore;
    readonly store: AutoTradesStore;
    readonly intents: OrderIntentsStore;
    readonly coins: BotCoins;
    readonly halt: BotSwitches['halt'];
  },
) {
  const { store, wallets, market } = parts;
  const states = accountStatesStore(database);
  const check = accountCheck({
    ...parts,
    states,
    queries: database.queries,
    tag: installation.tag,
    pair: market.pair,
    isUnread: market.isUnread,
    tradersOn: accountTraders({ ...parts, states }),
    now,
    newId,
    log,
  });
  const notices = unreadPairNotices({ database, notifier }, { store, wallets });
  return {
    /** The pair that cannot be read, and because of which the bots of an account stand still. */
    unreadPair: (key: AccountKey): string | undefined => check.unreadPairs.get(key),
    /** Tells the owners of such accounts. */
    tellUnreadPairs: (): Promise<void> => notices.tell(check.unreadPairs),
    /**
     * Before anything of a bot is read: what is found may halt it.
     * @throws AppError when the exchange cannot be asked; `onFailed` was called then
     */
    ofBot: async (accountId: string, id: string, onFailed: () => void): Promise<void> => {
      const row = await store.find(accountId, id);
      const wallet = row && (await wallets.find(accountId, row.walletId));
      if (!wallet) return;
      await check.ensure(accountKeyOf(wallet)).catch((error: unknown) => {
        // With keys that are refused nothing is signed: the first order says so to the owner, and asks again before it is sent.
        if (isKeyRefusal(error)) return;
        onFailed();
        throw error instanceof ExchangeError ? toAppErrorFromExchange(error) : error;
      });
    },
    /** @throws ExchangeError: nothing may be signed for the account yet */
    beforeSigning: (key: AccountKey): Promise<void> =>
      check.ensure(key).catch((error: unknown) => {
        throw error instanceof ExchangeError
          ? error
          : new ExchangeError('unreachable', 'The account could not be checked.', { cause: error });
      }),
    forget: check.forget,
    expected: (key: AccountKey) => states.expected(key, market.pair),
  };
}
