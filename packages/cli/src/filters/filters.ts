import { formatCompact, formatPercentNumber } from '@pilotfish/core/money/format';
import { type CoinFilter, deleteCoinFilter, getCoinFilterCoins, listCoinFilters } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended } from '../app/failure.ts';
import { findByName } from '../app/find.ts';
import { printFilter, printSort } from '../screen/rule-printer.ts';
import { type Column, formatOf, printOne, printRows, type Resource } from '../ui/output.ts';
import { confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';

/** The rules as they are typed; where one is enough, that is said first. */
function rulesText({ conditions }: CoinFilter): string {
  if (!conditions) return '';
  const { rules, any } = printFilter(conditions);
  return any && rules.length > 1 ? `any(${rules.join('; ')})` : rules.join(', ');
}

const name: Column<CoinFilter> = { key: 'name', value: (row) => row.name, shown: (row, paint) => paint.bold(row.name) };
const quoteAsset: Column<CoinFilter> = { key: 'quoteAsset', value: (row) => row.quoteAsset };
const sort: Column<CoinFilter> = { key: 'sort', value: (row) => printSort(row.sort) || 'quoteVolume:desc', rank: 4 };
const maxCoins: Column<CoinFilter> = { key: 'maxCoins', value: (row) => String(row.maxCoins), right: true };
const limits: readonly Column<CoinFilter>[] = [
  { key: 'minAgeDays', value: (row) => String(row.minAgeDays), right: true, rank: 2 },
  {
    key: 'minQuoteVolume24h',
    value: (row) => row.minQuoteVolume24h,
    shown: (row) => formatCompact(row.minQuoteVolume24h),
    right: true,
    rank: 1,
  },
  {
    key: 'maxSpreadPct',
    value: (row) => row.maxSpreadPct,
    shown: (row) => `${formatPercentNumber(row.maxSpreadPct)}%`,
    right: true,
    rank: 3,
  },
];
const conditions: Column<CoinFilter> = { key: 'conditions', value: rulesText };

export const filters: Resource<CoinFilter> = {
  empty: 'filters',
  columns: [name, quoteAsset, maxCoins, ...limits, sort, conditions],
};

export async function list(context: Context): Promise<void> {
  const client = await context.client({ listCoinFilters });
  await printRows(context, filters, await client.listCoinFilters());
}

async function find(context: Context, wanted: string): Promise<CoinFilter> {
  const client = await context.client({ listCoinFilters });
  return findByName('filter', await client.listCoinFilters(), wanted);
}

/** The settings of a filter, the coins it selects now, and why the others are left out. */
export async function show(context: Context, { filter: wanted }: { filter: string }): Promise<void> {
  const filter = await find(context, wanted);
  const client = await context.client({ getCoinFilterCoins });
  const found = await client.getCoinFilterCoins({ params: { id: filter.id } });
  const row = { ...filter, ...found };
  const more: Column<typeof row>[] = [
    { key: 'include', value: ({ include }) => include.join(', ') },
    { key: 'exclude', value: ({ exclude }) => exclude.join(', ') },
    { key: 'refreshMinutes', value: ({ refreshMinutes }) => String(refreshMinutes) },
    { key: 'onError', value: ({ onError }) => onError },
    { key: 'asOf', value: ({ asOf }) => asOf, shown: ({ asOf }) => localTime(asOf) },
    {
      key: 'coins',
      value: ({ coins }) => coins.join(', '),
      shown: ({ coins }, paint) => `${paint.bold(String(coins.length))}  ${coins.join(', ')}`,
    },
  ];
  const isTable = formatOf(context) === 'table';
  const leftOut: Column<typeof row> = {
    key: 'leftOut',
    value: (each) => each.leftOut.map(({ reason, count }) => `${reason} ${count}`).join(', '),
  };
  await printOne(context, { columns: [...filters.columns, ...more, ...(isTable ? [] : [leftOut])] as Column<typeof row>[] }, row);
  if (found.stale) await context.say('cli.filters.stale', { at: localTime(found.asOf) });
  if (!isTable || found.leftOut.length === 0) return;
  const t = await context.texts();
  const width = Math.max(...found.leftOut.map(({ count }) => String(count).length));
  const lines = found.leftOut.map(({ reason, count }) => `  ${String(count).padStart(width)}  ${t(`cli.leftOut.${reason}`)}`);
  context.stdout.write(`\n${t('cli.filters.leftOut')}\n${lines.join('\n')}\n`);
}

type Selected = { symbol: string };
const selected: Resource<Selected> = {
  empty: 'prices',
  columns: [{ key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) }],
};

/** The coins a filter selects now, one to a line, in the order bots pick them. */
export async function coins(context: Context, { filter: wanted, watch }: { filter: string; watch?: true }): Promise<void> {
  const { id } = await find(context, wanted);
  const client = await context.client({ getCoinFilterCoins });
  const load = async (): Promise<Selected[]> => {
    const found = await client.getCoinFilterCoins({ params: { id } });
    if (found.stale) await context.say('cli.filters.stale', { at: localTime(found.asOf) });
    return found.coins.map((symbol) => ({ symbol }));
  };
  if (!watch) return printRows(context, selected, await load());
  const { watchRows } = await import('../ui/watch-rows.ts');
  await watchRows(context, selected, load, ['tickers']);
}

/** Deletes a filter that no bot uses; the refusal names the bots. */
export async function remove(context: Context, { filter: wanted }: { filter: string }): Promise<void> {
  const { id, name: found } = await find(context, wanted);
  if (!(await confirm(context, 'cli.filters.remove', { name: found }))) throw new Ended(EXIT.failed);
  const client = await context.client({ deleteCoinFilter });
  await client.deleteCoinFilter({ params: { id } });
  await context.say('cli.filters.removed', { name: found });
}
