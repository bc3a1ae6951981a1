import type { AutoTradePosition, Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { AppContext } from '../app/context.ts';
import type { AccountKey } from '../exchange-connection/trading-accounts.ts';
import type { WalletsStore } from '../wallets/wallets-store.ts';
import { IDLE } from './auto-trade-states.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';
import { accountKeyOf } from './bot-rules.ts';

/** Positions named in a message; it is read on a phone. */
const MOST_NAMED = 8;

/**
 * Tells an owner that the bots of an account stand still because a pair cannot be read, and what stands open meanwhile.
 * Once for a pair and what is held: a server that starts again tells nothing twice.
 */
export function unreadPairNotices(
  { database, notifier }: Pick<AppContext, 'database' | 'notifier'>,
  { store, wallets }: { readonly store: Pick<AutoTradesStore, 'all' | 'newestPositions'>; readonly wallets: Pick<WalletsStore, 'find'> },
) {
  return {
    tell: async (unreadPairs: ReadonlyMap<AccountKey, string>): Promise<void> => {
      if (unreadPairs.size === 0) return;
      const found = new Map<AccountKey, { accountId: string; held: { id: string; name: string }[] }>();
      for (const bot of await store.all()) {
        const wallet = await wallets.find(bot.accountId, bot.walletId);
        const key = wallet && accountKeyOf(wallet);
        if (key === undefined || !unreadPairs.has(key)) continue;
        const open = (await store.newestPositions(bot.id, bot.context.runNo)).filter(
          ({ state, context }) => state !== 'closed' && state !== 'detached' && isPositive(decimal(context.quantity)),
        );
        if (IDLE.has(bot.state) && open.length === 0) continue;
        const account = found.get(key) ?? { accountId: bot.accountId, held: [] };
        found.set(key, account);
        for (const { id, symbol } of open) account.held.push({ id, name: `${symbol} (${bot.name})` });
      }
      for (const [key, { accountId, held }] of found) {
        const named = held.slice(0, MOST_NAMED).map(({ name }) => name);
        await notifier.enqueue(database.queries, {
          accountId,
          kind: 'bot-attention',
          code: held.length === 0 ? 'bots-pair-unread' : 'bots-pair-unread-open',
          facts: {
            symbol: unreadPairs.get(key)!,
            open: held.length,
            named: [...named, ...(held.length > named.length ? ['…'] : [])].join(', '),
          },
          link: '/auto-trade',
          key: `pair-unread:${key}:${unreadPairs.get(key)}:${
            held
              .map(({ id }) => id)
              .sort()
              .at(-1) ?? ''
          }`,
        });
      }
      if (found.size > 0) notifier.wake();
    },
  };
}

/** Why coins of a bot that stands still are not traded: those that it holds, and the pair that cannot be read. */
export const unreadEvaluations = (pair: string, positions: readonly AutoTradePosition[]): Evaluation[] => {
  const open = positions.filter(({ state }) => state !== 'Closed' && state !== 'Detached');
  const states = new Map([[pair, 'Watching' as Evaluation['state']], ...open.map(({ symbol, state }) => [symbol, state] as const)]);
  return [...states].map(([symbol, state]) => ({
    symbol,
    at: null,
    price: null,
    state,
    rules: [{ rule: 'pair-read', observed: pair, limit: null, pass: false }],
    stoppedBy: 'pair-read',
    waitsFor: { code: 'pair-read', price: null, at: null, detail: pair },
  }));
};
