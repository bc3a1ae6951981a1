import { sum } from '@pilotfish/core/money/decimal';
import { coinNames } from '@pilotfish/core/prices/asset-tags';
import type { Exchange } from '../exchange/exchange.ts';
import { requireRead, textOfUnread } from '../exchange/exchange-rows.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { Market } from '../market/market.ts';
import { type Holdings, holdingsOf } from './account-differences.ts';
import type { AskHoldings } from './standstill-watch.ts';

/** Asks accounts at the exchange what they hold of a coin. */
export function accountHoldings(parts: {
  readonly exchange: Pick<Exchange, 'account' | 'transferred'>;
  readonly market: Pick<Market, 'pairs'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  /** What an account has to hold by the fills of our bots (`AccountStatesStore`). */
  readonly expected: (key: AccountKey) => Promise<Holdings | undefined>;
}): AskHoldings {
  const { exchange, accounts } = parts;
  return {
    holding: async (key, asset) => {
      const { signer } = await accounts.get(key);
      const { balances } = await exchange.account(signer);
      // What lies in Simple Earn is held: moving it there is no jump of the balance.
      const coinOf = coinNames(parts.market.pairs());
      requireRead(balances, (row) => coinOf(textOfUnread(row, 'asset') ?? asset) === asset);
      const of = (holdings: Holdings) => sum([...holdings].filter(([each]) => coinOf(each) === asset).map(([, amount]) => amount));
      return { held: of(holdingsOf(balances)), booked: of((await parts.expected(key)) ?? new Map()) };
    },
    transferred: async (key, asset, since) => exchange.transferred((await accounts.get(key)).signer, asset, since),
  };
}
