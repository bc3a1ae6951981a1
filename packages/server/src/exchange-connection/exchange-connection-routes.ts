import { AppError } from '@pilotfish/core/http/problem';
import type { Timers } from '@pilotfish/core/time/timers';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import type { ExchangeOrigins } from '../exchange/exchange-origins.ts';
import { type Signer, signerFor } from '../exchange/signing.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { ExchangeConnectionStore } from './exchange-connection-store.ts';
import { keyExpiry } from './key-expiry.ts';
import type { TradingAccounts } from './trading-accounts.ts';
import type { TradingPermission } from './trading-permission.ts';

export type ConnectionParts = {
  readonly exchange: Exchange;
  readonly store: ExchangeConnectionStore;
  readonly trading: TradingPermission;
  readonly accounts: TradingAccounts;
  /** True while live bots of the account hold positions or orders. */
  readonly inUse: (accountId: string) => Promise<boolean>;
  /** Markets in which they do, whichever this server works with. */
  readonly inUseElsewhere: (accountId: string) => Promise<ReadonlySet<string>>;
  /** Lets running bots sign by the new keys. */
  readonly rebind: (accountId: string) => Promise<void>;
};

/** Connects exchange keys: checked at the exchange before anything is kept, write-only afterwards. */
export function exchangeConnectionFeature(
  context: AppContext,
  { exchange, store, trading, accounts, inUse, inUseElsewhere, rebind }: ConnectionParts,
): Feature {
  const { audit, database, notifier, now, marketSource, stream, timers } = context;

  function signer(apiKey: string, apiSecret: string): Signer {
    try {
      return signerFor(apiKey, apiSecret);
    } catch (error) {
      const message = (error as Error).message;
      throw new AppError('invalid', { detail: message, fields: [{ path: 'clientSecret', code: 'private_key', message }] });
    }
  }

  const expiry = keyExpiry(context, {
    accounts: store.connectedAccounts,
    endOf: async (accountId) => (await trading.refresh(accountId)).endsAt,
  });
  const changed = (accountId: string) =>
    stream.publish('account', { kind: 'exchange-connection', at: new Date(now()).toISOString() }, accountId);

  context.accountExtras.exchanges = async (accountId) => {
    const found = await store.find(accountId);
    return found?.exchange === marketSource ? [{ name: 'Binance', tradeEnabled: !trading.isDenied(accountId) }] : [];
  };

  context.accountExtras.afterDelete.push(async (accountId) => accounts.forget(`live:${accountId}`));

  const disconnect = async (accountId: string, origin: Origin): Promise<void> => {
    if (await inUse(accountId)) throw new AppError('connection-in-use');
    await database.transaction(async (queries) => {
      if (!(await store.remove(accountId, queries))) throw new AppError('not-connected');
      await audit.record({ accountId, action: 'exchange.disconnect', origin }, queries);
    });
    trading.learn(accountId, undefined);
    accounts.forget(`live:${accountId}`);
    changed(accountId);
  };
  context.accountExtras.connections.push({
    kind: 'exchange',
    // Keys of a market that rests are keys all the same: whoever looks after a theft must see and end them.
    list: async (accountId, queries) =>
      (await store.listEverywhere(accountId, queries)).map(({ exchange: market, keyEnding, connectedAt }) => ({
        name: market === marketSource ? `…${keyEnding}` : `…${keyEnding} (${market})`,
        addedAt: connectedAt,
      })),
    end: async (accountId, origin) => {
      const markets = (await store.listEverywhere(accountId)).map((each) => each.exchange);
      const busy = await inUseElsewhere(accountId);
      const ended = markets.filter((market) => market !== marketSource && !busy.has(market));
      await database.transaction(async (queries) => {
        for (const market of ended) {
          await store.removeElsewhere(accountId, market, queries);
          await audit.record({ accountId, action: 'exchange.disconnect', origin, details: { market } }, queries);
        }
      });
      if (markets.includes(marketSource)) await disconnect(accountId, origin);
    },
  });

  /** Two accounts of earlier versions may trade with the same money: both go on, and both have to know. */
  async function tellSharers(): Promise<void> {
    for (const { accountId, claim } of await store.shared())
      await notifier.enqueue(database.queries, {
        accountId,
        kind: 'exchange-connection',
        code: 'exchange-account-shared',
        facts: {},
        link: '/user/exchange-connect',
        key: `exchange-shared:${claim}`,
      });
    notifier.wake();
  }

  return {
    handlers: {
      connectBinance: async ({ body, account, origin }) => {
        const { clientId: apiKey, clientSecret: apiSecret } = body;
        const own = signer(apiKey, apiSecret);
        const { permissions } = await trading.ask({ apiKey, apiSecret });
        if (permissions.enableWithdrawals === true) throw new AppError('withdrawals-enabled');
        if (permissions.enableReading === false) throw new AppError('reading-disabled');
        const held = await exchange.account(own).catch((error: unknown) => {
          throw toAppErrorFromExchange(error);
        });
        const uid = held.uid ?? '';
        const before = await store.find(account.id);
        const busy = before !== undefined && (await inUse(account.id));
        // Keys may be replaced while bots hold positions, but only by keys of the account that holds them.
        if (busy && (uid === '' || uid !== before.uid)) throw new AppError('connection-in-use');
        await database.transaction(async (queries) => {
          await store.save(account.id, marketSource, { apiKey, apiSecret }, uid, permissions, now(), queries);
          await audit.record({ accountId: account.id, action: 'exchange.connect', target: `…${apiKey.slice(-4)}`, origin }, queries);
        });
        accounts.forget(`live:${account.id}`);
        trading.learn(account.id, permissions);
        await rebind(account.id);
        changed(account.id);
        return permissions;
      },
      disconnectBinance: ({ account, origin }) => disconnect(account.id, origin),
      getBinancePermissions: async ({ account }) => {
        const { permissions } = await trading.refresh(account.id);
        return permissions;
      },
      createDemoAccount: async () => {
        if (marketSource !== 'simulated') throw new AppError('not-found');
        return issueDemoKeys(exchange.origins, DEMO_BALANCES, timers);
      },
    },
    start: async () => {
      await trading.load();
      await tellSharers();
      expiry.start();
    },
    stop: async () => {
      await expiry.stop();
      accounts.close();
    },
  };
}

/** Money alone: coins that nobody bought have no cost, and a first look would be at positions that say so. */
const DEMO_BALANCES = { USDT: '10000' };

const issued = z.object({ apiKey: z.string(), apiSecret: z.string() });

/** A new account at the simulated exchange, asked for over HTTP like anybody would. `more`: further fields of the call. */
export async function issueDemoKeys(
  origins: ExchangeOrigins,
  balances: Record<string, string>,
  timers: Pick<Timers, 'deadline'>,
  more: Readonly<Record<string, string | number>> = {},
): Promise<{ clientId: string; clientSecret: string }> {
  const response = await fetch(`${origins.rest}/sim/v1/accounts`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(origins.controlKey !== undefined && { 'x-sim-key': origins.controlKey }),
    },
    body: JSON.stringify({ balances, ...more }),
    signal: timers.deadline(10_000),
  }).catch(() => {
    throw new AppError('exchange-unreachable');
  });
  const keys = issued.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !keys.success) throw new AppError('exchange-unreachable');
  return { clientId: keys.data.apiKey, clientSecret: keys.data.apiSecret };
}
