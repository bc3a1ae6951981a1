import { decimal, isNegative, isPositive } from '@pilotfish/core/money/decimal';
import type { Market } from '../market/market-contract.ts';
import { type Account, newAccount, transfer } from './account.ts';
import { changedTerms, type GivenTerms } from './account-terms.ts';
import { type ApiKey, DEFAULT_RESTRICTIONS, type KeyRestrictions, type KeyType, newKeyPair, randomToken } from './api-key.ts';

export type NewAccountOptions = GivenTerms & {
  /** Asset → amount. Default: 10,000 USDT, 0.05 BTC, 1 ETH and 2 BNB, as far as the market knows them. */
  balances?: Record<string, string>;
  keyType?: KeyType;
  permissions?: Partial<KeyRestrictions>;
  /** Fees are paid in BNB at 75 % (default false). */
  burnBnb?: boolean;
};

const DEFAULT_BALANCES: Record<string, string> = { USDT: '10000', BTC: '0.05', ETH: '1', BNB: '2' };

/** Accounts and their keys. */
export class AccountStore {
  readonly accounts = new Map<number, Account>();
  readonly keys = new Map<string, ApiKey>();
  private readonly market: Market;
  private readonly wallNow: () => number;

  constructor(market: Market, wallNow: () => number) {
    this.market = market;
    this.wallNow = wallNow;
  }

  byId = (id: number): Account => {
    const account = this.accounts.get(id);
    if (!account) throw new RangeError(`no account ${id}`);
    return account;
  };

  create(options: NewAccountOptions, marketTime: number): { account: Account; key: ApiKey; secret: string } {
    const account = newAccount(this.accounts.size + 1, this.wallNow());
    account.updateTime = marketTime;
    account.burnBnb = options.burnBnb ?? false;
    account.terms = changedTerms(account.terms, options);
    for (const [asset, amount] of Object.entries(options.balances ?? this.defaultBalances())) {
      const value = decimal(amount);
      if (isNegative(value)) throw new RangeError(`balances.${asset} must not be negative`);
      if (isPositive(value)) transfer(account, asset, value, marketTime);
    }
    const type = options.keyType ?? 'hmac';
    const { secret, verifier } = newKeyPair(type);
    const key: ApiKey = {
      apiKey: randomToken(),
      accountId: account.id,
      type,
      verifier,
      restrictions: { ...DEFAULT_RESTRICTIONS, ...options.permissions },
      createTime: account.createdAt,
    };
    this.accounts.set(account.id, account);
    this.keys.set(key.apiKey, key);
    return { account, key, secret };
  }

  private defaultBalances(): Record<string, string> {
    const assets = new Set(this.market.pairs.flatMap((pair) => [pair.base, pair.quote]));
    return Object.fromEntries(Object.entries(DEFAULT_BALANCES).filter(([asset]) => assets.has(asset)));
  }
}
