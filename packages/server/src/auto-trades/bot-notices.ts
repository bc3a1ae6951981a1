import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig, BOT_NOTICES } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { type AutoTradeContext, type AutoTradeStateName, isFrozen } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { NAMED_STOP_REFUSALS } from '@pilotfish/core/auto-trades/position/position-resident';
import { NAMED_EXPIRIES } from '@pilotfish/core/auto-trades/position/position-retry';
import { asSentence } from '@pilotfish/core/auto-trades/refusal-words';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { decimal, sum, toText } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { outerChannelsOf } from '@pilotfish/core/notifications/notification-choices';
import type { Facts } from '@pilotfish/core/notifications/notification-facts';
import type { NotificationKind } from '@pilotfish/core/notifications/notification-kinds';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import { choicesOf, type Notice } from '../notifications/notifier.ts';
import { SET_BACK } from './account-check.ts';
import type { AskedJump } from './asked-jumps.ts';

type NoticeName = (typeof BOT_NOTICES)[number];
/** What one step of a bot wrote. */
export type WrittenStep = {
  readonly accountId: string;
  readonly autoTradeId: string;
  readonly config: AutoTradeConfig;
  readonly currency: string;
  /** Decimals of prices of its pair. */
  readonly pricePrecision: number;
  readonly traces: readonly StoredTrace[];
  readonly logs: readonly AutoTradeLog[];
};
/** Where a bot's machine stands after an event. */
export type BotStep = { readonly state: AutoTradeStateName; readonly context: AutoTradeContext };
export type ToldBot = { readonly id: string; readonly accountId: string; readonly config: AutoTradeConfig };

const KINDS: Record<NoticeName, NotificationKind> = {
  Entry: 'bot-trade',
  Buy: 'bot-trade',
  Sell: 'bot-trade',
  CostMovedUp: 'bot-trade',
  TrailingCostExpired: 'bot-trade',
  Paused: 'bot-trade',
  Exit: 'bot-exit',
  NeedsAttention: 'bot-attention',
  Blocked: 'bot-attention',
};

/** Halts that have a sentence of their own; what a person wrote is told as it is. */
const NAMED_HALTS: ReadonlySet<string> = new Set(['kill-switch', SET_BACK]);

const DAY_MS = 86_400_000;
const text = (value: unknown): string => (typeof value === 'string' ? value : '0');
const total = (values: readonly unknown[]): string => toText(sum(values.map((value) => decimal(text(value)))));

/** Fills of one order come in pieces and are told as one. */
function ordersOf(traces: readonly StoredTrace[]): StoredTrace[][] {
  const groups: StoredTrace[][] = [];
  for (const trace of traces) {
    const known = groups.find(
      ([first]) => first?.kind === trace.kind && trace.tradeId !== undefined && first.clientOrderId === trace.clientOrderId,
    );
    if (known === undefined) groups.push([trace]);
    else known.push(trace);
  }
  return groups;
}

/** What refused an entry: the exchange's sentence, or a code of ours, which has a text. */
const refusedBy = (code: unknown, detail: unknown): Facts =>
  typeof detail === 'string' && detail !== code ? { reason: asSentence(detail) } : { reasonKey: `botReasons.refused-${String(code)}` };
/** Why a sale found nobody: words where there are any, else the exchange's code. */
const unfilledBy = (reason: unknown): Facts => {
  const code = String(reason);
  return NAMED_EXPIRIES.has(code) ? { reasonKey: `errors.${code}.title` } : { reason: code };
};
/** The same reason is told of one coin of a bot, and once a day. */
const refusalKey = (what: string, botId: string, { code, detail }: Record<string, unknown>, now: number): string =>
  `${what}:${botId}:${Math.floor(now / DAY_MS)}:${String(code)}:${String(detail ?? code)}`;

function told(group: readonly StoredTrace[], currency: string): { name: NoticeName; code: string; facts: Facts } | undefined {
  const last = group.at(-1);
  if (last === undefined) return undefined;
  const { kind, symbol, reason, after, before } = last;
  const price = digits(last.price);
  const sold = (name: string) => total(group.map((trace) => trace.after[name]));
  switch (kind) {
    case 'Entry':
      // Of a coin whose entries are refused the first was told, and a buy is told when it comes.
      if (after.refusals !== undefined) return undefined;
      return { name: kind, code: 'bot-entry', facts: { symbol, price, reserved: text(after.reserved), currency } };
    case 'Buy':
      return { name: kind, code: 'bot-buy', facts: { symbol, price, quantity: sold('quantity'), averageCost: text(after.averageCost) } };
    case 'Sell':
      if (reason === 'SoldOutside')
        return {
          name: 'NeedsAttention',
          code: 'bot-coins-missing',
          facts: { symbol, quantity: text(after.quantity), asset: text(after.asset), cost: text(after.cost), currency },
        };
      return { name: kind, code: 'bot-sell', facts: { symbol, price, quantity: sold('quantity'), realised: sold('realised'), currency } };
    case 'Exit':
      if (after.refusals !== undefined)
        return after.refusals === '1'
          ? { name: kind, code: 'bot-entry-refused', facts: { symbol, ...refusedBy(after.code, after.detail) } }
          : undefined;
      if (reason === 'Abandoned') return { name: kind, code: 'bot-abandoned', facts: { symbol } };
      return {
        name: kind,
        code: 'bot-exit',
        facts: { symbol, price, realised: text(after.realised), fees: text(after.fees), currency, reasonKey: `exitReasons.${reason}` },
      };
    case 'CostMovedUp':
      return { name: kind, code: 'bot-cost-moved-up', facts: { symbol, line: text(after.line), peak: text(after.peak ?? before.peak) } };
    case 'TrailingCostExpired':
      return { name: kind, code: 'bot-trailing-expired', facts: { symbol, reasonKey: `traces.TrailingCostExpired.${reason}` } };
  }
}

const jumpTold = (symbol: string, { before, price, factor }: AutoTradeLog['facts'], places: number): { code: string; facts: Facts } =>
  factor === undefined
    ? { code: 'bot-price-jump', facts: { symbol, price: text(price), priceBefore: text(before), places } }
    : { code: 'bot-balance-jump', facts: { symbol, times: text(factor) } };

/** Most are told each time; what comes again and again, once a day: of a bot for one reason, of a position for its coins. */
function keyOf(code: string, { id, autoTradeId, positionId, after }: StoredTrace, at: number): string {
  if (code === 'bot-entry-refused') return refusalKey('refused', autoTradeId, after, at);
  return code === 'bot-coins-missing' ? `coins-missing:${positionId}:${Math.floor(at / DAY_MS)}` : `trace:${id}`;
}

/**
 * Tells what bots did, as each bot's settings say, in the transaction that writes it: what is written is told, and
 * what is undone is not. The bot chooses between the apps and Telegram; other channels follow the reader's settings.
 */
export function botNotices({ database, notifier, now }: Pick<AppContext, 'database' | 'notifier' | 'now'>) {
  const tell = async (
    queries: Queries,
    { accountId, config }: ToldBot,
    name: NoticeName,
    notice: Pick<Notice, 'code' | 'facts' | 'key' | 'at'> & { link: string },
  ): Promise<void> => {
    const chosen = config.notifications[name] ?? 'off';
    if (chosen === 'off') return;
    const others = outerChannelsOf(KINDS[name], await choicesOf(queries, accountId)).filter((channel) => channel !== 'telegram');
    const telegram = chosen === 'app' ? [] : (['telegram'] as const);
    const { facts, ...more } = notice;
    await notifier.enqueue(queries, {
      accountId,
      kind: KINDS[name],
      facts: { bot: config.name, ...facts },
      channels: [...others, ...telegram],
      ...more,
    });
  };
  const linkOf = (id: string) => `/auto-trade/detail/${id}`;

  const stopped = async (bot: ToldBot, { state, context }: BotStep, queries: Queries): Promise<void> => {
    const link = linkOf(bot.id);
    const reasonKey = `botReasons.${context.reason ?? ''}`;
    if (state === 'paused' && context.pausedUntil !== null) {
      const facts = { reasonKey, untilAt: context.pausedUntil };
      await tell(queries, bot, 'Paused', {
        code: 'bot-paused',
        facts,
        link,
        key: `paused:${bot.id}:${context.reason ?? ''}:${context.pausedUntil}`,
      });
    }
    if (state !== 'blocked') return;
    await tell(queries, bot, 'Blocked', { code: 'bot-blocked', facts: { reasonKey }, link, key: `blocked:${bot.id}:${now()}` });
    if (context.reason === 'invalid-key')
      await notifier.enqueue(queries, {
        accountId: bot.accountId,
        kind: 'exchange-connection',
        code: 'exchange-invalid-key',
        facts: {},
        link: '/user/exchange-connect',
        // Every bot of the account finds out on its own.
        key: `invalid-key:${Math.floor(now() / DAY_MS)}`,
      });
  };

  /** Lines of a log that are told as well. */
  const noted = async (
    bot: ToldBot,
    { id, code, level, symbol, positionId, facts }: AutoTradeLog,
    places: number,
    queries: Queries,
  ): Promise<void> => {
    const [of, link] = [{ symbol: symbol ?? '' }, linkOf(bot.id)];
    if (code === 'PRICE_JUMPED' || code === 'BALANCE_JUMPED')
      await tell(queries, bot, 'NeedsAttention', { ...jumpTold(symbol ?? '', facts, places), link, key: `log:${id}` });
    if (code === 'NEEDS_ATTENTION')
      await tell(queries, bot, 'NeedsAttention', {
        ...(facts.tries === undefined
          ? { code: 'bot-attention', facts: of }
          : { code: 'bot-sale-given-up', facts: { ...of, ...unfilledBy(facts.code) } }),
        link,
        key: `log:${id}`,
      });
    // The first try of a sale only: the next ones follow within seconds.
    if (code === 'SALE_UNFILLED' && facts.tries === 1)
      await tell(queries, bot, 'NeedsAttention', {
        code: 'bot-sale-unfilled',
        facts: { ...of, ...unfilledBy(facts.reason) },
        link,
        key: `unfilled:${positionId}:${String(facts.reason)}`,
      });
    if (code === 'PROTECTIVE_STOP_REFUSED' && level === 'warning') {
      // Once for each position: the line itself comes again each hour.
      const reason = text(facts.code);
      const about = { ...of, ...(NAMED_STOP_REFUSALS.has(reason) ? { reasonKey: `stopReasons.${reason}` } : { reason }) };
      await tell(queries, bot, 'NeedsAttention', { code: 'bot-stop-refused', facts: about, link, key: `stop-refused:${positionId}` });
    }
    if (code === 'PROTECTIVE_STOPS_OVER')
      await tell(queries, bot, 'NeedsAttention', { code: 'bot-stops-over', facts: of, link, key: `stops-over:${positionId}` });
    // That a coin goes on pausing after one more try is no news.
    if (code !== 'ENTRIES_REFUSED' || level !== 'warning') return;
    const told = { ...of, ...refusedBy(facts.code, facts.detail), untilAt: Date.parse(String(facts.until)) };
    await tell(queries, bot, 'Paused', {
      code: 'bot-coin-paused',
      facts: told,
      link,
      key: refusalKey('coin-paused', bot.id, facts, now()),
    });
  };

  return {
    steps: async (steps: readonly WrittenStep[], queries: Queries): Promise<void> => {
      for (const { traces, logs, autoTradeId, accountId, config, currency, pricePrecision } of steps) {
        const bot = { id: autoTradeId, accountId, config };
        const link = linkOf(autoTradeId);
        for (const group of ordersOf(traces)) {
          const notice = told(group, currency);
          const last = group.at(-1);
          if (notice === undefined || last === undefined) continue;
          const { name, code, facts } = notice;
          const figures = { ...facts, places: pricePrecision };
          const key = keyOf(code, last, now());
          await tell(queries, bot, name, { code, facts: figures, link, key, at: Date.parse(last.at) });
        }
        for (const line of logs) await noted(bot, line, pricePrecision, queries);
      }
    },
    /** Tells again of a jump that nobody has decided about, `hours` after it; a start anew within the hour tells nothing twice. */
    jumpStands: async (bot: ToldBot, { symbol, positionId, jump, byBalance, pricePrecision }: AskedJump, hours: number): Promise<void> => {
      const key = `jump:${positionId}:${jump.at}:${hours}`;
      const { before, price, balance } = jump;
      const facts: AutoTradeLog['facts'] = byBalance ? { factor: balance ?? null } : { before, price };
      await database.transaction((queries) =>
        tell(queries, bot, 'NeedsAttention', { ...jumpTold(symbol, facts, pricePrecision), link: linkOf(bot.id), key }),
      );
      notifier.wake();
    },
    /** Saves a state of a bot's machine, and tells when it came to a stop by itself or leaves what it holds without exits. */
    saved: async (bot: ToldBot, next: BotStep, openPositions: number, save: (queries: Queries) => Promise<void>): Promise<void> => {
      await database.transaction(async (queries) => {
        await save(queries);
        await stopped(bot, next, queries);
        if (isFrozen(next.state, next.context) && openPositions > 0)
          await notifier.enqueue(queries, {
            accountId: bot.accountId,
            kind: 'bot-halted',
            code: 'bot-frozen',
            facts: { bot: bot.config.name, count: openPositions },
            link: linkOf(bot.id),
            key: `frozen:${bot.id}:${now()}`,
          });
      });
      notifier.wake();
    },
    halted: async (
      bot: Pick<ToldBot, 'id' | 'accountId'> & { readonly name: string; readonly link?: string; readonly market?: string },
      reason: string,
      queries: Queries,
    ): Promise<void> => {
      if (reason === 'account-deleted') return;
      await notifier.enqueue(queries, {
        accountId: bot.accountId,
        kind: 'bot-halted',
        code: 'bot-halted',
        facts: {
          bot: bot.name,
          ...(bot.market !== undefined && { market: bot.market }),
          ...(NAMED_HALTS.has(reason) ? { reasonKey: `botReasons.${reason}` } : { reason }),
        },
        link: bot.link ?? linkOf(bot.id),
        key: `halted:${bot.id}:${now()}`,
      });
    },
  };
}
export type BotNotices = ReturnType<typeof botNotices>;
