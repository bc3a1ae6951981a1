import { compare, decimal, sum } from '@pilotfish/core/money/decimal';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import type { WalletsStore } from './wallets-store.ts';

/** After news of balances: several orders tell of theirs at once. */
const SETTLE_MS = 2000;
/** What looks short is looked at again before anything follows from it: an order may be on its way. */
const AGAIN_MS = 5000;
/** Between two looks at one account. */
const APART_MS = 10_000;

export type WalletFunding = ReturnType<typeof walletFunding>;

/**
 * Whether the exchange still holds what live wallets promise. Money that is taken out of the account behind the back
 * of a wallet leaves it underfunded: no entries until it is there again; exits go on.
 */
export function walletFunding({
  wallets,
  freeOf,
  onLook,
  log,
  timers: { wait },
}: {
  readonly wallets: Pick<WalletsStore, 'list' | 'book'>;
  /** What is free of an asset at the exchange, decimal text. @throws while it cannot be asked; asked of one, where that cannot be read */
  readonly freeOf: (accountId: string) => Promise<(asset: string) => string>;
  /** Whether a wallet is short of money, at each look at it. */
  readonly onLook: (accountId: string, walletId: string, short: boolean) => void;
  readonly log: Logger;
  readonly timers: Pick<Timers, 'wait'>;
}) {
  const short = new Set<string>();
  const busy = new Map<string, { again: boolean }>();
  let stopped = false;

  /** Of a balance that cannot be read nothing follows: its wallets stay what they were. */
  function freeIn(free: (asset: string) => string, currency: string): string | undefined {
    try {
      return free(currency);
    } catch (error) {
      log.warn({ currency, reason: (error as Error).message }, 'what wallets of a currency can count on could not be read');
      return undefined;
    }
  }

  /** Ids of the live wallets of an account, by whether their currency is short. */
  async function look(accountId: string): Promise<Map<string, boolean>> {
    const live = (await wallets.list(accountId)).filter(({ mode }) => mode === 'live');
    const found = new Map<string, boolean>();
    if (live.length === 0) return found;
    const free = await freeOf(accountId);
    for (const currency of new Set(live.map((wallet) => wallet.currency))) {
      const those = live.filter((wallet) => wallet.currency === currency);
      const books = await Promise.all(those.map((wallet) => wallets.book(wallet)));
      const promised = sum(books.map((book) => decimal(book.sums.free)));
      const held = freeIn(free, currency);
      if (held !== undefined) for (const { id } of those) found.set(id, compare(decimal(held), promised) < 0);
    }
    return found;
  }

  async function check(accountId: string): Promise<void> {
    await wait(SETTLE_MS);
    let found = await look(accountId);
    if ([...found].some(([id, lacks]) => lacks && !short.has(id))) {
      await wait(AGAIN_MS);
      const again = await look(accountId);
      found = new Map([...again].map(([id, lacks]) => [id, lacks && found.get(id) === true]));
    }
    for (const [id, lacks] of found) {
      if (lacks) short.add(id);
      else short.delete(id);
      // Told at every look: a bot that was blocked before a restart has to hear that the money is there again.
      onLook(accountId, id, lacks);
    }
  }

  return {
    isShort: (walletId: string): boolean => short.has(walletId),
    /** Something moved at the account: it is looked at soon, and again when more moved meanwhile. */
    poke: (accountId: string): void => {
      if (stopped) return;
      const running = busy.get(accountId);
      if (running) {
        running.again = true;
        return;
      }
      const turn = { again: true };
      busy.set(accountId, turn);
      void (async () => {
        while (turn.again && !stopped) {
          turn.again = false;
          await check(accountId).catch((error: Error) =>
            log.warn({ reason: error.message }, 'the exchange could not be asked what wallets can count on'),
          );
          if (turn.again) await wait(APART_MS);
        }
        busy.delete(accountId);
      })();
    },
    /** For tests and for the first look after a start. */
    check,
    stop: (): void => {
      stopped = true;
    },
  };
}
