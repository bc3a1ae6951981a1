import { type Permissions, permissionsSchema } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { AppError } from '@pilotfish/core/http/problem';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { type Signer, signerFor } from '../exchange/signing.ts';
import type { ExchangeConnectionStore } from './exchange-connection-store.ts';
import { keyExpiry } from './key-expiry.ts';
import type { TradingAccounts } from './trading-accounts.ts';

/** A trading authority that ends sooner than this is worth a warning. */
const ENDS_SOON_MS = 14 * 86_400_000;

export type ConnectionParts = {
  readonly exchange: Exchange;
  readonly store: ExchangeConnectionStore;
  readonly accounts: TradingAccounts;
  /** True while live bots of the account hold positions or orders. */
  readonly inUse: (accountId: string) => Promise<boolean>;
  /** Lets running bots sign by the new keys. */
  readonly rebind: (accountId: string) => Promise<void>;
};

/** Connects exchange keys: checked at the exchange before anything is kept, write-only afterwards. */
export function exchangeConnectionFeature(context: AppContext, { exchange, store, accounts, inUse, rebind }: ConnectionParts): Feature {
  const { audit, database, now, settings, stream } = context;

  function signer(apiKey: string, apiSecret: string): Signer {
    try {
      return signerFor(apiKey, apiSecret);
    } catch (error) {
      const message = (error as Error).message;
      throw new AppError('invalid', { detail: message, fields: [{ path: 'clientSecret', code: 'private_key', message }] });
    }
  }

  const restrictionsOf = (apiKey: string, apiSecret: string) =>
    exchange.restrictions(signer(apiKey, apiSecret)).catch((error: unknown) => {
      throw toAppErrorFromExchange(error);
    });
  async function ask(apiKey: string, apiSecret: string): Promise<Permissions> {
    const restrictions = await restrictionsOf(apiKey, apiSecret);
    const { createTime: _created, tradingAuthorityExpirationTime: ends, ...fields } = restrictions;
    const warnings: Permissions['warnings'] = [];
    if (fields.ipRestrict !== true) warnings.push('no-ip-restriction');
    if (fields.enableSpotAndMarginTrading !== true) warnings.push('trading-disabled');
    else if (typeof ends === 'number' && ends > 0 && ends - exchange.rest.time() < ENDS_SOON_MS) warnings.push('trading-ends-soon');
    return permissionsSchema.parse({ ...fields, warnings, keyEnding: apiKey.slice(-4), exchange: settings.exchange });
  }

  const expiry = keyExpiry(context, {
    accounts: store.connectedAccounts,
    endOf: async (accountId) => {
      const keys = await store.keys(accountId);
      if (keys === undefined) return undefined;
      const { enableSpotAndMarginTrading, tradingAuthorityExpirationTime: ends } = await restrictionsOf(keys.apiKey, keys.apiSecret);
      return enableSpotAndMarginTrading === true && typeof ends === 'number' && ends > 0 ? ends : undefined;
    },
  });
  const changed = (accountId: string) =>
    stream.publish('account', { kind: 'exchange-connection', at: new Date(now()).toISOString() }, accountId);

  context.accountExtras.exchanges = async (accountId) => {
    const found = await store.find(accountId);
    return found?.exchange === settings.exchange
      ? [{ name: 'Binance', tradeEnabled: found.permissions.enableSpotAndMarginTrading === true }]
      : [];
  };

  context.accountExtras.afterDelete.push((accountId) => accounts.forget(`live:${accountId}`));

  return {
    handlers: {
      connectBinance: async ({ body, account, origin }) => {
        const { clientId: apiKey, clientSecret: apiSecret } = body;
        const permissions = await ask(apiKey, apiSecret);
        if (permissions.enableWithdrawals === true) throw new AppError('withdrawals-enabled');
        if (permissions.enableReading === false) throw new AppError('reading-disabled');
        const held = await exchange.account(signer(apiKey, apiSecret)).catch((error: unknown) => {
          throw toAppErrorFromExchange(error);
        });
        const uid = String(held.uid ?? '');
        const before = await store.find(account.id);
        const busy = before !== undefined && (await inUse(account.id));
        // Keys may be replaced while bots hold positions, but only by keys of the account that holds them.
        if (busy && (uid === '' || uid !== before.uid)) throw new AppError('connection-in-use');
        await database.transaction(async (queries) => {
          await store.save(account.id, settings.exchange, { apiKey, apiSecret }, uid, permissions, now(), queries);
          await audit.record({ accountId: account.id, action: 'exchange.connect', target: `…${apiKey.slice(-4)}`, origin }, queries);
        });
        await accounts.forget(`live:${account.id}`);
        await rebind(account.id);
        changed(account.id);
        return permissions;
      },
      disconnectBinance: async ({ account, origin }) => {
        if (await inUse(account.id)) throw new AppError('connection-in-use');
        await database.transaction(async (queries) => {
          if (!(await store.remove(account.id, queries))) throw new AppError('not-connected');
          await audit.record({ accountId: account.id, action: 'exchange.disconnect', origin }, queries);
        });
        await accounts.forget(`live:${account.id}`);
        changed(account.id);
      },
      getBinancePermissions: async ({ account }) => {
        const keys = await store.keys(account.id);
        if (!keys) throw new AppError('not-connected');
        const permissions = await ask(keys.apiKey, keys.apiSecret);
        await store.savePermissions(account.id, permissions, now());
        return permissions;
      },
      createDemoAccount: async () => {
        if (settings.exchange !== 'simulated') throw new AppError('not-found');
        return issueDemoKeys(exchange, DEMO_BALANCES);
      },
    },
    start: async () => expiry.start(),
    stop: async () => {
      await expiry.stop();
      await accounts.close();
    },
  };
}

/** Money alone: coins that nobody bought have no cost, and a first look would be at positions that say so. */
const DEMO_BALANCES = { USDT: '10000' };

const issued = z.object({ apiKey: z.string(), apiSecret: z.string() });

/** A new account at the simulated exchange, asked for over HTTP like anybody would. */
export async function issueDemoKeys(
  exchange: Exchange,
  balances: Record<string, string>,
): Promise<{ clientId: string; clientSecret: string }> {
  const response = await fetch(`${exchange.origins.rest}/sim/v1/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ balances }),
    signal: AbortSignal.timeout(10_000),
  }).catch(() => {
    throw new AppError('exchange-unreachable');
  });
  const keys = issued.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !keys.success) throw new AppError('exchange-unreachable');
  return { clientId: keys.data.apiKey, clientSecret: keys.data.apiSecret };
}
