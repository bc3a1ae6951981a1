import { listTags, listTickers, type Ticker } from '@pilotfish/core/prices/prices-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { offeredPairs } from '../app/price-places.ts';
import { printRows } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { unchecked } from '../ui/unchecked.ts';
import { choose, type PriceChoice } from './price-choice.ts';
import { prices } from './price-columns.ts';

/** Symbols of any of these tags; undefined when none was asked for. @throws UsageError naming the tags there are */
export async function taggedSymbols(context: Context, tag: string | undefined): Promise<ReadonlySet<string> | undefined> {
  if (tag === undefined) return undefined;
  const known = await (await context.client({ listTags })).listTags();
  const wanted = tag.split(',').map((each) => each.trim().toLowerCase());
  const unknown = wanted.find((each) => !known.some(({ key }) => key === each));
  if (unknown !== undefined) throw new UsageError('invalidValue', { word: '--tag', allowed: known.map(({ key }) => key).join(', ') });
  return new Set(known.flatMap(({ key, symbols }) => (wanted.includes(key) ? symbols : [])));
}

/** Symbols of the asked watchlist; undefined when none was asked for. @throws LocalFailure naming the lists there are */
export const watchedSymbols = async (context: Context, watchlist: string | undefined): Promise<ReadonlySet<string> | undefined> =>
  watchlist === undefined ? undefined : (await import('./find-watchlist.ts')).symbolsOfWatchlist(context, watchlist);

/** Which text says why there is no row: a watchlist without pairs is no question of the other filters. */
export const emptyText = (watched: ReadonlySet<string> | undefined): string => (watched?.size === 0 ? 'watchlist' : prices.empty);

export async function list(context: Context, options: PriceChoice & { sparkline?: true }): Promise<void> {
  // What cannot be read is refused before anything is asked.
  choose([], options);
  const client = await context.client({ listTickers: unchecked(listTickers) });
  const [{ items, stale, asOf }, tagged, watched, isOffered] = await Promise.all([
    client.listTickers(),
    taggedSymbols(context, options.tag),
    watchedSymbols(context, options.watchlist),
    offeredPairs(context),
  ]);
  if (stale) await context.say('cli.prices.staleSince', { at: localTime(asOf) });
  const rows = choose(
    items.filter(({ symbol }) => isOffered(symbol) && watched?.has(symbol) !== false),
    options,
    tagged,
  );
  const empty = emptyText(watched);
  if (!options.sparkline) return printRows<Ticker>(context, { ...prices, empty }, rows);
  const { sparklineColumn, withSparklines } = await import('./price-sparkline.ts');
  const columns = [...prices.columns, await sparklineColumn(context)];
  await printRows(context, { columns, empty }, await withSparklines(context, rows));
}
