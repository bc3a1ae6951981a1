import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { violatedRules } from '@pilotfish/core/auto-trades/config/config-rules';
import { effectiveLadder } from '@pilotfish/core/auto-trades/config/effective-ladder';
import { type RuleFacts, STANDARD_TAKER_FEE } from '@pilotfish/core/auto-trades/config/rule-facts';
import type { TakerFees } from '@pilotfish/core/auto-trades/engine/engine-inputs';
import { AppError } from '@pilotfish/core/http/problem';
import { compare, decimal, fromFloat, toText } from '@pilotfish/core/money/decimal';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { freeOf } from '../exchange/exchange-rows.ts';
import type { ExchangeConnectionStore } from '../exchange-connection/exchange-connection-store.ts';
import type { PermittedPairs } from '../exchange-connection/permitted-pairs.ts';
import type { AccountKey, TradingAccounts } from '../exchange-connection/trading-accounts.ts';
import type { TradingPermission } from '../exchange-connection/trading-permission.ts';
import type { Market } from '../market/market.ts';
import type { Prices } from '../prices/prices.ts';
import { takerFeeOn } from '../wallets/paper-account.ts';
import type { WalletRow, WalletsStore } from '../wallets/wallets-store.ts';
import type { BotCoins } from './bot-coins.ts';
import type { PairFees } from './pair-fees.ts';

export const accountKeyOf = (wallet: WalletRow): AccountKey => (wallet.mode === 'live' ? `live:${wallet.accountId}` : `paper:${wallet.id}`);

/** What a wallet pays on a pair of which the exchange has not said it. */
export const unknownFeeOf = (wallet: Pick<WalletRow, 'terms'> | undefined): string =>
  wallet?.terms ? takerFeeOn(wallet.terms) : STANDARD_TAKER_FEE;

/** What the settings of bots are checked against: the live market, the owner's wallet, filters and fees. */
export function botRules({
  market,
  fees,
  wallets,
  prices,
  coins,
  permitted,
}: {
  readonly market: Pick<Market, 'pair' | 'price'>;
  readonly fees: Pick<PairFees, 'of'>;
  readonly wallets: WalletsStore;
  readonly prices: Pick<Prices, 'coinFilters' | 'screener' | 'figures'>;
  readonly coins: BotCoins;
  readonly permitted: Pick<PermittedPairs, 'forbidden'>;
}) {
  /** Spread of a pair in percent; undefined where the screener does not know it. */
  const spreadOf = (symbol: string): string | undefined => {
    const row = prices.figures.row(symbol);
    const spread = row === undefined ? undefined : prices.figures.table.numbers.get('spreadPct')?.[row];
    return spread !== undefined && Number.isFinite(spread) ? toText(fromFloat(spread, 4)) : undefined;
  };

  return {
    facts: async (
      accountId: string,
      config: Pick<AutoTradeConfig, 'walletId' | 'coins'>,
      takerFees: TakerFees,
    ): Promise<RuleFacts & { walletRow: WalletRow | undefined }> => {
      const walletRow = await wallets.find(accountId, config.walletId);
      const known = new Set<string>();
      for (const id of config.coins.coinFilterIds) if (await prices.coinFilters.isKnown(id, accountId)) known.add(id);
      const forbidden = new Set(walletRow && (await permitted.forbidden(accountKeyOf(walletRow), config.coins.symbols)));
      return {
        isForbidden: (symbol) => forbidden.has(symbol),
        pair: (symbol) => market.pair(symbol),
        price: (symbol) => market.price(symbol),
        spread: (symbol) => spreadOf(symbol),
        takerFee: (symbol) => takerFees[symbol] ?? unknownFeeOf(walletRow),
        wallet: walletRow && (await wallets.book(walletRow)),
        walletRow,
        knowsFilter: (id) => known.has(id),
        filtered: walletRow ? await coins.of(accountId, config, walletRow.currency) : [],
        knowledge: prices.screener.knowledge(),
      };
    },
    check: (config: AutoTradeConfig, facts: RuleFacts) => ({
      violations: violatedRules(config, facts),
      ladder: effectiveLadder(config, facts),
    }),
    /** The taker fees of the account that would trade; those of `last` where the exchange cannot be asked. */
    takerFees: async (wallet: WalletRow | undefined, symbols: readonly string[], last: TakerFees = {}): Promise<TakerFees> => {
      const listed = symbols.filter((symbol) => market.pair(symbol));
      const kept = Object.fromEntries(Object.entries(last).filter(([symbol]) => symbols.includes(symbol)));
      return { ...kept, ...(wallet && (await fees.of(accountKeyOf(wallet), listed))) };
    },
  };
}

/** A live bot needs keys that may trade, and an account that holds what its wallet promises. @throws AppError */
export async function requireFunds(
  accountId: string,
  wallet: WalletRow,
  {
    exchange,
    accounts,
    connections,
    trading,
    wallets,
  }: {
    readonly exchange: Pick<Exchange, 'account'>;
    readonly accounts: Pick<TradingAccounts, 'get'>;
    readonly connections: Pick<ExchangeConnectionStore, 'find'>;
    readonly trading: Pick<TradingPermission, 'require'>;
    readonly wallets: Pick<WalletsStore, 'book'>;
  },
): Promise<void> {
  if (!(await connections.find(accountId))) throw new AppError('not-connected');
  await trading.require(accountId);
  const { signer } = await accounts.get(accountKeyOf(wallet));
  const free = await exchange
    .account(signer)
    .then(({ balances }) => freeOf(balances, wallet.currency))
    .catch((error: unknown) => {
      throw toAppErrorFromExchange(error);
    });
  const book = await wallets.book(wallet);
  if (compare(decimal(free), decimal(book.sums.free)) < 0) throw new AppError('underfunded');
}
