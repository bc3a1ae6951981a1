import * as z from 'zod';
import { NAME_CHARACTER } from '../money/asset-name.ts';
import { isDecimalText } from '../money/decimal.ts';
import type { Figure, FigureKind } from '../money/figure.ts';

/**
 * Money and quantities on the wire: plain decimal text, never a JSON number. Of callers that send one the server takes
 * what a double keeps, as text (`server/src/http/decimal-numbers.ts`).
 */
export const decimalText = z
  .string()
  .max(60)
  // What follows reckons with it, and must not be asked about a text that is no number.
  .refine(isDecimalText, { params: { code: 'decimal' }, abort: true });
/** A decimal that is not below zero. */
export const amountText = decimalText.refine((text) => !text.startsWith('-') || /^-0*\.?0*$/.test(text), {
  params: { code: 'not_negative' },
});
/** A decimal above zero. */
export const positiveText = amountText.refine((text) => /[1-9]/.test(text), { params: { code: 'positive' } });

/** Decimal text of a kind (`money/figure.ts`), any at all or as narrow as what is given: `price(positiveText)`. */
const figure =
  <Kind extends FigureKind>() =>
  (text: z.ZodType<string> = decimalText) =>
    text as unknown as z.ZodType<Figure<Kind>, Figure<Kind>>;
export const price = figure<'price'>();
export const quantity = figure<'quantity'>();
export const money = figure<'money'>();
export const percent = figure<'percent'>();
export const ratio = figure<'ratio'>();

/** ISO-8601 UTC, e.g. `2026-11-21T02:30:00.000Z`. */
export const isoTime = z.iso.datetime();
/** UUIDv7. */
export const id = z.uuid();
export const idParams = z.object({ id });
/** A pair's name as the exchange writes it: `BTCUSDT`, `币安人生USDT`. */
export const symbol = z.string().regex(new RegExp(`^${NAME_CHARACTER}{2,30}$`, 'u'));
/** A coin's. */
export const asset = z.string().regex(new RegExp(`^${NAME_CHARACTER}{1,20}$`, 'u'));
export const exchangeName = z.enum(['Binance']);
export const interval = z.enum(['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '6h', '8h', '12h', '1d', '3d', '1w', '1M']);
export const sortDirection = z.enum(['asc', 'desc']);
export const orderSide = z.enum(['Buy', 'Sell']);
export const orderType = z.enum(['Limit', 'Market']);
export const tradeMode = z.enum(['paper', 'live']);

/** No body, as an answer of 204. */
export const nothing = z.void();
/** For calls whose whole answer is that they worked. */
export const done = z.object({ success: z.boolean(), message: z.string().optional() });

/** Page numbers start at 1. Query strings are text, so both are coerced. */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(100_000).default(1),
  pageSize: z.coerce.number().int().min(1).max(200).default(25),
});

/** A list in one parameter, `one,other`, each as the schema of an item says; a hundred at most. */
export const listOf = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .string()
    .max(4000)
    .transform((text) => text.split(',').filter((part) => part !== ''))
    .pipe(z.array(item).max(100));

/** First and last day of a range, both included, by the reader's time zone; `DAYS_IN_ORDER` refuses them the wrong way round. */
export const dayRange = { from: z.iso.date().optional(), to: z.iso.date().optional() };
export const daysInOrder = ({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean =>
  from === undefined || to === undefined || from <= to;
export const DAYS_IN_ORDER = { path: ['to'], params: { code: 'day_order' } };

export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), pageSize: z.int(), total: z.int() });

export type Interval = z.infer<typeof interval>;
export type OrderSide = z.infer<typeof orderSide>;
export type TradeMode = z.infer<typeof tradeMode>;
export type Page<Item> = { items: Item[]; page: number; pageSize: number; total: number };
