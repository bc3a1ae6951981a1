import { isTradeEnabled } from '@pilotfish/core/account/claims';
import {
  KEY_ENDS_SOON_MS,
  NEEDLESS_RIGHTS,
  type Permissions,
  permissionsSchema,
} from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { AppError } from '@pilotfish/core/http/problem';
import type { AppContext } from '../app/context.ts';
import type { RolePermissions } from '../app/role-permissions.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { toAppErrorFromExchange } from '../exchange/exchange-error.ts';
import { signerFor } from '../exchange/signing.ts';
import type { ExchangeConnectionStore, Keys } from './exchange-connection-store.ts';

/** Keys that the exchange refuses order by order are not asked about for each of the orders. */
const ASK_AGAIN_MS = 60_000;

export type TradingPermission = ReturnType<typeof tradingPermission>;

/**
 * Whether each account may trade live: by its keys, as the exchange last said, and by its roles. The rule itself is core's `isTradeEnabled`; this knows
 * it without a question, so that an answer or an order may ask at any time, and tells those who follow a change of it.
 */
export function tradingPermission(
  { log, now, marketSource, stream, accountExtras }: Pick<AppContext, 'log' | 'now' | 'marketSource' | 'stream' | 'accountExtras'>,
  {
    exchange,
    store,
    roles,
  }: {
    readonly exchange: Pick<Exchange, 'restrictions' | 'rest' | 'hasWallet'>;
    readonly store: ExchangeConnectionStore;
    readonly roles: RolePermissions;
  },
) {
  /** By what the exchange says of the keys, and by the roles of the account. */
  const denied = new Set<string>();
  const deniedByRole = new Set<string>();
  const isDenied = (accountId: string) => denied.has(accountId) || deniedByRole.has(accountId);
  const askedAt = new Map<string, number>();
  const followers: ((accountId: string) => void)[] = [];

  /** What was just stored of an account; undefined: its keys are gone. */
  function learn(accountId: string, permissions: Permissions | undefined): void {
    note(accountId, denied, permissions !== undefined && !isTradeEnabled(permissions));
  }

  function note(accountId: string, set: Set<string>, isNo: boolean): void {
    const before = isDenied(accountId);
    if (isNo) set.add(accountId);
    else set.delete(accountId);
    if (isDenied(accountId) === before) return;
    stream.publish('account', { kind: 'exchange-connection', at: new Date(now()).toISOString() }, accountId);
    for (const follow of followers) follow(accountId);
  }

  accountExtras.afterRoles.push(async (accountIds) => {
    const without = await roles.without('live-trading', accountIds);
    for (const accountId of accountIds) note(accountId, deniedByRole, without.has(accountId));
  });

  /** Asks the exchange what keys may do. @throws AppError */
  async function ask({ apiKey, apiSecret }: Keys): Promise<{ permissions: Permissions; endsAt: number | undefined }> {
    const restrictions = await exchange.restrictions(signerFor(apiKey, apiSecret)).catch((error: unknown) => {
      throw toAppErrorFromExchange(error);
    });
    const { createTime: _created, tradingAuthorityExpirationTime: ends, ...fields } = restrictions;
    const mayTrade = isTradeEnabled(fields);
    const endsAt = mayTrade && typeof ends === 'number' && ends > 0 ? ends : undefined;
    const warnings: Permissions['warnings'] = [];
    // Where it is unknown nothing can be said: without a wallet, an exchange says nothing of addresses.
    if (exchange.hasWallet && fields.ipRestrict !== true) warnings.push('no-ip-restriction');
    for (const [right, warning] of NEEDLESS_RIGHTS) if (fields[right] === true) warnings.push(warning);
    if (!mayTrade) warnings.push('trading-disabled');
    else if (endsAt !== undefined && endsAt - exchange.rest.time() < KEY_ENDS_SOON_MS) warnings.push('trading-ends-soon');
    const permissions = permissionsSchema.parse({
      ...fields,
      warnings,
      ...(endsAt !== undefined && { tradingEndsAt: new Date(endsAt).toISOString() }),
      keyEnding: apiKey.slice(-4),
      exchange: marketSource,
    });
    return { permissions, endsAt };
  }

  /** Asks about the stored keys, and keeps the answer. @throws AppError `not-connected` without keys */
  async function refresh(accountId: string): Promise<Awaited<ReturnType<typeof ask>>> {
    const keys = await store.keys(accountId);
    if (!keys) throw new AppError('not-connected');
    askedAt.set(accountId, now());
    const answer = await ask(keys);
    // Other keys may have come meanwhile: theirs were asked about when they did.
    if ((await store.keys(accountId))?.apiKey !== keys.apiKey) return answer;
    await store.savePermissions(accountId, answer.permissions, now());
    learn(accountId, answer.permissions);
    return answer;
  }

  return {
    /** What was known when the server stopped; before bots are put to work. */
    load: async (): Promise<void> => {
      for (const accountId of await store.deniedAccounts()) denied.add(accountId);
      for (const accountId of await roles.without('live-trading')) deniedByRole.add(accountId);
    },
    ask,
    refresh,
    learn,
    /** True where the exchange said that the account's keys may not trade, never for what it did not say; or where its roles do not allow it. */
    isDenied,
    /**
     * Refuses what trades live at its owner's word. Who has just allowed it at the exchange is not refused: a "no" that
     * was remembered is asked again first.
     * @throws AppError `trading-disabled`
     */
    require: async (accountId: string): Promise<void> => {
      if (deniedByRole.has(accountId)) throw new AppError('trading-disabled', { parameters: { context: 'role' } });
      if (!denied.has(accountId)) return;
      await refresh(accountId).catch((error: unknown) =>
        log.info({ reason: (error as { code?: string }).code }, 'what a key may do could not be asked again'),
      );
      if (denied.has(accountId)) throw new AppError('trading-disabled');
    },
    /** The exchange refused an order of these keys: whether they may trade at all is asked, at most once a minute. */
    doubt: (accountId: string): void => {
      if (now() - (askedAt.get(accountId) ?? Number.NEGATIVE_INFINITY) < ASK_AGAIN_MS) return;
      // Before anything is waited for: orders are refused several at once.
      askedAt.set(accountId, now());
      refresh(accountId).catch((error: unknown) =>
        log.info({ reason: (error as { code?: string }).code }, 'what a refused key may do could not be asked'),
      );
    },
    onChange: (follow: (accountId: string) => void): void => void followers.push(follow),
  };
}
