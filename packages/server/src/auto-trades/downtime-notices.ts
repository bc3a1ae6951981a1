import { decimal, isPositive } from '@pilotfish/core/money/decimal';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import { IDLE } from './auto-trade-states.ts';
import type { AutoTradesStore } from './auto-trades-store.ts';

const MINUTE = 60_000;
/** A restart or an upgrade is shorter, and nobody has to hear of it. */
const LEAST_MS = 5 * MINUTE;
/** Looks after which is told what is known, though the exchange does not answer. */
const MOST_LOOKS = 10;
/** Coins named in a message; it is read on a phone. */
const MOST_NAMED = 8;

/** `away`: the server ran meanwhile, with another market. */
type Downtime = { readonly since: number; readonly until: number; readonly away: boolean };

/**
 * Notes each minute that the server runs with its market. After it did not for some time, because it was off or ran with
 * another market, everybody with bots at work or open
 * positions is told how long, what was executed meanwhile, and what stands open without a stop at the exchange. That
 * is told a minute after the start, when bots have asked what became of their orders; a server that dies before
 * tells it at its next start.
 */
export function downtimeNotices(
  { database, log, notifier, now, storage, timers }: Pick<AppContext, 'database' | 'log' | 'notifier' | 'now' | 'storage' | 'timers'>,
  parts: { readonly store: Pick<AutoTradesStore, 'all' | 'newestPositions'>; readonly isMarketLoaded: () => boolean },
): Feature {
  const { queries } = database;
  let timer: Cancel | undefined;
  let running: Promise<void> | undefined;
  let untold: Downtime | undefined;
  let looks = 0;

  const seen = async (): Promise<void> => {
    await queries.updateTable('markets').set({ seen_at: now() }).execute();
  };

  /** Whether the server has run with another market after that moment. */
  async function ranElsewhere(since: number): Promise<boolean> {
    const newest = queries
      .withoutPlugins()
      .selectFrom('markets')
      .select((s) => s.fn.max('seen_at').as('at'));
    return Number((await newest.executeTakeFirst())?.at ?? 0) > since;
  }

  /** Orders that were executed in that time and that only this start has heard of. */
  async function executedIn({ since, until }: Downtime, autoTradeId: string): Promise<number> {
    const rows = await queries
      .selectFrom('auto_trade_traces')
      .select('body')
      .where('auto_trade_id', '=', autoTradeId)
      .where('kind', 'in', ['Buy', 'Sell'])
      .where('recorded_at', '>=', since)
      .where('at', '<', until)
      .execute();
    const orders = rows.map(({ body }) => JSON.parse(body) as { reason: string; clientOrderId?: string | null });
    return new Set(orders.filter(({ reason }) => reason !== 'SoldOutside').map(({ clientOrderId }) => clientOrderId ?? null)).size;
  }

  async function tell(down: Downtime): Promise<void> {
    const found = new Map<string, { executed: number; open: number; exposed: string[] }>();
    for (const bot of await parts.store.all()) {
      const held = (await parts.store.newestPositions(bot.id, bot.context.runNo)).filter(
        ({ state, context }) => state !== 'closed' && state !== 'detached' && isPositive(decimal(context.quantity)),
      );
      if (IDLE.has(bot.state) && held.length === 0) continue;
      const account = found.get(bot.accountId) ?? { executed: 0, open: 0, exposed: [] };
      account.executed += await executedIn(down, bot.id);
      account.open += held.length;
      for (const { symbol, context } of held) if (!context.resident) account.exposed.push(`${symbol} (${bot.name})`);
      found.set(bot.accountId, account);
    }
    await database.transaction(async (transaction) => {
      for (const [accountId, { executed, open, exposed }] of found) {
        const named = exposed.length > MOST_NAMED ? [...exposed.slice(0, MOST_NAMED), '…'] : exposed;
        await notifier.enqueue(transaction, {
          accountId,
          kind: 'bot-attention',
          code: `${down.away ? 'market-was-away' : 'server-was-down'}${exposed.length === 0 ? '' : '-exposed'}`,
          facts: {
            sinceAt: down.since,
            untilAt: down.until,
            minutes: Math.round((down.until - down.since) / MINUTE),
            executed,
            open,
            exposed: exposed.length,
            named: named.join(', '),
          },
          link: '/auto-trade',
          key: `down:${down.since}`,
        });
      }
      await transaction.updateTable('markets').set({ seen_at: now() }).execute();
    });
    notifier.wake();
    log.warn({ since: new Date(down.since).toISOString(), accounts: found.size }, 'server.was_down: owners of bots are told');
  }

  async function look(): Promise<void> {
    if (untold) {
      looks += 1;
      if (!parts.isMarketLoaded() && looks < MOST_LOOKS) return;
      await tell(untold);
      untold = undefined;
      return;
    }
    // On a full disk what is left of the reserve is for exits.
    if (!storage.isFull()) await seen();
  }

  return {
    handlers: {},
    start: async () => {
      const { seen_at: last } = await queries.selectFrom('markets').select('seen_at').executeTakeFirstOrThrow();
      const until = now();
      // PostgreSQL may answer a big number as text.
      const since = last === null ? until : Number(last);
      if (until - since >= LEAST_MS) untold = { since, until, away: await ranElsewhere(since) };
      else await seen();
      timer = timers.every(MINUTE, () => {
        running ??= look()
          .catch((error: unknown) => log.error({ err: error }, 'how long the server did not run could not be noted or told'))
          .finally(() => {
            running = undefined;
          });
      });
    },
    stop: async () => {
      timer?.();
      await running;
      // It ends in order: what comes after is time that it did not run.
      if (!untold && !storage.isFull()) await seen().catch(() => undefined);
    },
  };
}
