import { type ExitReason, exitReason } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { decimalText, isoTime, type TradeMode, tradeMode } from '@pilotfish/core/http/wire';
import { add, type Decimal, decimal, divide, isPositive, multiply, subtract, ZERO } from '@pilotfish/core/money/decimal';
import * as z from 'zod';
import type { Cursor, EndedOne } from './ended-positions.ts';

/** What an order of a bot on paper sold; its fills are one. */
export type Sale = {
  /** Of the last fill, epoch ms. */
  readonly at: number;
  readonly symbol: string;
  readonly reason: ExitReason;
  /** After all fees, those that got their value after the position ended among them. */
  readonly net: Decimal;
  /** Of the sale, and its share of those of the buys. */
  readonly fees: Decimal;
  /** When its position bought first; null where that cannot be read. */
  readonly boughtAt: number | null;
};
/** A position of a bot on paper that is over after it bought something. */
export type EndedOnPaper = {
  readonly id: string;
  readonly symbol: string;
  /** 1, 2, 3 … within the pair and the bot, in the order they opened. */
  readonly number: number;
  /** Venue ms. */
  readonly openedAt: number;
  readonly closedAt: number;
  /** After all fees, those that got their value later among them. */
  readonly realised: Decimal;
  readonly fees: Decimal;
  /** Cost of everything that was sold. */
  readonly matchedCost: Decimal;
  /** Left behind, in its coin. */
  readonly dust: Decimal;
  /** Fills in it. */
  readonly trades: number;
  /** Why the last of it was sold; `gone`: it left without a sale, or its owner took it over. */
  readonly exit: ExitReason | 'gone';
};

type OwnSale = { -readonly [Field in keyof Sale]: Sale[Field] };
type Position = {
  /** By its fills; undefined while none of them could be read. */
  mode: TradeMode | undefined;
  trades: number;
  matchedCost: Decimal;
  buyFees: Decimal;
  boughtAt: number | null;
  last: OwnSale | undefined;
  fees: Decimal;
  /** False once a fill of it cannot be read. */
  isWhole: boolean;
};
/** What is known of a bot's fills on paper, and of its positions that are over. */
export type PaperStory = {
  /** The number of the newest trace that was read. */
  seq: number;
  readonly positions: Map<string, Position>;
  /** By position and order. */
  readonly sales: Map<string, OwnSale>;
  readonly unread: { readonly at: number; readonly symbol: string }[];
  /** What is known of positions that are over; read again when `unsettled`, what of them may still change, is another. */
  ended: Map<string, EndedOne>;
  cursor: Cursor | undefined;
  unsettled: string;
};
export const newStory = (): PaperStory => ({
  seq: -1,
  positions: new Map(),
  sales: new Map(),
  unread: [],
  ended: new Map(),
  cursor: undefined,
  unsettled: '',
});
export function forgetEnded(story: PaperStory): void {
  [story.ended, story.cursor] = [new Map(), undefined];
}

/** The part of a stored fill that says what it came to. */
export const fillBody = z.object({
  at: isoTime,
  reason: z.string(),
  mode: tradeMode,
  clientOrderId: z.string().optional(),
  before: z.object({ position: decimalText }),
  after: z.object({
    position: decimalText,
    feeInQuote: decimalText,
    realised: decimalText.optional(),
    matchedCost: decimalText.optional(),
  }),
});
/** A fill, as far as its row says it beside its body. */
type FillRow = { readonly id: string; readonly kind: string; readonly position_id: string; readonly symbol: string; readonly at: number };

function positionOf({ positions }: PaperStory, id: string): Position {
  const known = positions.get(id);
  if (known) return known;
  const sums = { trades: 0, matchedCost: ZERO, buyFees: ZERO, fees: ZERO };
  const fresh: Position = { ...sums, mode: undefined, boughtAt: null, last: undefined, isWhole: true };
  positions.set(id, fresh);
  return fresh;
}

/** A fill that cannot be read. @param wallet of what mode the bot's wallet is: the fill does not say it */
export function countUnread(story: PaperStory, { kind, position_id, symbol, at }: FillRow, wallet: TradeMode): void {
  const position = positionOf(story, position_id);
  position.isWhole = false;
  position.trades += 1;
  if (kind === 'Sell' && wallet === 'paper') story.unread.push({ at: Number(at), symbol });
}

/** The next fill of a bot; those of live money are the ledger's. */
export function count(
  story: PaperStory,
  { id, kind, position_id: positionId, symbol }: FillRow,
  { at, mode, reason, clientOrderId, before, after }: z.infer<typeof fillBody>,
): void {
  const position = positionOf(story, positionId);
  position.mode ??= mode;
  if (mode !== 'paper') return;
  if (kind === 'Buy') {
    position.trades += 1;
    position.boughtAt ??= position.isWhole ? Date.parse(at) : null;
    position.buyFees = add(position.buyFees, decimal(after.feeInQuote));
    return;
  }
  const [held, left] = [decimal(before.position), decimal(after.position)];
  const share = isPositive(left) && isPositive(held) ? divide(multiply(position.buyFees, subtract(held, left)), held) : position.buyFees;
  position.buyFees = subtract(position.buyFees, share);
  // Coins that left by themselves were sold by no order: nothing came in for them.
  if (reason === 'SoldOutside') return;
  position.trades += 1;
  position.matchedCost = add(position.matchedCost, decimal(after.matchedCost ?? '0'));
  const fees = add(share, decimal(after.feeInQuote));
  position.fees = add(position.fees, fees);
  const key = `${positionId} ${clientOrderId ?? id}`;
  const sale = story.sales.get(key) ?? { at: 0, symbol, reason: 'TakeProfit', net: ZERO, fees: ZERO, boughtAt: position.boughtAt };
  story.sales.set(key, sale);
  sale.at = Date.parse(at);
  sale.reason = exitReason.parse(reason);
  sale.net = add(sale.net, decimal(after.realised ?? '0'));
  sale.fees = add(sale.fees, fees);
  position.last = sale;
}

/** Sales with what fills do not say: fees that got a value later. It goes with the last sale, as it goes into a bot's figures. */
export function salesOf({ sales, positions, ended }: PaperStory): Sale[] {
  const changed = new Map<Sale, Sale>();
  for (const { id, state, position: stored } of ended.values()) {
    const position = positions.get(id);
    // What its owner took over was not sold: its fees stay with it.
    if (!position?.last || !stored || state !== 'closed') continue;
    const { last } = position;
    const { fees, lateFees } = stored;
    const missing = position.isWhole ? subtract(fees, position.fees) : lateFees;
    if (missing.units !== 0n || lateFees.units !== 0n)
      changed.set(last, { ...last, net: subtract(last.net, lateFees), fees: add(last.fees, missing) });
  }
  return [...sales.values()].map((sale) => changed.get(sale) ?? sale);
}

const isOnPaper = ({ mode }: Position, wallet: TradeMode): boolean => (mode ?? wallet) === 'paper';

/** Whether the bot traded on paper, whatever its wallet is now. */
export function wasOnPaper({ positions }: PaperStory, wallet: TradeMode): boolean {
  for (const position of positions.values()) if (isOnPaper(position, wallet)) return true;
  return false;
}

/**
 * The positions that are over, in the order of their end, but for those that bought nothing and those that cannot be read.
 * One that its owner took over is among them: it is over for its bot, and what was sold of it before counts in every sum.
 */
export function endedOf({ positions, ended }: PaperStory, wallet: TradeMode): EndedOnPaper[] {
  const numbers = new Map<string, number>();
  const found: EndedOnPaper[] = [];
  for (const { id, symbol, state, openedAt, closedAt, position: stored } of ended.values()) {
    const position = positions.get(id);
    if (openedAt === null || !position || !isOnPaper(position, wallet)) continue;
    const number = (numbers.get(symbol) ?? 0) + 1;
    numbers.set(symbol, number);
    if (!stored) continue;
    const isTakenOver = state !== 'closed';
    found.push({
      id,
      symbol,
      number,
      openedAt,
      closedAt,
      realised: subtract(stored.realised, stored.lateFees),
      fees: stored.fees,
      matchedCost: stored.spent ? subtract(stored.spent, stored.cost) : position.matchedCost,
      dust: isTakenOver ? ZERO : stored.left,
      trades: position.trades,
      exit: isTakenOver || stored.exitReason === 'SoldOutside' ? 'gone' : soldBy(position, stored.exitReason),
    });
  }
  return found;
}

/** By its last sale; by why it ended, where that sale cannot be read or there is none. */
const soldBy = ({ isWhole, last }: Position, ended: string | null): EndedOnPaper['exit'] =>
  (isWhole && last?.reason) || (exitReason.safeParse(ended).data ?? 'gone');
