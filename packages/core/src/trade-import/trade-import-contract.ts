import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, exchangeName, id, isoTime, money, orderSide, positiveText, price, quantity, symbol } from '../http/wire.ts';
import { recalculationSchema } from '../positions/positions-contract.ts';

/** What became of a row. `crossDuplicate`: the exchange itself, or a better file, already told of it. */
export const ROW_RESULTS = ['imported', 'duplicate', 'crossDuplicate', 'skipped', 'question', 'error'] as const;
export const ROW_CODES = [
  'BAD_DATE',
  'AMBIGUOUS_DATE',
  'BAD_NUMBER',
  'AMBIGUOUS_NUMBER',
  'BAD_PAIR',
  'BAD_SIDE',
  'UNFILLED',
  'NOT_COMPLETED',
  'DIRECTION_UNKNOWN',
  'UNKNOWN_OPERATION',
  'MISSING_COLUMN',
  'ZONE_UNKNOWN',
  'DELISTED_PAIR',
  'UNBALANCED_LEG',
  'MIXED_LEGS',
  'NEGATIVE_HOLDING',
  'OTHER_WALLET',
  'OWN_TRANSFER',
  'NOTHING_MOVED',
] as const;
export type RowCode = (typeof ROW_CODES)[number];

/** What is missing in a file that is read all the same. */
export const WARNING_CODES = ['NEGATIVE_HOLDING', 'HALF_SWAP'] as const;

/**
 * What an operation of a statement can mean that is not known here: a leg of a purchase or sale, of a conversion, of a swap
 * of the exchange, a fee; units got for nothing; what came from or went to outside; or a move that is none of these.
 */
export const OPERATION_MEANINGS = ['outside', 'reward', 'trade', 'convert', 'fee', 'swap', 'internal'] as const;
export type OperationMeaning = (typeof OPERATION_MEANINGS)[number];
/** Operations that are asked about at a time; what is left is asked about next. */
export const MOST_OPERATIONS = 50;

const rowResult = z.object({
  /** Line of the file, counted from 1 with the header. */
  row: z.int(),
  result: z.enum(ROW_RESULTS),
  code: z.enum(ROW_CODES).optional(),
  column: z.string().optional(),
  value: z.string().optional(),
});
export type RowResult = z.infer<typeof rowResult>;

/** Fields a column can be mapped to by hand when the header is not known. */
export const IMPORT_FIELDS = [
  'time',
  'pair',
  'side',
  'price',
  'quantity',
  'total',
  'fee',
  'feeAsset',
  'tradeId',
  'orderId',
  'status',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

const counts = z.object({
  rows: z.int(),
  imported: z.int(),
  duplicate: z.int(),
  crossDuplicate: z.int(),
  skipped: z.int(),
  question: z.int(),
  error: z.int(),
});
const previewRow = z.object({
  row: z.int(),
  at: isoTime,
  kind: z.string(),
  symbol: z.string(),
  side: orderSide.nullable(),
  quantity: quantity(),
  price: price().nullable(),
  /** Of the quote asset. */
  total: quantity().nullable(),
  fee: quantity().nullable(),
  feeAsset: z.string().nullable(),
});

/** Characters of answers that fit an address, as they are written in one. */
const LONGEST_IN_QUERY = 8000;

/**
 * A file is imported unless its preview is asked for. Clients of servers that previewed by themselves say `commit`, which
 * is understood for their sake: without `preview`, `commit=false` asks for a preview.
 */
const importQuery = z
  .object({
    preview: z.stringbool().optional(),
    commit: z.stringbool().optional(),
    /** Store the rest, without the rows that cannot be read or wait for an answer. */
    acceptPartial: z.stringbool().default(false),
    /** `UTC+3`, `UTC-05:30`: asked once when neither header nor file name says it. */
    zone: z.string().max(60).optional(),
    /** JSON: {"<column of the file>": "<field>"}, for a header nobody knows. */
    mapping: z.string().max(4000).optional(),
    /**
     * JSON: {"<operation>": "<meaning>"}, for operations nobody knows. Kept for later files once one is imported. What is too
     * long for an address is a field of the same name before the file, which counts in place of this.
     */
    operations: z.string().max(LONGEST_IN_QUERY).optional(),
    /** Names this upload in the progress events of the stream. */
    uploadId: z.string().max(64).optional(),
  })
  .refine(({ preview, commit }) => preview === undefined || commit === undefined || preview !== commit, {
    path: ['preview'],
    params: { code: 'preview_and_commit' },
  })
  .transform(({ preview, commit, ...rest }) => ({ ...rest, preview: preview ?? commit === false }));

export const importTrades = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/import-trades/{exchange}',
  access: 'user',
  summary:
    'Imports an export file, or previews it with preview=true. A file with unreadable rows or unanswered operations is stored only with acceptPartial=true, and without them',
  params: z.object({ exchange: exchangeName }),
  query: importQuery,
  content: 'multipart',
  formFields: { operations: 'As in the query, and in place of it: for answers that are too long for an address. At most 256 KB' },
  answer: z.object({
    batchId: id.nullable(),
    fileName: z.string(),
    /** `trade-history`, `order-history`, `transaction-records`, `convert`, `deposits`, …; `unknown` asks for a mapping. */
    format: z.string(),
    zone: z.string().nullable(),
    /** What must be said before it can be committed. */
    needs: z.enum(['zone', 'mapping', 'operations', 'acceptPartial']).nullable(),
    /** Operations of the file that are not known, and what they were said to mean, now or with an earlier file. */
    operations: z.array(
      z.object({ name: z.string(), rows: z.int(), assets: z.array(z.string()), meaning: z.enum(OPERATION_MEANINGS).nullable() }),
    ),
    /** Rows that were left out, by their reason. */
    leftOut: z.array(z.object({ code: z.enum(ROW_CODES), rows: z.int() })),
    columns: z.array(z.string()),
    period: z.object({ from: isoTime, to: isoTime }).nullable(),
    counts,
    /** The first rows that were not imported, at most 1,000; `counts` tell of all. */
    rows: z.array(rowResult),
    preview: z.array(previewRow),
    /**
     * `NEGATIVE_HOLDING`: assets of which more would have been given away, by a moment, than ever came in. `HALF_SWAP`: coins
     * that a swap took while nothing in the file came in return: `listHalfSwaps` offers to carry their cost over.
     */
    warnings: z.array(z.object({ code: z.enum(WARNING_CODES), asset: z.string(), at: isoTime, amount: quantity() })),
    committed: z.boolean(),
  }),
  errors: ['invalid', 'payload-too-large', 'unsupported-media-type'],
});

export type ImportWish = {
  readonly preview: boolean;
  readonly acceptPartial: boolean;
  readonly zone?: string | undefined;
  readonly mapping?: Readonly<Record<string, ImportField>> | undefined;
  readonly operations?: Readonly<Record<string, OperationMeaning>> | undefined;
  readonly uploadId?: string | undefined;
};
/** Fields of the form of an import: answers that are too long for its query. */
export function importFieldsOf({ operations }: Pick<ImportWish, 'operations'>): Record<string, string> {
  const text = operations === undefined ? '' : JSON.stringify(operations);
  return isTooLong(text) ? { operations: text } : {};
}
const isTooLong = (text: string): boolean => encodeURIComponent(text).length > LONGEST_IN_QUERY;

/**
 * The query of an import. `commit` says the same as `preview` once more: a server that does not know `preview` would store
 * nothing of an import without it.
 */
export const importQueryOf = ({ preview, acceptPartial, zone, mapping, operations, uploadId }: ImportWish) => ({
  ...(preview && { preview: 'true' }),
  commit: String(!preview),
  acceptPartial: String(acceptPartial),
  ...(uploadId !== undefined && { uploadId }),
  ...(zone !== undefined && { zone }),
  ...(mapping !== undefined && { mapping: JSON.stringify(mapping) }),
  ...(operations !== undefined && !isTooLong(JSON.stringify(operations)) && { operations: JSON.stringify(operations) }),
});

export type ImportAnswer = z.infer<typeof importTrades.answer>;

const importBatch = z.object({
  id,
  fileName: z.string(),
  format: z.string(),
  at: isoTime,
  counts,
  period: z.object({ from: isoTime, to: isoTime }).nullable(),
});
export const listImports = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/import-trades/{exchange}',
  access: 'user',
  summary: 'Files that were imported and costs that were carried over, newest first',
  params: z.object({ exchange: exchangeName }),
  answer: z.array(importBatch),
});
export const undoImport = endpoint({
  backend: 'bff',
  method: 'DELETE',
  path: '/v2/import-trades/{exchange}/{id}',
  access: 'user',
  summary: 'Takes back everything one file, or one carry-over, brought',
  params: z.object({ exchange: exchangeName, id }),
  answer: z.void(),
  status: 204,
  errors: ['not-found'],
});

const migrationRow = z.object({
  exchange: exchangeName,
  asset,
  balance: quantity(),
  known: quantity(),
  difference: quantity(),
  trades: z.array(z.record(z.string(), z.unknown())),
  reasons: z.array(z.string()),
});
export const getMigration = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/migration',
  access: 'user',
  summary: 'What the account holds against what the known trades explain',
  answer: z.array(migrationRow),
  errors: ['not-connected'],
});

const migrationTrade = z.object({
  symbol,
  side: orderSide,
  price: price(positiveText),
  quantity: quantity(positiveText),
  fee: quantity(amountText).optional(),
  feeAsset: asset.optional(),
  at: isoTime,
  tradeId: z.string().max(40).optional(),
});
/** "I hold 0.5 BTC that cost 20,000 USDT in total": units without a trade, at a cost. */
const migrationHolding = z.object({ quantity: quantity(positiveText), cost: money(amountText), at: isoTime });
export const addMigrationTrades = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/migration/trades',
  access: 'user',
  summary: 'Adds the trades the user confirms or types',
  body: z.object({
    exchange: exchangeName,
    asset,
    trades: z.array(migrationTrade).max(1000).default([]),
    holding: migrationHolding.optional(),
    dryRun: z.boolean().default(false),
  }),
  answer: migrationRow,
  idempotent: true,
});
export const buildMigrationPosition = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/migration/position',
  access: 'user',
  summary: 'Builds the position of an asset',
  body: z.object({ exchange: exchangeName, asset }),
  answer: recalculationSchema,
});

export const tradeImportContract = { importTrades, listImports, undoImport, getMigration, addMigrationTrades, buildMigrationPosition };
