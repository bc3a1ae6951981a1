import { ZERO } from '@pilotfish/core/money/decimal';
import type { Exchange } from '../exchange/exchange.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import { type Holdings, holdingsOf } from './account-differences.ts';
import type { AskHoldings } from './standstill-watch.ts';

/** Asks accounts at the exchange what they hold of a coin. */
export function accountHoldings(parts: {
  readonly exchange: Pick<Exchange, 'account' | 'transferred'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  /** What an account has to hold by the fills of our bots (`AccountStatesStore`). */
  readonly expected: (key: AccountKey) => Promise<Holdings | undefined>;
}): AskHoldings {
  const { exchange, accounts } = parts;
  return {
    holding: async (key, asset) => {
      const { signer } = await accounts.get(key);
      const { balances } = await exchange.account(signer);
      const booked = (await parts.expected(key))?.get(asset) ?? ZERO;
      return { held: holdingsOf(balances).get(asset) ?? ZERO, booked };
    },
    transferred: async (key, asset, since) => exchange.transferred((await accounts.get(key)).signer, asset, since),
  };
}
