import { randomUUID } from 'node:crypto';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatAverage, formatChange, formatQuantity, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { tradeImportContract } from '@pilotfish/core/trade-import/trade-import-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { tint } from '../ui/colour.ts';
import { type Column, printOne, printRows, type Resource } from '../ui/output.ts';

const exchange = 'Binance' as const;

type Row = Answer<typeof tradeImportContract.getMigration>[number];
const rows: Resource<Row> = {
  empty: 'migration',
  columns: [
    { key: 'asset', value: ({ asset }) => asset, shown: ({ asset }, paint) => paint.bold(asset) },
    { key: 'balance', value: ({ balance }) => balance, shown: ({ balance }) => formatQuantity(balance), right: true },
    { key: 'known', value: ({ known }) => known, shown: ({ known }) => formatQuantity(known), right: true },
    {
      key: 'difference',
      value: ({ difference }) => difference,
      shown: ({ difference }, paint) => tint(paint, formatChange(difference)),
      right: true,
    },
    { key: 'reasons', value: ({ reasons }) => reasons.join(' ') },
  ],
};

/** The answer does not say which pair its sums are of: those of a coin show every digit that counts. */
const UNTOLD = '';

type Change = Answer<typeof tradeImportContract.buildMigrationPosition>;
const changes: Resource<Change> = {
  empty: 'migration',
  columns: [
    ...(['averageCostBefore', 'averageCostAfter'] as const).map(
      (key): Column<Change> => ({
        key,
        value: (row) => row[key],
        shown: (row) => (row[key] === null ? UNKNOWN : formatAverage(row[key])),
        right: true,
      }),
    ),
    ...(['realisedBefore', 'realisedAfter'] as const).map(
      (key): Column<Change> => ({
        key,
        value: (row) => row[key],
        shown: (row, paint) => (row[key] === null ? UNKNOWN : tint(paint, formatSigned(row[key], UNTOLD))),
        right: true,
      }),
    ),
    ...(['tradesAdded', 'tradesRemoved'] as const).map((key): Column<Change> => ({ key, value: (row) => String(row[key]), right: true })),
  ],
};

export async function list(context: Context): Promise<void> {
  const client = await context.client(tradeImportContract);
  await printRows(context, rows, await client.getMigration());
}

/** Units at a cost, or trades as one writes them down. */
export async function add(
  context: Context,
  options: { asset: string; holding?: string; cost?: string; at?: string; trade?: string[]; dryRun?: true },
): Promise<void> {
  const holding = holdingOf(options);
  const trades = (options.trade ?? []).map(tradeOf);
  if (holding === undefined && trades.length === 0) throw new UsageError('needsFlag', { flag: '--holding' });
  const client = await context.client(tradeImportContract);
  const body = {
    exchange,
    asset: options.asset.toUpperCase(),
    trades,
    ...(holding === undefined ? {} : { holding }),
    dryRun: options.dryRun === true,
  };
  await printOne(context, rows, await client.addMigrationTrades({ body }, { idempotencyKey: randomUUID() }));
}

export async function build(context: Context, { asset }: { asset: string }): Promise<void> {
  const client = await context.client(tradeImportContract);
  await printOne(context, changes, await client.buildMigrationPosition({ body: { exchange, asset: asset.toUpperCase() } }));
}

function holdingOf({ holding, cost, at }: { holding?: string; cost?: string; at?: string }) {
  if (holding === undefined) return undefined;
  if (!isDecimalText(holding)) throw new UsageError('amount', { flag: '--holding', value: holding });
  if (cost === undefined) throw new UsageError('needsFlag', { flag: '--cost' });
  if (!isDecimalText(cost)) throw new UsageError('amount', { flag: '--cost', value: cost });
  if (at === undefined) throw new UsageError('needsFlag', { flag: '--at' });
  return { quantity: holding, cost, at: timeOf(at) };
}

/** A day, or a time in UTC, as ISO text. @throws UsageError */
export function timeOf(text: string): string {
  const time =
    /^\d{4}-\d{2}-\d{2}$/.test(text) || /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError('time', { value: text });
  return new Date(time).toISOString();
}

/** `BTCUSDT Buy 0.5 @ 40000 2024-05-01T10:00Z`. */
export function tradeOf(text: string) {
  const match = /^\s*(\S+)\s+(buy|sell)\s+(\S+)\s*@\s*(\S+)\s+(\S+)\s*$/i.exec(text);
  const [, symbol = '', side = '', quantity = '', price = '', at = ''] = match ?? [];
  if (!match || !isDecimalText(quantity) || !isDecimalText(price)) throw new UsageError('trade', { value: text });
  const sided = side.toLowerCase() === 'buy' ? ('Buy' as const) : ('Sell' as const);
  return { symbol: symbol.toUpperCase(), side: sided, quantity, price, at: timeOf(at) };
}
