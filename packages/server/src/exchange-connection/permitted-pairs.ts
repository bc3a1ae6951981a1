import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { Exchange } from '../exchange/exchange.ts';
import type { AccountKey, TradingAccounts } from './trading-accounts.ts';

/** Permissions change with the residence of an account, or by a questionnaire: asked again after an hour, after a failure sooner. */
const FRESH_MS = 3_600_000;
const RETRY_MS = 60_000;
/** Between two questions that refused orders raise: they are refused several at once, and an answer may change nothing. */
const DOUBT_MS = 60_000;
/** Longest that a bot waits for them. */
const PATIENCE_MS = 5000;

export type PermittedPairs = ReturnType<typeof permittedPairs>;

/**
 * Each of the sets must have a permission of the account, as the exchange documents `permissionSets`. A set without any
 * permission is how the exchange hides its content: it says nothing.
 */
export const isPermitted = (sets: readonly (readonly string[])[], permissions: ReadonlySet<string>): boolean =>
  sets.every((set) => set.length === 0 || set.some((each) => permissions.has(each)));

/** Which pairs the exchange does not let an account trade. What it does not say forbids nothing. */
export function permittedPairs({
  exchange,
  accounts,
  readPairs,
  now,
  timers,
  log,
}: {
  readonly exchange: Pick<Exchange, 'account' | 'permissionSets' | 'hasPaperVenue'>;
  readonly accounts: Pick<TradingAccounts, 'get'>;
  /** Reads what the exchange lists again, and what its pairs need. */
  readonly readPairs: () => Promise<unknown>;
  readonly now: () => number;
  readonly timers: Pick<Timers, 'wait'>;
  readonly log: Pick<Logger, 'info'>;
}) {
  const known = new Map<AccountKey, { readonly permissions: ReadonlySet<string> | undefined; readonly dueAt: number }>();
  const asking = new Map<AccountKey, Promise<void>>();
  const doubtedAt = new Map<AccountKey, number>();

  /** Never throws: what was known before stays known. Two who ask at once are answered by one request. */
  function ask(key: AccountKey): Promise<void> {
    const keep = (permissions: ReadonlySet<string> | undefined, ms: number): void =>
      void known.set(key, { permissions, dueAt: now() + ms });
    const running = asking.get(key);
    if (running) return running;
    // An answer to a question from before `forget` is another account's.
    const isOf = (): boolean => asking.get(key) === asked;
    const asked: Promise<void> = accounts
      .get(key)
      .then(({ signer }) => exchange.account(signer))
      // An account that lists none does not say that it may trade nothing.
      .then(({ permissions }) => (isOf() ? keep(permissions?.length ? new Set(permissions) : undefined, FRESH_MS) : undefined))
      .catch((error: unknown) => {
        log.info({ reason: (error as Error).message }, 'what an account may trade could not be asked');
        if (isOf()) keep(known.get(key)?.permissions, RETRY_MS);
      })
      .finally(() => isOf() && asking.delete(key));
    asking.set(key, asked);
    return asked;
  }

  return {
    /** After new keys: another account may trade something else. */
    forget: (key: AccountKey): void => {
      known.delete(key);
      asking.delete(key);
    },
    /**
     * The exchange refused an order for its pair: what the account may trade and what the pair needs is asked now, at most
     * once a minute.
     */
    doubt: (key: AccountKey): void => {
      if (now() - (doubtedAt.get(key) ?? Number.NEGATIVE_INFINITY) < DOUBT_MS) return;
      doubtedAt.set(key, now());
      void ask(key);
      readPairs().catch((error: unknown) => log.info({ reason: (error as Error).message }, 'what pairs need could not be asked'));
    },
    /** Those of the pairs that the account may not trade. */
    forbidden: async (key: AccountKey, symbols: readonly string[]): Promise<readonly string[]> => {
      // The mirror on which paper wallets trade beside a real exchange lets them trade all of its pairs.
      if (key.startsWith('paper:') && exchange.hasPaperVenue) return [];
      if (now() >= (known.get(key)?.dueAt ?? Number.NEGATIVE_INFINITY)) await Promise.race([ask(key), timers.wait(PATIENCE_MS)]);
      const permissions = known.get(key)?.permissions;
      if (!permissions) return [];
      return symbols.filter((symbol) => !isPermitted(exchange.permissionSets(symbol), permissions));
    },
  };
}
