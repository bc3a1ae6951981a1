import { absolute, compare, decimal, isPositive, multiply, subtract } from '../money/decimal.ts';

/** Rows held back until a later one decides, at most. */
const HELD_ROWS = 20_000;

const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(.*)$/;
/** An amount, with or without an asset after it. */
const AMOUNT = /^(-?)(\d[\d.,]*)(\s*\p{L}[\p{L}\p{M}\p{Nd}]*)?$/u;
/** `1,250` and `1.250`: thousands or not. */
const LONE_COMMA = /^[1-9]\d{0,2},\d{3}$/;
const LONE_POINT = /^[1-9]\d{0,2}\.\d{3}$/;
const COMMA_IS_POINT = /^(\d+|\d{1,3}(\.\d{3})+),(\d{1,2}|\d{4,})$|^0,\d+$|^\d{1,3}(\.\d{3})+,\d+$/;
const COMMA_IS_GROUP = /^\d{1,3}(,\d{3})+\.\d+$|^\d{1,3}(,\d{3}){2,}$/;
const POINT_IS_POINT = /^\d+\.(\d{1,2}|\d{4,})$|^0\.\d+$|^\d{1,3}(,\d{3})+\.\d+$/;
const POINT_IS_GROUP = /^\d{1,3}(\.\d{3})+,\d+$|^\d{1,3}(\.\d{3}){2,}$/;
const GROUPED_BY_POINTS = /^\d{1,3}(\.\d{3})+$/;

/** A rounded total may differ from price × quantity by 0.5 %. */
const ROUNDING = decimal('0.005');

/** Behind a date or an amount that stays ambiguous: with it it is neither, so the row is refused and shows it. */
export const UNSURE = '?';
/** An amount that two numbers can be meant by, as it is handed on. */
export const isUnsureAmount = (text: string): boolean => text.endsWith(UNSURE) && AMOUNT.test(text.slice(0, -UNSURE.length));

/** Where price, quantity and total of a row stand: price × quantity = total can hold for one meaning of the signs only. */
export type ProductColumns = readonly [price: number, quantity: number, total: number];

/** A sign that was seen to mean one thing, another, or (`both`) now this and now that. */
type Seen<Meaning extends string> = Meaning | 'both' | undefined;
const noted = <Meaning extends string>(seen: Seen<Meaning>, meaning: Meaning): Seen<Meaning> =>
  seen === undefined || seen === meaning ? meaning : 'both';

/**
 * Reads the signs of a file from all of it: whether 9/5/2020 is in May, and what the comma in `1,250` does. A spreadsheet
 * that saved an export again wrote both in the way of its country, and no row alone can tell. Ambiguous rows wait
 * for one that is not, and then all are handed on in the way the exchange writes them. What stays ambiguous stays unreadable:
 * `1.250` alone is as little a number as `1,250`.
 * @param isCommaSeparated commas part its cells: one inside a number can only part thousands
 * @param product of its rows, where they have one
 */
export class FileSigns {
  private readonly isCommaSeparated: boolean;
  private readonly product: ProductColumns | undefined;
  private readonly push: (cells: readonly string[], line: number) => void;
  private first: Seen<'day' | 'month'>;
  private comma: Seen<'point' | 'group'>;
  private point: Seen<'point' | 'group'>;
  private held: { readonly cells: readonly string[]; readonly line: number }[] = [];

  constructor(isCommaSeparated: boolean, push: (cells: readonly string[], line: number) => void, product?: ProductColumns) {
    this.isCommaSeparated = isCommaSeparated;
    this.product = product;
    this.push = push;
  }

  take(cells: readonly string[], line: number): void {
    let isAmbiguous = false;
    for (const cell of cells) isAmbiguous = this.look(cell) || isAmbiguous;
    if (isAmbiguous) isAmbiguous = this.multiplied(cells);
    if (!isAmbiguous && this.held.length === 0) {
      this.push(this.translated(cells), line);
      return;
    }
    this.held.push({ cells, line });
    if (this.held.length >= HELD_ROWS || !this.held.some((row) => row.cells.some((cell) => this.isAmbiguous(cell)))) this.release();
  }

  /** After the last row. */
  end(): void {
    this.release();
  }

  private release(): void {
    const { held } = this;
    this.held = [];
    for (const { cells, line } of held) this.push(this.translated(cells), line);
  }

  /** An amount without its asset, where its signs can mean something. */
  private numberOf(text: string): string | undefined {
    if (this.isCommaSeparated || !(text.includes(',') || text.includes('.'))) return undefined;
    return AMOUNT.exec(text)?.[2];
  }

  /** Notes what a cell says of the signs; true for one that says nothing and needs it. */
  private look(cell: string): boolean {
    const text = cell.trim();
    const date = text.includes('/') ? SLASHES.exec(text) : null;
    if (date) {
      if (Number(date[1]) > 12) this.first = noted(this.first, 'day');
      else if (Number(date[2]) > 12) this.first = noted(this.first, 'month');
    }
    const number = date ? undefined : this.numberOf(text);
    if (number !== undefined) {
      if (COMMA_IS_POINT.test(number)) this.comma = noted(this.comma, 'point');
      if (COMMA_IS_GROUP.test(number)) this.comma = noted(this.comma, 'group');
      if (POINT_IS_POINT.test(number)) this.point = noted(this.point, 'point');
      if (POINT_IS_GROUP.test(number)) this.point = noted(this.point, 'group');
    }
    return this.isAmbiguous(text);
  }

  /** Notes what the product of a row says of the signs; true where it stays ambiguous. */
  private multiplied(cells: readonly string[]): boolean {
    const amounts = this.product?.map((column) => AMOUNT.exec(cells[column]?.trim() ?? '')?.[2]);
    if (amounts === undefined || this.isCommaSeparated) return true;
    const [byPoint, byComma] = [holds(amounts, BY_POINT), holds(amounts, BY_COMMA)];
    if (byPoint !== byComma) {
      if (amounts.some((amount) => amount?.includes('.'))) this.point = noted(this.point, byPoint ? 'point' : 'group');
      if (amounts.some((amount) => amount?.includes(','))) this.comma = noted(this.comma, byPoint ? 'group' : 'point');
    }
    return cells.some((cell) => this.isAmbiguous(cell));
  }

  private isAmbiguous(cell: string): boolean {
    const text = cell.trim();
    const date = text.includes('/') ? SLASHES.exec(text) : null;
    if (date) return this.first === undefined && Number(date[1]) <= 12 && Number(date[2]) <= 12 && date[1] !== date[2];
    const number = this.numberOf(text) ?? '';
    if (LONE_COMMA.test(number)) return this.comma === undefined;
    return LONE_POINT.test(number) && this.point === undefined && this.comma !== 'group';
  }

  private translated(cells: readonly string[]): readonly string[] {
    if (this.isCommaSeparated && this.first === undefined) return cells;
    return cells.map((cell) => this.dateOf(cell.trim()) ?? this.amountOf(cell.trim()) ?? cell);
  }

  private dateOf(text: string): string | undefined {
    const date = SLASHES.exec(text);
    if (!date || this.first === undefined) return undefined;
    // Rows before this one were read in one way: the file contradicts them, and its dates cannot be trusted.
    if (this.first === 'both') return `${text}${UNSURE}`;
    const [, one, two, year = '', time] = date;
    const [day, month] = this.first === 'day' ? [one, two] : [two, one];
    return `${year.length === 2 ? `20${year}` : year}-${month}-${day}${time}`;
  }

  private amountOf(text: string): string | undefined {
    const amount = this.isCommaSeparated ? null : AMOUNT.exec(text);
    if (!amount) return undefined;
    const [, minus, number = '', asset = ''] = amount;
    const isUnsure = number.includes(',')
      ? this.comma === 'both' || (LONE_COMMA.test(number) && this.comma === undefined)
      : LONE_POINT.test(number) && this.point !== 'group' && this.comma !== 'group' && (this.comma === 'point' || this.point !== 'point');
    if (isUnsure) return `${text}${UNSURE}`;
    if (this.comma === 'point' && number.includes(',')) return `${minus}${number.replaceAll('.', '').replace(',', '.')}${asset}`;
    return this.point === 'group' && GROUPED_BY_POINTS.test(number) ? `${minus}${number.replaceAll('.', '')}${asset}` : undefined;
  }
}

/** What the numbers of a row look like where the point, or the comma, is the decimal sign. */
const BY_POINT = { shape: /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/, group: ',', sign: '.' } as const;
const BY_COMMA = { shape: /^(\d+|\d{1,3}(\.\d{3})+)(,\d+)?$/, group: '.', sign: ',' } as const;

/** Whether price × quantity = total, read in one of both ways. */
function holds(amounts: readonly (string | undefined)[], { shape, group, sign }: typeof BY_POINT | typeof BY_COMMA): boolean {
  const [price, quantity, total] = amounts.map((text) =>
    text !== undefined && shape.test(text) ? decimal(text.replaceAll(group, '').replace(sign, '.')) : undefined,
  );
  if (price === undefined || quantity === undefined || total === undefined) return false;
  const product = multiply(price, quantity);
  return isPositive(product) && compare(absolute(subtract(product, total)), multiply(product, ROUNDING)) <= 0;
}
