import type { EntrySource } from '../positions/ledger-entry.ts';
import type { ProductColumns } from './file-signs.ts';
import type { Header } from './import-header.ts';
import { orderHistoryReader } from './order-history.ts';
import { autoInvestReader, cashReader, convertReader, depositsReader, fiatReader, peerReader } from './other-histories.ts';
import type { ReadContext, RowReader } from './row-reader.ts';
import { tradeHistoryReader } from './trade-history.ts';
import type { ImportField } from './trade-import-contract.ts';
import { transactionRecordsReader } from './transaction-records.ts';

/** One layout of export files. A new one is a row here and a reader. */
export type ImportFormat = {
  readonly key: string;
  readonly source: EntrySource;
  /** Words a header must have; `|` says that one of several will do. */
  readonly words: readonly string[];
  readonly reader: (context: ReadContext) => RowReader;
  /** Words of the columns whose first times second is the third: rows can decide the signs of their file by it. */
  readonly product?: readonly [price: string, quantity: string, total: string];
};

export const IMPORT_FORMATS: readonly ImportFormat[] = [
  { key: 'convert', source: 'convert', words: ['time', 'pair', 'sell', 'buy', 'inverseprice'], reader: convertReader },
  {
    key: 'order-history',
    source: 'order-history',
    words: ['time', 'pair', 'type', 'executed', 'total', 'status'],
    reader: orderHistoryReader,
    product: ['averageprice', 'executed', 'total'],
  },
  {
    key: 'trade-history',
    source: 'trade-history',
    words: ['time', 'pair', 'side|type', 'price', 'executed', 'amount', 'fee'],
    reader: tradeHistoryReader,
    product: ['price', 'executed', 'amount'],
  },
  {
    key: 'trade-history',
    source: 'trade-history',
    words: ['time', 'pair', 'side|type', 'price', 'amount', 'total', 'fee', 'feeasset'],
    reader: tradeHistoryReader,
    product: ['price', 'amount', 'total'],
  },
  {
    key: 'transaction-records',
    source: 'transaction-records',
    words: ['time', 'account', 'operation', 'coin', 'change'],
    reader: transactionRecordsReader,
  },
  { key: 'fiat', source: 'convert', words: ['time', 'method', 'spendamount', 'receiveamount', 'status'], reader: fiatReader },
  {
    key: 'peer',
    source: 'convert',
    words: ['createdtime', 'ordertype', 'asset', 'quantity', 'totalprice', 'fiattype'],
    reader: peerReader,
  },
  {
    key: 'cash',
    source: 'deposit-history',
    words: ['time', 'coin', 'amount', 'status', 'paymentmethod', 'indicatedamount', 'fee'],
    reader: cashReader,
  },
  {
    key: 'auto-invest',
    source: 'convert',
    words: ['time', 'holdingcoin', 'amountperperiod', 'tradingfee', 'units', 'status'],
    reader: autoInvestReader,
  },
  {
    key: 'deposits',
    source: 'deposit-history',
    words: ['time', 'coin', 'amount', 'status', 'txid|transactionid|paymentmethod'],
    reader: depositsReader,
  },
];

/** Where the product of a layout stands in a file; undefined where it has none, or not all of it. */
export function productColumns({ product }: ImportFormat, { columns }: Header): ProductColumns | undefined {
  const [price, quantity, total] = product?.map((word) => columns.get(word)?.[0]) ?? [];
  return price === undefined || quantity === undefined || total === undefined ? undefined : [price, quantity, total];
}

/** The layout of a header, whatever the order of its columns; undefined when nobody knows it. */
export const detectFormat = ({ columns }: Header): ImportFormat | undefined =>
  IMPORT_FORMATS.find(({ words }) => words.every((word) => word.split('|').some((one) => columns.has(one))));

const FIELD_WORDS: Readonly<Record<ImportField, string>> = {
  time: 'time',
  pair: 'pair',
  side: 'side',
  price: 'price',
  quantity: 'executed',
  total: 'amount',
  fee: 'fee',
  feeAsset: 'feeasset',
  tradeId: 'tradeid',
  orderId: 'orderno',
  status: 'status',
};

/** A header whose columns a person named; read as a trade history. Unknown columns of the mapping are ignored. */
export function mappedHeader(header: Header, mapping: Readonly<Record<string, ImportField>>): Header {
  const columns = new Map<string, readonly number[]>();
  for (const [column, field] of Object.entries(mapping)) {
    const at = header.names.indexOf(column);
    if (at >= 0) columns.set(FIELD_WORDS[field], [at]);
  }
  return { ...header, columns };
}
