import { type ExitReason, exitReason } from '@pilotfish/core/auto-trades/trace';
import { tradeMode } from '@pilotfish/core/http/wire';
import { fillKey } from '@pilotfish/core/positions/position-origin';
import type { Logger } from 'pino';
import * as z from 'zod';
import { accountTurns } from '../database/account-turns.ts';
import type { Queries } from '../database/database.ts';
import { storedRows } from '../database/stored-rows.ts';
import { botsWithTraces } from './bots-with-traces.ts';

/** A fill at the exchange that a bot brought about. */
export type BotFill = {
  readonly autoTradeId: string;
  /** The bot's position, not the ledger's. */
  readonly positionId: string;
  readonly symbol: string;
  /** The exchange's number of the trade, within its pair. */
  readonly tradeId: string;
  readonly side: 'Buy' | 'Sell';
  /** Epoch ms, by the exchange. */
  readonly at: number;
  /** Why it sold; null for a buy. */
  readonly reason: ExitReason | null;
};
export type FillOrigins = {
  /** The bots of the account, deleted ones too, by id. */
  readonly bots: ReadonlyMap<string, { readonly name: string; readonly walletId: string; readonly walletName: string }>;
  /** Their fills with the account's own money, by `fillKey`. */
  readonly fills: ReadonlyMap<string, BotFill>;
  /** Rows that could not be read: their fills look as if made by hand. */
  readonly unread: number;
};

/** Accounts whose fills are held in memory. */
const KEPT = 50;
/** Rows of one question, so that others have their turn in between. */
const PAGE = 2000;

type Kept = { readonly read: Map<string, number>; readonly fills: Map<string, BotFill>; unread: number };
const body = z.object({ tradeId: z.string().optional(), reason: z.string(), mode: tradeMode });

/**
 * Which bot brought about which fill of its account, and why. Traces are never changed, so only those that are new since
 * the last question are read.
 */
export function fillOrigins(queries: Queries, log: Pick<Logger, 'error'>) {
  const readable = storedRows(log);
  const kept = new Map<string, Kept>();
  const inTurn = accountTurns();

  /** Reads what a bot told from one number on, up to another. */
  async function readOn(autoTradeId: string, until: number, own: Kept): Promise<void> {
    for (let from = own.read.get(autoTradeId) ?? -1; from < until; ) {
      const rows = await queries
        .selectFrom('auto_trade_traces')
        .select(['id', 'seq', 'position_id', 'kind', 'symbol', 'at', 'body'])
        .where('auto_trade_id', '=', autoTradeId)
        .where('seq', '>', from)
        .where('seq', '<=', until)
        .where('kind', 'in', ['Buy', 'Sell'])
        .orderBy('seq')
        .limit(PAGE)
        .execute();
      const found = await readable('auto_trade_traces', rows, (row): BotFill | undefined => {
        const { tradeId, reason, mode } = body.parse(JSON.parse(row.body));
        const side = row.kind === 'Sell' ? 'Sell' : 'Buy';
        if (tradeId === undefined || mode !== 'live') return undefined;
        return {
          autoTradeId,
          positionId: row.position_id,
          symbol: row.symbol,
          tradeId,
          side,
          at: Number(row.at),
          reason: side === 'Sell' ? exitReason.parse(reason) : null,
        };
      }).then((fills) => {
        own.unread += rows.length - fills.length;
        return fills.filter((fill) => fill !== undefined);
      });
      for (const fill of found) own.fills.set(fillKey(fill.symbol, fill.tradeId), fill);
      from = rows.length < PAGE ? until : Number(rows.at(-1)!.seq);
      own.read.set(autoTradeId, from);
    }
  }

  async function read(accountId: string): Promise<FillOrigins> {
    const own = kept.get(accountId) ?? { read: new Map<string, number>(), fills: new Map<string, BotFill>(), unread: 0 };
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    kept.set(accountId, own);
    const bots = await botsWithTraces(queries, accountId);
    for (const { id, last } of bots) if (last !== null) await readOn(id, Number(last), own);
    return {
      bots: new Map(bots.map(({ id, name, wallet_id: walletId, wallet_name: walletName }) => [id, { name, walletId, walletName }])),
      fills: own.fills,
      unread: own.unread,
    };
  }

  /** Those who ask for an account at the same time wait for one another: a row is read once. */
  return { of: (accountId: string): Promise<FillOrigins> => inTurn(accountId, () => read(accountId)) };
}
