import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { amountText, asset, decimalText, exchangeName, id, isoTime, orderSide, positiveText, symbol } from '../http/wire.ts';
import { recalculationSchema } from '../positions/positions-contract.ts';

const rowResult = z.object({
  row: z.int(),
  result: z.enum(['imported', 'duplicate', 'crossDuplicate', 'skipped', 'error']),
  code: z.string().optional(),
  column: z.string().optional(),
  value: z.string().optional(),
});

export const importTrades = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/import-trades/{exchange}',
  access: 'user',
  summary: 'Reads an export file; previews unless commit is asked for',
  params: z.object({ exchange: exchangeName }),
  query: z.object({
    commit: z.stringbool().default(false),
    acceptPartial: z.stringbool().default(false),
    zone: z.string().max(60).optional(),
  }),
  content: 'multipart',
  answer: z.object({
    batchId: id.nullable(),
    format: z.string(),
    zone: z.string().nullable(),
    counts: z.record(z.string(), z.int()),
    rows: z.array(rowResult),
    committed: z.boolean(),
  }),
  errors: ['payload-too-large', 'unsupported-media-type'],
});

const migrationRow = z.object({
  exchange: exchangeName,
  asset,
  balance: decimalText,
  known: decimalText,
  difference: decimalText,
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
  price: positiveText,
  quantity: positiveText,
  fee: amountText.optional(),
  feeAsset: asset.optional(),
  at: isoTime,
  tradeId: z.string().max(40).optional(),
});
export const addMigrationTrades = endpoint({
  backend: 'bff',
  method: 'POST',
  path: '/v2/migration/trades',
  access: 'user',
  summary: 'Adds the trades the user confirms or types',
  body: z.object({ exchange: exchangeName, asset, trades: z.array(migrationTrade).min(1).max(1000) }),
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

export const tradeImportContract = { importTrades, getMigration, addMigrationTrades, buildMigrationPosition };
