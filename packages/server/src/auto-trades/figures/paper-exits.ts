import { type ExitReason, exitReason } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { decimalText, isoTime, type TradeMode, tradeMode } from '@pilotfish/core/http/wire';
import { add, type Decimal, decimal, divide, isPositive, multiply, subtract, ZERO } from '@pilotfish/core/money/decimal';
import type { Logger } from 'pino';
import * as z from 'zod';
import { accountTurns } from '../../database/account-turns.ts';
import type { Queries } from '../../database/database.ts';
import { storedRows } from '../../database/stored-rows.ts';
import { botsWithTraces } from '../bots-with-traces.ts';
import { isNoJson } from './exit-tallies.ts';
import type { Cursor, FiguresStore } from './figures-store.ts';

/** Accounts whose exits are held in memory. */
const KEPT = 50;
/** Rows of one question, so that others have their turn in between. */
const PAGE = 2000;

/** What an order of a bot on paper sold; its fills are one. Money in `currency`, which is that of its wallet. */
export type PaperExit = {
  /** Of the last fill, epoch ms. */
  readonly at: number;
  readonly autoTradeId: string;
  readonly symbol: string;
  readonly currency: string;
  readonly reason: ExitReason;
  /** After all fees, those that got their value after the position ended among them. */
  readonly net: Decimal;
  /** Of the sale, and its share of those of the buys. */
  readonly fees: Decimal;
  /** When its position bought first; null where that cannot be read. */
  readonly boughtAt: number | null;
};
/** A sale that cannot be read. */
export type UnreadSale = Pick<PaperExit, 'at' | 'autoTradeId' | 'symbol' | 'currency'>;
export type PaperExits = {
  /** The bots of the account, those without an exit and deleted ones too. */
  readonly bots: ReadonlyMap<string, { readonly name: string; readonly walletId: string; readonly walletName: string }>;
  /** Oldest first, as `unread` is. */
  readonly exits: readonly PaperExit[];
  readonly unread: readonly UnreadSale[];
};

type Sale = { at: number; readonly symbol: string; reason: ExitReason; net: Decimal; fees: Decimal; readonly boughtAt: number | null };
type Position = { buyFees: Decimal; boughtAt: number | null; last: Sale | undefined; fees: Decimal; isWhole: boolean };
type Bot = {
  /** The number of the newest trace that was read. */
  seq: number;
  readonly positions: Map<string, Position>;
  /** By position and order. */
  readonly sales: Map<string, Sale>;
  readonly unread: { readonly at: number; readonly symbol: string }[];
  /** What is known of positions that are over; read again when `unsettled`, what of them may still change, is another. */
  ended: Map<string, { readonly fees: Decimal; readonly lateFees: Decimal }>;
  endedRows: number;
  cursor: Cursor | undefined;
  unsettled: string;
};
const newBot = (): Bot => ({
  seq: -1,
  positions: new Map(),
  sales: new Map(),
  unread: [],
  ended: new Map(),
  endedRows: 0,
  cursor: undefined,
  unsettled: '',
});

const fillBody = z.object({
  at: isoTime,
  reason: z.string(),
  mode: tradeMode,
  clientOrderId: z.string().optional(),
  before: z.object({ position: decimalText }),
  after: z.object({ position: decimalText, feeInQuote: decimalText, realised: decimalText.optional() }),
});
type Fill = z.infer<typeof fillBody> & { readonly id: string; readonly kind: string; readonly positionId: string; readonly symbol: string };

/** Every exit of an account's bots on paper. Traces are never changed, so only those that are new are read. */
export function paperExits(
  queries: Queries,
  figures: Pick<FiguresStore, 'endedCounts' | 'endedAfter' | 'unsettled'>,
  log: Pick<Logger, 'error'>,
) {
  const readable = storedRows(log);
  const kept = new Map<string, Map<string, Bot>>();
  const inTurn = accountTurns();

  async function readFills(autoTradeId: string, until: number, own: Bot, mode: TradeMode): Promise<void> {
    while (own.seq < until) {
      const rows = await queries
        .selectFrom('auto_trade_traces')
        .select(['id', 'seq', 'position_id', 'kind', 'symbol', 'at', 'body'])
        .where('auto_trade_id', '=', autoTradeId)
        .where('seq', '>', own.seq)
        // What is written meanwhile is read by the next question: read by both it would be counted twice.
        .where('seq', '<=', until)
        .where('kind', 'in', ['Buy', 'Sell'])
        .orderBy('seq')
        .limit(PAGE)
        .execute();
      const found = await readable('auto_trade_traces', rows, (row): Fill => {
        const body = fillBody.parse(JSON.parse(row.body));
        exitReason.parse(row.kind === 'Sell' ? body.reason : 'TakeProfit');
        return { ...body, id: row.id, kind: row.kind, positionId: row.position_id, symbol: row.symbol };
      });
      const fills = new Map(found.map((fill) => [fill.id, fill]));
      for (const row of rows) {
        const fill = fills.get(row.id);
        if (fill) count(own, fill);
        else {
          positionOf(own, row.position_id).isWhole = false;
          // Which mode it was of is in what cannot be read: that of the bot's wallet then.
          if (row.kind === 'Sell' && mode === 'paper') own.unread.push({ at: Number(row.at), symbol: row.symbol });
        }
      }
      own.seq = rows.length < PAGE ? until : Number(rows.at(-1)!.seq);
    }
  }

  /** Reads what is known of positions that ended since, and of all of them where one may be another now. */
  async function readEnded(autoTradeId: string, own: Bot, rows: number, unsettled: string): Promise<void> {
    if (own.endedRows === rows && own.unsettled === unsettled) return;
    const isChanged = own.unsettled !== unsettled || own.endedRows > rows;
    if (isChanged) forgetEnded(own);
    await readEndedOn(autoTradeId, own);
    // One that closed, by the time of the exchange, before what was read already.
    if (own.endedRows < rows && !isChanged) {
      forgetEnded(own);
      await readEndedOn(autoTradeId, own);
    }
    own.unsettled = unsettled;
  }

  async function readEndedOn(autoTradeId: string, own: Bot): Promise<void> {
    for (;;) {
      const found = await figures.endedAfter(autoTradeId, own.cursor);
      if (found.length === 0) return;
      own.endedRows += found.length;
      for (const { id, state, closedAt, fees, lateFees } of found) {
        own.cursor = { closedAt, id };
        // What its owner took over was not sold: its fees stay with it.
        if (state === 'closed') own.ended.set(id, { fees: decimal(fees), lateFees: decimal(lateFees) });
      }
    }
  }

  async function read(accountId: string): Promise<PaperExits> {
    const rows = await botsWithTraces(queries, accountId);
    const before = kept.get(accountId);
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    const own = new Map(rows.map(({ id }) => [id, before?.get(id) ?? newBot()]));
    kept.set(accountId, own);
    for (const { id, last, mode } of rows) if (last !== null) await readFills(id, Number(last), own.get(id)!, mode);
    const ids = rows.flatMap(({ id }) => ((own.get(id)?.sales.size ?? 0) > 0 ? [id] : []));
    if (ids.length > 0) {
      const [counts, unsettled] = [await figures.endedCounts(ids), await figures.unsettled(ids)];
      for (const id of ids)
        await readEnded(id, own.get(id)!, counts.get(id) ?? 0, unsettled.get(id) ?? '').catch((error: unknown) => {
          // A context that is no JSON: its late fees are not known, what its bot sold is.
          if (!isNoJson(error)) throw error;
        });
    }
    const byTime = (one: { readonly at: number }, other: { readonly at: number }): number => one.at - other.at;
    return {
      bots: new Map(rows.map(({ id, name, wallet_id: walletId, wallet_name: walletName }) => [id, { name, walletId, walletName }])),
      exits: rows.flatMap(({ id, currency }) => exitsOf(own.get(id)!).map((sale) => ({ ...sale, autoTradeId: id, currency }))).sort(byTime),
      unread: rows.flatMap(({ id, currency }) => own.get(id)!.unread.map((each) => ({ ...each, autoTradeId: id, currency }))).sort(byTime),
    };
  }

  /** Those who ask at the same time wait for one reading. */
  return { of: (accountId: string): Promise<PaperExits> => inTurn(accountId, () => read(accountId)) };
}

function forgetEnded(own: Bot): void {
  [own.ended, own.endedRows, own.cursor] = [new Map(), 0, undefined];
}

function positionOf({ positions }: Bot, id: string): Position {
  const known = positions.get(id);
  if (known) return known;
  const fresh = { buyFees: ZERO, boughtAt: null, last: undefined, fees: ZERO, isWhole: true };
  positions.set(id, fresh);
  return fresh;
}

function count(own: Bot, { id, kind, at, mode, reason, positionId, symbol, clientOrderId, before, after }: Fill): void {
  if (mode !== 'paper') return;
  const position = positionOf(own, positionId);
  if (kind === 'Buy') {
    position.boughtAt ??= position.isWhole ? Date.parse(at) : null;
    position.buyFees = add(position.buyFees, decimal(after.feeInQuote));
    return;
  }
  const [held, left] = [decimal(before.position), decimal(after.position)];
  const share = isPositive(left) && isPositive(held) ? divide(multiply(position.buyFees, subtract(held, left)), held) : position.buyFees;
  position.buyFees = subtract(position.buyFees, share);
  // Coins that left by themselves were sold by no order: nothing came in for them.
  if (reason === 'SoldOutside') return;
  const fees = add(share, decimal(after.feeInQuote));
  position.fees = add(position.fees, fees);
  const key = `${positionId} ${clientOrderId ?? id}`;
  const sale = own.sales.get(key) ?? { at: 0, symbol, reason: 'TakeProfit', net: ZERO, fees: ZERO, boughtAt: position.boughtAt };
  own.sales.set(key, sale);
  sale.at = Date.parse(at);
  sale.reason = exitReason.parse(reason);
  sale.net = add(sale.net, decimal(after.realised ?? '0'));
  sale.fees = add(sale.fees, fees);
  position.last = sale;
}

/** Sales with what fills do not say: fees that got a value later. It goes with the last sale, as it goes into a bot's figures. */
function exitsOf({ sales, positions, ended }: Bot): Sale[] {
  const changed = new Map<Sale, Sale>();
  for (const [id, { fees, lateFees }] of ended) {
    const position = positions.get(id);
    if (!position?.last) continue;
    const { last } = position;
    const missing = position.isWhole ? subtract(fees, position.fees) : lateFees;
    if (missing.units !== 0n || lateFees.units !== 0n)
      changed.set(last, { ...last, net: subtract(last.net, lateFees), fees: add(last.fees, missing) });
  }
  return [...sales.values()].map((sale) => changed.get(sale) ?? sale);
}
