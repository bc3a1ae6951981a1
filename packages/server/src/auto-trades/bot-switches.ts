import { type AutoTradeContext, type AutoTradeEvent, newAutoTradeContext } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { AutoTradesStore, BotRow } from './auto-trades-store.ts';
import { botNotices } from './bot-notices.ts';
import type { RunningBot } from './bot-runner.ts';
import type { BotElsewhere } from './bots-everywhere.ts';
import { type CoinHaltRow, coinHaltsStore } from './coin-halts-store.ts';
import type { OrderIntentsStore } from './order-intents-store.ts';
import { haltUnreadable, type UnreadableBot } from './unreadable-bots.ts';

/** Halted positions that still hold something are looked at this often while they are sold off, and later less often. */
const LIQUIDATE_AGAIN_MS = [5000, 5000, 5000, 10_000, 30_000, 60_000] as const;

export type BotSwitches = ReturnType<typeof botSwitches>;

/**
 * The kill switches: of bots, of all of them, of single coins. They are kept in memory, because every order that is
 * signed asks for them in the turn it is signed in, and on disk, because they outlive the process.
 */
export function botSwitches(
  {
    database,
    now,
    newId,
    notifier,
    stream,
    timers,
    log,
  }: Pick<AppContext, 'database' | 'now' | 'newId' | 'notifier' | 'stream' | 'timers' | 'log'>,
  parts: {
    readonly store: AutoTradesStore;
    readonly intents: OrderIntentsStore;
    readonly running: ReadonlyMap<string, RunningBot>;
    /** States of bots are written one after the other. */
    readonly inTurn: <Result>(work: () => Promise<Result>) => Promise<Result>;
    /** What was read of a bot before is not what is on disk any more. */
    readonly changed: (id: string) => void;
    /** An event of a bot's machine, stored and followed; nobody waits for it. */
    readonly apply: (id: string, event: AutoTradeEvent) => void;
    readonly activate: (row: BotRow) => Promise<RunningBot>;
  },
) {
  const { store, intents, running, inTurn, changed } = parts;
  const notices = botNotices({ database, notifier, now });
  /** Bots under a kill switch: of none of them is an order signed, but what sells them off. */
  const halted = new Set<string>();
  const liquidating = new Set<string>();
  /** How often each bot was halted: what was begun before does not undo what came after. */
  const halts = new Map<string, number>();
  const coinHalts = coinHaltsStore(database, now);
  const cancels = new Set<Cancel>();
  let loaded = false;
  let stopped = false;

  /** Lets the engines of the bots that a switch concerns know. */
  const tellBots = ({ accountId, autoTradeId, symbol }: CoinHaltRow): void => {
    for (const bot of running.values())
      if (bot.bot.accountId === accountId && (autoTradeId ?? bot.bot.id) === bot.bot.id)
        bot.haltCoin(symbol, coinHalts.of(accountId, bot.bot.id, symbol)?.until);
  };

  /** Sells what a halted bot holds, again and again until nothing is left: an order may be refused or unclear. */
  async function liquidate(row: BotRow, attempt = 0): Promise<void> {
    if (stopped || !liquidating.has(row.id)) return;
    const bot = running.get(row.id) ?? (await parts.activate(row).catch(() => undefined));
    const left = bot?.sellOff() ?? 1;
    if (left === 0) return void liquidating.delete(row.id);
    const timer = timers.after(LIQUIDATE_AGAIN_MS[Math.min(attempt, LIQUIDATE_AGAIN_MS.length - 1)]!, () => {
      cancels.delete(timer);
      void liquidate(row, attempt + 1).catch((error: unknown) =>
        log.error({ err: error, autoTradeId: row.id }, 'a halted bot could not be sold off'),
      );
    });
    cancels.add(timer);
  }

  return {
    isHalted: (id: string): boolean => halted.has(id),
    isLiquidating: (id: string): boolean => liquidating.has(id),
    coinHaltOf: coinHalts.of,
    coinHalts: coinHalts.list,
    load: async (): Promise<void> => {
      if (loaded) return;
      await coinHalts.load();
      for (const halt of await intents.halts()) {
        halted.add(halt.scope_id);
        if (halt.liquidate) liquidating.add(halt.scope_id);
      }
      loaded = true;
    },
    /** Goes on selling off what a process before this one began to; of bots that cannot be read, once a version can. */
    resumeLiquidations: async (): Promise<void> => {
      for (const row of await store.all()) if (liquidating.has(row.id)) await liquidate(row);
    },
    /** How often a bot was halted so far: whoever enables it looks before and after. */
    countOf: (id: string): number => halts.get(id) ?? 0,
    /** The owner has acknowledged the halt. @throws when it was halted again meanwhile */
    acknowledge: async (id: string, unchanged: () => void): Promise<void> => {
      await inTurn(async () => {
        unchanged();
        await intents.liftHalt(id);
      });
      unchanged();
      halted.delete(id);
      liquidating.delete(id);
    },
    /**
     * From the call on nothing is signed for these bots, whatever else is under way; it survives a restart from the commit
     * on. `unreadable`: bots whose rows this version cannot read: one that can must not start them as they stood.
     * `elsewhere`: bots of other markets, which would go on with their market. Nothing of them is sold: a sale begins with
     * what is halted here, not on the day on which somebody chooses their market again.
     */
    halt: async (
      rows: readonly BotRow[],
      reason: string,
      {
        sellOff = false,
        unreadable = [],
        elsewhere = [],
      }: { sellOff?: boolean; unreadable?: readonly UnreadableBot[]; elsewhere?: readonly BotElsewhere[] } = {},
    ): Promise<void> => {
      const text = reason || 'kill-switch';
      const all = [...rows, ...unreadable];
      for (const row of all) {
        halts.set(row.id, (halts.get(row.id) ?? 0) + 1);
        changed(row.id);
        halted.add(row.id);
        if (sellOff) liquidating.add(row.id);
        else liquidating.delete(row.id);
        running.get(row.id)?.apply({ type: 'bot.halted', reason: text });
      }
      await inTurn(() =>
        database.transaction(async (queries) => {
          for (const { id, accountId } of all) await intents.halt(id, { accountId, reason, at: now(), liquidate: sellOff }, queries);
          for (const row of rows) {
            const known = running.get(row.id)?.context ?? row.context;
            const context: AutoTradeContext = { ...newAutoTradeContext, ...known, reason: text, pausedUntil: null, mustAcknowledge: true };
            await store.saveState(row.id, 'halted', context, now(), queries);
            if (row.state !== 'halted') await notices.halted({ ...row, name: row.config.name }, text, queries);
          }
          for (const bot of unreadable) {
            await haltUnreadable(bot, text, now(), queries);
            // Its page cannot be made.
            if (bot.state !== 'halted') await notices.halted({ ...bot, link: '/auto-trade' }, text, queries);
          }
          for (const bot of elsewhere) {
            await intents.halt(bot.id, { accountId: bot.accountId, reason, at: now(), liquidate: false }, queries);
            await haltUnreadable(bot, text, now(), queries.withoutPlugins());
            if (bot.state !== 'halted') await notices.halted({ ...bot, link: '/auto-trade' }, text, queries);
          }
        }),
      );
      notifier.wake();
      for (const { id, accountId } of all) stream.publish('auto-trades', { autoTradeId: id, state: 'Halted', traces: [] }, accountId);
      for (const row of rows) {
        changed(row.id);
        // One that came to work in between has read its row before the commit.
        running.get(row.id)?.apply({ type: 'bot.halted', reason: text });
        if (sellOff)
          void liquidate(row).catch((error: unknown) =>
            log.error({ err: error, autoTradeId: row.id }, 'a halted bot could not be sold off'),
          );
      }
    },
    /** No bot (or not this one) enters the coin until the moment; what is held stays under its bot's rules. */
    haltCoin: async (
      halt: Pick<CoinHaltRow, 'accountId' | 'autoTradeId' | 'symbol' | 'reason' | 'until'>,
      note: (row: CoinHaltRow, on: Queries) => Promise<void>,
    ): Promise<CoinHaltRow> => {
      const row: CoinHaltRow = { ...halt, id: newId(), haltedAt: now() };
      coinHalts.hold(row);
      tellBots(row);
      try {
        await database.transaction(async (queries) => {
          await coinHalts.insert(row, queries);
          await note(row, queries);
        });
      } catch (error) {
        coinHalts.release(row.id);
        tellBots(row);
        throw error;
      }
      return row;
    },
    /** @throws AppError `not-found` */
    liftCoinHalt: async (accountId: string, id: string, note: (row: CoinHaltRow, on: Queries) => Promise<void>): Promise<void> => {
      const row = coinHalts.find(accountId, id);
      if (!row) throw new AppError('not-found');
      await database.transaction(async (queries) => {
        await coinHalts.remove(id, queries);
        await note(row, queries);
      });
      coinHalts.release(id);
      tellBots(row);
    },
    /** Halts of coins that are over let their coins go; called now and then. */
    expire: (): void => {
      for (const bot of running.values())
        for (const symbol of bot.haltedCoins()) if (!coinHalts.of(bot.bot.accountId, bot.bot.id, symbol)) bot.haltCoin(symbol, undefined);
    },
    /** A live wallet is short of money, or is not: its bots enter nothing meanwhile. Said again it changes nothing. */
    onFunding: (accountId: string, walletId: string, short: boolean): void => {
      for (const { bot, state, context } of running.values()) {
        if (bot.accountId !== accountId || bot.walletId !== walletId) continue;
        if (short && state !== 'blocked') parts.apply(bot.id, { type: 'bot.blocked', reason: 'underfunded' });
        if (!short && state === 'blocked' && context.reason === 'underfunded') parts.apply(bot.id, { type: 'block.cleared' });
      }
    },
    stop: (): void => {
      stopped = true;
      for (const cancel of cancels) cancel();
    },
  };
}
