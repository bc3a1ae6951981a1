import { formatPercent } from '@pilotfish/core/money/format';
import { listSparklines, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { tint } from '../ui/colour.ts';
import { type Column, formatOf } from '../ui/output.ts';
import { sparkline } from '../ui/sparkline.ts';
import { unchecked } from '../ui/unchecked.ts';

/** Figures of a pair with its last 24 hours as points of 0 to 100, oldest first; null where they are not known. */
export type TickerWithLine = Ticker & { readonly sparkline: readonly number[] | null };

/** The endpoint takes no more symbols than these; of a longer list all lines are asked for. */
const MOST_SYMBOLS = 100;

export async function withSparklines(context: Context, rows: readonly Ticker[]): Promise<TickerWithLine[]> {
  const client = await context.client({ listSparklines: unchecked(listSparklines) });
  const symbols = rows.map(({ symbol }) => symbol);
  const { items } =
    rows.length === 0
      ? { items: [] }
      : await client.listSparklines({ query: rows.length <= MOST_SYMBOLS ? { symbols: symbols.join(',') } : {} });
  const lines = new Map(items.map(({ symbol, points }) => [symbol, points]));
  return rows.map((row) => ({ ...row, sparkline: lines.get(row.symbol) ?? null }));
}

/** Coloured as the change of the same hours. */
export async function sparklineColumn(context: Context): Promise<Column<TickerWithLine>> {
  // Texts are loaded for a table only: it alone has headings in the reader's language.
  const head = formatOf(context) === 'table' ? (await context.texts())('cli.prices.lastDay') : 'sparkline';
  return {
    key: 'sparkline',
    head,
    value: (row) => row.sparkline?.join(' ') ?? '',
    shown: (row, paint) => tint(paint, formatPercent(row.changePct), sparkline(row.sparkline ?? [], context.unicode)),
  };
}
