import { traceSchema } from '@pilotfish/core/auto-trades/trace';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { add, decimal, isPositive, isZero, toText, ZERO } from '@pilotfish/core/money/decimal';
import type { Activity, ActivityTotals } from '@pilotfish/core/overview/overview-contract';
import type { Logger } from 'pino';
import type { Queries } from '../database/database.ts';
import { storedRows } from '../database/stored-rows.ts';

type Told = Pick<
  ReturnType<typeof traceSchema.parse>,
  'kind' | 'symbol' | 'at' | 'price' | 'reason' | 'after' | 'positionId' | 'clientOrderId' | 'mode'
>;
type Row = { readonly id: string; readonly botId: string; readonly botName: string; readonly currency: string; readonly trace: Told };
/** Fills of one order are one thing that happened. */
type Group = Row & { readonly traces: Told[] };

const sumOf = (traces: readonly Told[], name: string): string | null => {
  let total = ZERO;
  for (const { after } of traces) {
    const value = after[name];
    if (typeof value !== 'string') return null;
    total = add(total, decimal(value));
  }
  return toText(total);
};

/** A fee in another coin that had no price: what the sale realised is not known to that fee. */
const isUnvalued = ({ after: { fee, feeInQuote } }: Told): boolean =>
  typeof fee === 'string' && typeof feeInQuote === 'string' && !isZero(decimal(fee)) && isZero(decimal(feeInQuote));

/** Trades of an account's bots, deleted ones too, by the time of the market, in one query. */
export function botActivity(queries: Queries, log: Pick<Logger, 'error'>) {
  const readable = storedRows(log);
  /** `unread`: modes and currencies of which a sale cannot be read, so that no total of them is whole. */
  async function rowsSince(accountId: string, from: number): Promise<{ found: Row[]; unread: ReadonlySet<string> }> {
    const rows = await queries
      .selectFrom('auto_trades as bot')
      .innerJoin('wallets as wallet', 'wallet.id', 'bot.wallet_id')
      .innerJoin('auto_trade_traces as trace', 'trace.auto_trade_id', 'bot.id')
      .select(['trace.id', 'trace.body', 'bot.id as bot_id', 'bot.name', 'wallet.currency', 'wallet.mode', 'trace.kind'])
      .where('bot.account_id', '=', accountId)
      .where('trace.kind', 'in', ['Buy', 'Sell', 'Exit'])
      .where('trace.at', '>=', from)
      .orderBy('trace.at')
      .orderBy('trace.seq')
      .execute();
    const found = await readable(
      'auto_trade_traces',
      rows,
      (row): Row => ({
        id: row.id,
        botId: row.bot_id,
        botName: row.name,
        currency: row.currency,
        trace: traceSchema.parse(JSON.parse(row.body)),
      }),
    );
    const ids = new Set(found.map(({ id }) => id));
    const lost = rows.filter(({ id, kind }) => kind === 'Sell' && !ids.has(id));
    return { found, unread: new Set(lost.map(({ mode, currency }) => totalKey(mode, currency))) };
  }

  return {
    /**
     * What bots bought and sold since a moment of the market, oldest first, and the totals of each mode and currency. An
     * order of several fills is one row, at its last fill. A row that cannot be read is left out, and with a sale the total
     * that it belongs to: less than everything would look like everything.
     */
    since: async (accountId: string, from: number): Promise<{ items: Activity[]; totals: ActivityTotals[] }> => {
      const groups = new Map<string, Group>();
      const exits: Row[] = [];
      const sold = new Set<string>();
      const { found, unread } = await rowsSince(accountId, from);
      for (const row of found) {
        const { kind, clientOrderId, positionId, reason } = row.trace;
        if (kind === 'Exit') {
          exits.push(row);
          continue;
        }
        // Coins that left by themselves are no sale: nothing came in for them.
        if (kind === 'Sell' && reason !== 'SoldOutside') sold.add(positionId);
        const key = `${row.botId} ${kind} ${clientOrderId ?? row.id}`;
        const known = groups.get(key);
        if (known === undefined) groups.set(key, { ...row, traces: [row.trace] });
        else groups.set(key, { ...known, trace: row.trace, traces: [...known.traces, row.trace] });
      }
      const orders = [...groups.values()];
      // What a sale ended is said by the sale; an entry that bought nothing is no event.
      const ends = exits.filter(
        ({ trace }) => trace.reason !== 'Abandoned' && trace.reason !== 'SoldOutside' && !sold.has(trace.positionId),
      );
      return { items: [...orders.map(orderItem), ...ends.map(endItem)], totals: totalsOf(orders, unread) };
    },
  };
}
export type BotActivity = ReturnType<typeof botActivity>;

const itemOf = ({ botId, botName, currency, trace }: Row) => ({
  at: trace.at,
  symbol: trace.symbol,
  autoTradeId: botId,
  botName,
  mode: trace.mode,
  currency,
  link: `/auto-trade/detail/${botId}`,
});

function orderItem(group: Group): Activity {
  const { traces, trace, id, botName } = group;
  const { kind, symbol, reason, price } = trace;
  const facts = { bot: botName, symbol, price, quantity: sumOf(traces, 'quantity') ?? undefined };
  const of = { ...itemOf(group), id: `${kind}:${trace.clientOrderId ?? id}` };
  if (kind === 'Buy') {
    const level = reason === 'Rebuy' ? Number(trace.after.level ?? 0) : 0;
    return level > 0
      ? { ...of, kind: 'buy', code: 'rebuy', facts: { ...facts, number: level }, result: null }
      : { ...of, kind: 'buy', code: 'entry', facts, result: null };
  }
  const isSale = reason !== 'SoldOutside';
  return {
    ...of,
    kind: isSale ? 'sell' : 'exit',
    code: reason,
    facts: { ...facts, reasonKey: `exitReasons.${reason}` },
    result: isSale && !traces.some(isUnvalued) ? sumOf(traces, 'realised') : null,
  };
}

const endItem = (row: Row): Activity => ({
  ...itemOf(row),
  id: `Exit:${row.id}`,
  kind: 'exit',
  code: row.trace.reason,
  facts: { bot: row.botName, symbol: row.trace.symbol, reasonKey: `exitReasons.${row.trace.reason}` },
  result: null,
});

const totalKey = (mode: TradeMode, currency: string): string => `${mode} ${currency}`;

function totalsOf(groups: readonly Group[], unread: ReadonlySet<string>): ActivityTotals[] {
  const totals = new Map<string, { mode: TradeMode; currency: string; sells: number; wins: number; realised: string }>();
  for (const { trace, traces, currency } of groups) {
    if (trace.kind !== 'Sell' || trace.reason === 'SoldOutside') continue;
    const key = totalKey(trace.mode, currency);
    if (unread.has(key)) continue;
    const before = totals.get(key) ?? { mode: trace.mode, currency, sells: 0, wins: 0, realised: '0' };
    const result = decimal(sumOf(traces, 'realised') ?? '0');
    totals.set(key, {
      ...before,
      sells: before.sells + 1,
      wins: before.wins + (isPositive(result) ? 1 : 0),
      realised: toText(add(decimal(before.realised), result)),
    });
  }
  // Live before paper.
  return [...totals.values()].sort((a, b) => (a.mode === b.mode ? (a.currency < b.currency ? -1 : 1) : a.mode === 'live' ? -1 : 1));
}
