import { zoneIn } from './import-cells.ts';

/** Header words in other languages of the exchange's own screens, seen in real files. */
const ALIASES: Readonly<Record<string, string>> = {
  tiempo: 'time',
  par: 'pair',
  lado: 'side',
  precio: 'price',
  ejecutado: 'executed',
  cantidad: 'amount',
  tarifa: 'fee',
  iddeusuario: 'userid',
  cuenta: 'account',
  operación: 'operation',
  moneda: 'coin',
  cambio: 'change',
  observación: 'remark',
  // English headers that changed over the years.
  market: 'pair',
  feecoin: 'feeasset',
  utctime: 'time',
  date: 'time',
  autoinvestdate: 'time',
  avgtradingprice: 'averageprice',
  filled: 'executed',
  executedquantity: 'executed',
  tradingtotal: 'total',
  ordernumber: 'orderno',
};

/** A header cell without what differs between years: BOM, quotes, footnote marks, zones, spaces, case. */
export function headerWord(cell: string): string {
  const word = cell
    .replace(/^\uFEFF/, '')
    .replace(/\((?:UTC)[^)]*\)/gi, '')
    .replace(/[¹²³⁴⁵⁶⁷⁸⁹⁰*"']/g, '')
    .toLowerCase()
    .replace(/[\s._-]+/g, '');
  return ALIASES[word] ?? word;
}

export type Header = {
  /** Positions of each word: `Time` stands twice in newer order histories. */
  readonly columns: ReadonlyMap<string, readonly number[]>;
  /** The cells as the file has them, for messages. */
  readonly names: readonly string[];
  /** Minutes east of UTC that the header itself names. */
  readonly zone: number | undefined;
};

export function readHeader(cells: readonly string[]): Header {
  const columns = new Map<string, number[]>();
  let zone: number | undefined;
  cells.forEach((cell, index) => {
    const word = headerWord(cell);
    if (word === '') return;
    columns.set(word, [...(columns.get(word) ?? []), index]);
    zone ??= zoneIn(cell.replace(/^\uFEFF/, ''));
  });
  return { columns, names: cells.map((cell) => cell.replace(/^\uFEFF/, '').trim()), zone };
}
