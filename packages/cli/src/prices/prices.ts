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

export async function list(context: Context, options: PriceChoice): Promise<void> {
  // What cannot be read is refused before anything is asked.
  choose([], options);
  const client = await context.client({ listTickers: unchecked(listTickers) });
  const [{ items, stale, asOf }, tagged, isOffered] = await Promise.all([
    client.listTickers(),
    taggedSymbols(context, options.tag),
    offeredPairs(context),
  ]);
  if (stale) await context.say('cli.prices.staleSince', { at: localTime(asOf) });
  await printRows<Ticker>(
    context,
    prices,
    choose(
      items.filter(({ symbol }) => isOffered(symbol)),
      options,
      tagged,
    ),
  );
}
