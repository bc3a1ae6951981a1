import { exitReason } from '@pilotfish/core/auto-trades/exit-reason-contract';
import type { TradeMode } from '@pilotfish/core/http/wire';
import type { Logger } from 'pino';
import { accountTurns } from '../../database/account-turns.ts';
import type { Queries } from '../../database/database.ts';
import { storedRows } from '../../database/stored-rows.ts';
import { botsWithTraces } from '../bots-with-traces.ts';
import type { FiguresStore } from './figures-store.ts';
import {
  count,
  countUnread,
  type EndedOnPaper,
  endedOf,
  fillBody,
  forgetEnded,
  newStory,
  type PaperStory,
  type Sale,
  salesOf,
  wasOnPaper,
} from './paper-story.ts';

/** Accounts whose exits are held in memory. */
const KEPT = 50;
/** Rows of one question, so that others have their turn in between. */
const PAGE = 2000;

/** Of no bot: what may still change has to be asked for again. */
const MOVED = 'moved';

/** Money in `currency`, which is that of the bot's wallet. */
type OfBot = { readonly autoTradeId: string; readonly currency: string };
export type PaperExit = Sale & OfBot;
/** A sale that cannot be read. */
export type UnreadSale = Pick<PaperExit, 'at' | 'autoTradeId' | 'symbol' | 'currency'>;
/** The bots of the account, those without an exit and deleted ones too. */
type Bots = ReadonlyMap<string, { readonly name: string; readonly walletId: string; readonly walletName: string }>;
export type PaperExits = {
  readonly bots: Bots;
  /** Oldest first, as `unread` is. */
  readonly exits: readonly PaperExit[];
  readonly unread: readonly UnreadSale[];
};
export type PaperPositions = { readonly bots: Bots; readonly positions: readonly (EndedOnPaper & OfBot)[] };
type BotWithTraces = Awaited<ReturnType<typeof botsWithTraces>>[number];

/**
 * Every exit of an account's bots on paper, and every position of theirs that is over. Traces are never changed, so only
 * those that are new are read.
 */
export function paperExits(
  queries: Queries,
  figures: Pick<FiguresStore, 'endedCounts' | 'endedOneByOne' | 'unsettled'>,
  log: Pick<Logger, 'error'>,
) {
  const readable = storedRows(log);
  const kept = new Map<string, Map<string, PaperStory>>();
  const inTurn = accountTurns();

  async function readFills(autoTradeId: string, until: number, own: PaperStory, wallet: TradeMode): Promise<void> {
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
      const found = await readable('auto_trade_traces', rows, (row) => {
        const body = fillBody.parse(JSON.parse(row.body));
        exitReason.parse(row.kind === 'Sell' ? body.reason : 'TakeProfit');
        return [row.id, body] as const;
      });
      const fills = new Map(found);
      for (const row of rows) {
        const fill = fills.get(row.id);
        if (fill) count(own, row, fill);
        else countUnread(own, row, wallet);
      }
      own.seq = rows.length < PAGE ? until : Number(rows.at(-1)!.seq);
    }
  }

  /** Reads what is known of positions that ended since, and of all of them where one may be another now. */
  async function readEnded(autoTradeId: string, own: PaperStory, rows: number, unsettled: string): Promise<boolean> {
    if (own.ended.size === rows && own.unsettled === unsettled) return false;
    const isChanged = own.unsettled !== unsettled || own.ended.size > rows;
    if (isChanged) forgetEnded(own);
    await readEndedOn(autoTradeId, own);
    // One that closed, by the time of the exchange, before what was read already.
    if (own.ended.size < rows && !isChanged) {
      forgetEnded(own);
      await readEndedOn(autoTradeId, own);
    }
    // What ended while it was read may wait for the value of a fee that `unsettled` does not name yet: all is read once more.
    own.unsettled = own.ended.size === rows ? unsettled : MOVED;
    return true;
  }

  async function readEndedOn(autoTradeId: string, own: PaperStory): Promise<void> {
    for (;;) {
      const found = await figures.endedOneByOne(autoTradeId, own.cursor);
      if (found.length === 0) return;
      for (const one of found) own.ended.set(one.id, one);
      own.cursor = found.at(-1);
    }
  }

  /** The bots of an account, with their fills up to now. */
  async function readBots(accountId: string): Promise<{ rows: readonly BotWithTraces[]; own: ReadonlyMap<string, PaperStory> }> {
    const rows = await botsWithTraces(queries, accountId);
    const before = kept.get(accountId);
    kept.delete(accountId);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
    const own = new Map(rows.map(({ id }) => [id, before?.get(id) ?? newStory()]));
    kept.set(accountId, own);
    for (const { id, last, mode } of rows) if (last !== null) await readFills(id, Number(last), own.get(id)!, mode);
    return { rows, own };
  }

  async function read(accountId: string) {
    const { rows, own } = await readBots(accountId);
    const ids = rows.flatMap(({ id, mode }) => (wasOnPaper(own.get(id)!, mode) ? [id] : []));
    if (ids.length === 0) return { rows, own };
    const [counts, unsettled] = [await figures.endedCounts(ids), await figures.unsettled(ids)];
    let isNew = false;
    for (const id of ids) if (await readEnded(id, own.get(id)!, counts.get(id) ?? 0, unsettled.get(id) ?? '')) isNew = true;
    // What ended meanwhile was sold meanwhile: without its last fills it would look like another position.
    return isNew ? readBots(accountId) : { rows, own };
  }

  const botsOf = (rows: readonly BotWithTraces[]): Bots =>
    new Map(rows.map(({ id, name, wallet_id: walletId, wallet_name: walletName }) => [id, { name, walletId, walletName }]));
  const byTime = (one: { readonly at: number }, other: { readonly at: number }): number => one.at - other.at;
  /** What each bot has, with whose it is. */
  function ofEach<Item>(
    { rows, own }: Awaited<ReturnType<typeof read>>,
    of: (story: PaperStory, wallet: TradeMode) => readonly Item[],
  ): (Item & OfBot)[] {
    return rows.flatMap(({ id, currency, mode }) => of(own.get(id)!, mode).map((item) => ({ ...item, autoTradeId: id, currency })));
  }

  /** Those who ask at the same time wait for one reading. */
  return {
    of: (accountId: string): Promise<PaperExits> =>
      inTurn(accountId, async () => {
        const found = await read(accountId);
        const unread = ofEach(found, (story) => story.unread).sort(byTime);
        return { bots: botsOf(found.rows), exits: ofEach(found, salesOf).sort(byTime), unread };
      }),
    /** The positions that are over, of each bot in the order of their end. */
    ended: (accountId: string): Promise<PaperPositions> =>
      inTurn(accountId, async () => {
        const found = await read(accountId);
        return { bots: botsOf(found.rows), positions: ofEach(found, endedOf) };
      }),
  };
}
export type PaperExitsReader = ReturnType<typeof paperExits>;
