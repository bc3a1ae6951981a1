import { absolute, add, compare, decimal, divide, isPositive, multiply, subtract, toText } from '../money/decimal.ts';
import { isUnsureAmount, UNSURE } from './file-signs.ts';
import { type Amount, readAmount, readTime } from './import-cells.ts';
import type { ImportDraft, RowProblem, TradeDraft } from './import-draft.ts';
import type { Header } from './import-header.ts';
import { type KnownPairs, type PairHints, splitPair } from './known-pairs.ts';
import type { GivenMeanings } from './statement-operations.ts';
import type { RowCode } from './trade-import-contract.ts';

/** What a reader of rows is told of the file and the exchange. */
export type ReadContext = {
  readonly header: Header;
  readonly pairs: KnownPairs;
  /** Minutes east of UTC of the file's times. */
  readonly zone: number;
  /** Dates that are plain numbers count days from 1904. */
  readonly is1904?: boolean;
  readonly fileName: string;
  /** What operations of statements mean that are not known, where a person has said so. */
  readonly meanings?: GivenMeanings;
  /** Called for each row whose operation is not known, whether it was said what it means or not. */
  readonly onUnknownOperation?: (operation: string, asset: string) => void;
  readonly emit: (parsed: ImportDraft | RowProblem) => void;
};
/** Takes the rows of one file in their order; some need the end to know what the last ones meant. */
export type RowReader = { push(cells: readonly string[], row: number): void; end(): void };

/** Thrown inside a reader and turned into the row's own result. */
export class RowError extends Error {
  readonly code: RowCode | undefined;
  readonly column: string | undefined;
  readonly value: string | undefined;
  readonly result: RowProblem['result'];
  constructor(code: RowCode | undefined, column?: string, value?: string, result: RowProblem['result'] = 'error') {
    super(code ?? result);
    this.code = code;
    this.column = column;
    this.value = value;
    this.result = result;
  }
}

/** Runs the reading of one row; a `RowError` becomes the row's problem, anything else is a defect and goes on up. */
export function readRow(context: Pick<ReadContext, 'emit'>, row: number, work: () => ImportDraft | undefined): void {
  try {
    const draft = work();
    if (draft !== undefined) context.emit(draft);
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    const { column, value, result } = error;
    // No sign of the file says which of two numbers it is: adding a digit would.
    const code = error.code === 'BAD_NUMBER' && value !== undefined && isUnsureAmount(value) ? 'AMBIGUOUS_NUMBER' : error.code;
    context.emit({
      row,
      result,
      ...(code === undefined ? {} : { code }),
      ...(column === undefined ? {} : { column }),
      ...(value === undefined ? {} : { value: (code === 'AMBIGUOUS_NUMBER' ? value.slice(0, -UNSURE.length) : value).slice(0, 80) }),
    });
  }
}

/** The cells of one row by the words of the header. */
export class Cells {
  private readonly cells: readonly string[];
  private readonly context: ReadContext;
  constructor(cells: readonly string[], context: ReadContext) {
    this.cells = cells;
    this.context = context;
  }

  has(word: string): boolean {
    return this.context.header.columns.has(word);
  }

  /** The cell under a word; `nth` where a word stands more than once. Empty when the column or the cell is missing. */
  text(word: string, nth = 0): string {
    const at = this.context.header.columns.get(word)?.[nth];
    return at === undefined ? '' : (this.cells[at] ?? '').trim();
  }

  name(word: string, nth = 0): string {
    const at = this.context.header.columns.get(word)?.[nth];
    return at === undefined ? word : (this.context.header.names[at] ?? word);
  }

  time(word: string, nth = 0): number {
    const text = this.text(word, nth);
    const at = readTime(text, this.context.zone, this.context.is1904);
    if (typeof at === 'string') throw new RowError(at, this.name(word, nth), text);
    return at;
  }

  amount(word: string, candidates: readonly string[] = []): Amount {
    const text = this.text(word);
    const amount = readAmount(text, candidates);
    if (amount === undefined) throw new RowError('BAD_NUMBER', this.name(word), text);
    return amount;
  }

  /** @param assets it can be of, where it names one: `1BTC` is no price in USDT */
  positive(word: string, assets: readonly string[] = []): string {
    const value = this.of(word, assets);
    if (!isPositive(decimal(value))) throw new RowError('BAD_NUMBER', this.name(word), this.text(word));
    return value;
  }

  /** An amount of one of these assets, which it need not name. */
  of(word: string, assets: readonly string[]): string {
    const { value, asset } = this.amount(word, assets);
    if (asset !== undefined && assets.length > 0 && !assets.includes(asset.toUpperCase()))
      throw new RowError('BAD_NUMBER', this.name(word), this.text(word));
    return value;
  }

  pair(hints?: PairHints) {
    const text = this.text('pair');
    const split = splitPair(text, this.context.pairs, hints);
    if (split === undefined) throw new RowError('BAD_PAIR', this.name('pair'), text);
    return split;
  }

  side(word: string): 'Buy' | 'Sell' {
    return readSide(this.text(word), this.name(word));
  }
}

export function readSide(text: string, column: string): 'Buy' | 'Sell' {
  const word = text.trim().toUpperCase();
  if (word === 'BUY') return 'Buy';
  if (word === 'SELL') return 'Sell';
  throw new RowError('BAD_SIDE', column, text);
}

/** One or more dashes: what exports write where there is nothing. */
export const isDash = (text: string): boolean => /^[-\u2010-\u2015\u2212]+$/.test(text.trim());

/**
 * A fee cell: a number with its asset, or a dash, which says that there was none. An empty cell, `N/A`, and a number that
 * does not say of what leave the fee unknown: the row is read, and its result is marked as incomplete.
 */
export function readFee(
  text: string,
  candidates: readonly string[],
  column: string,
  quoteAsset: string,
): Pick<TradeDraft, 'fee' | 'feeAsset' | 'feeUnknown'> {
  if (isDash(text)) return { fee: '0', feeAsset: quoteAsset };
  if (/^(n\/?a)?$/i.test(text.trim())) return { fee: '0', feeAsset: quoteAsset, feeUnknown: true };
  const amount = readAmount(text, candidates);
  if (amount === undefined || amount.value.startsWith('-')) throw new RowError('BAD_NUMBER', column, text);
  if (amount.asset !== undefined) return { fee: amount.value, feeAsset: amount.asset };
  return amount.value === '0' ? { fee: '0', feeAsset: quoteAsset } : { fee: '0', feeAsset: quoteAsset, feeUnknown: true };
}

/** A total may differ from price × quantity by 2 %; beyond that the columns are swapped or misread. */
const TOLERANCE = decimal('0.02');
const TOO_SMALL = decimal('0.1');
/** Of a total so small that two digits are less than 2 % of it. */
const ROUNDED_TO = decimal('0.01');
/** Last of the eight digits that prices and fees are written with: it is much of a price of few satoshis, and all of a fee. */
const SMALLEST = decimal('0.00000001');

/** Refuses a row whose price, quantity and total cannot belong together: swapped columns would become wrong money. */
export function checkTotal(price: string, quantity: string, total: string, column: string): void {
  const product = multiply(decimal(price), decimal(quantity));
  const given = decimal(total);
  const rounded = multiply(decimal(quantity), SMALLEST);
  const allowed = add(rounded, compare(product, TOO_SMALL) < 0 ? ROUNDED_TO : multiply(product, TOLERANCE));
  if (compare(absolute(subtract(product, given)), allowed) > 0) throw new RowError('BAD_NUMBER', column, total);
}

type Moved = { readonly asset: string; readonly quantity: string };
/** Refuses a row whose fee would take all of what was traded: columns that moved, or a sign read wrongly. */
export function checkFee({ fee, feeAsset }: Pick<TradeDraft, 'fee' | 'feeAsset'>, moved: readonly Moved[], column: string): void {
  const same = moved.find(({ asset }) => asset === feeAsset);
  if (compare(decimal(fee), SMALLEST) <= 0) return;
  if (same && compare(decimal(fee), decimal(same.quantity)) >= 0) throw new RowError('BAD_NUMBER', column, `${fee} ${feeAsset}`);
}

/** total / quantity, as a price with at most 12 digits after the point. */
export const priceOf = (total: string, quantity: string): string => toText(divide(decimal(total), decimal(quantity), 12));
