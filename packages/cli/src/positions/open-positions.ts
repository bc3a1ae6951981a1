import { listOpenPositions, type OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { formatOf, pickedRows, printRows } from '../ui/output.ts';
import { recoveredWord } from './find-position.ts';
import { openPositions } from './position-columns.ts';
import { brokenLines, totalLines } from './position-notes.ts';

type OpenFlags = { symbol?: string; sort?: string; watch?: true };

const FIGURES = ['value', 'unrealised', 'total', 'realised', 'returnPct', 'targetDistancePct', 'cost', 'openedAt', 'symbol'] as const;

/** Largest first, text and times from the beginning; unknown figures last. @throws UsageError */
export function sortPositions(rows: readonly OpenPosition[], sort: string): OpenPosition[] {
  const [key = '', direction] = sort.split(':');
  if (!(FIGURES as readonly string[]).includes(key) || (direction !== undefined && direction !== 'asc' && direction !== 'desc'))
    throw new UsageError('invalidValue', { word: '--sort', allowed: `${FIGURES.join(', ')} (:asc, :desc)` });
  const isText = key === 'symbol' || key === 'openedAt';
  const sign = (direction ?? (isText ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
  const figure = (row: OpenPosition) => row[key as (typeof FIGURES)[number]];
  return [...rows].sort((a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return (isText ? (x < y ? -1 : x > y ? 1 : 0) : Number(x) - Number(y)) * sign || (a.symbol < b.symbol ? -1 : 1);
  });
}

/** What is held, with its totals and what keeps figures from being trusted. */
export async function listOpen(context: Context, { symbol, sort = 'value', watch }: OpenFlags): Promise<void> {
  sortPositions([], sort);
  const client = await context.client({ listOpenPositions });
  const wanted = symbol?.toUpperCase();
  const resource = openPositions(context.unicode, await recoveredWord(context));
  let answer = await client.listOpenPositions();
  const rows = () =>
    sortPositions(
      answer.items.filter((row) => wanted === undefined || row.symbol === wanted),
      sort,
    );
  const more = async (): Promise<string> => {
    const t = await context.texts();
    return [...(await brokenLines(context, rows())), ...(await totalLines(context, t('cli.positions.all'), answer.totals))].join('\n');
  };
  if (watch) {
    const load = async () => {
      answer = await client.listOpenPositions();
      return rows();
    };
    const { watchRows } = await import('../ui/watch-rows.ts');
    return watchRows(context, resource, load, ['positions', 'tickers'], more);
  }
  if (formatOf(context) === 'json') {
    const items = pickedRows(context, resource, rows());
    context.stdout.write(`${JSON.stringify({ ...answer, items }, null, context.stdout.isTTY ? 2 : 0)}\n`);
    return;
  }
  await printRows(context, resource, rows());
  if (formatOf(context) === 'table' && rows().length > 0) context.stdout.write(`\n${await more()}\n`);
}
