import { listPairs, type Pair } from '@pilotfish/core/prices/prices-contract';
import { unchecked } from '../ui/unchecked.ts';
import type { Context } from './context.ts';

/** How many decimals a price of this pair is read with; undefined where the pair is not known. */
export type Places = (symbol: string) => number | undefined;

/** A list does not wait longer for the digits of its prices. */
const PATIENCE_MS = 2_000;
const asked = new WeakMap<Context, Promise<ReadonlyMap<string, Pair>>>();

/** The exchange's pairs, asked for once a command; none without an answer. */
function pairsOf(context: Context): Promise<ReadonlyMap<string, Pair>> {
  const known = asked.get(context);
  if (known) return known;
  const pairs = load(context).catch((): ReadonlyMap<string, Pair> => new Map());
  asked.set(context, pairs);
  return pairs;
}

async function load(context: Context): Promise<ReadonlyMap<string, Pair>> {
  const client = await context.client({ listPairs: unchecked(listPairs) });
  const pairs = await client.listPairs(undefined, { quiet: true, signal: AbortSignal.timeout(PATIENCE_MS) });
  return new Map(pairs.map((pair) => [pair.symbol, pair]));
}

/** The decimals that the tick sizes of the exchange's pairs need. Without an answer a price keeps the digits it has. */
export async function pricePlaces(context: Context): Promise<Places> {
  const pairs = await pairsOf(context);
  return (symbol) => pairs.get(symbol)?.pricePrecision;
}

/** Whether a list of pairs to choose from has this one: not where an Admin no longer offers one of its assets. */
export async function offeredPairs(context: Context): Promise<(symbol: string) => boolean> {
  const pairs = await pairsOf(context);
  // As `isOffered` says it, which would be one file more to load for every list of prices.
  return (symbol) => pairs.get(symbol)?.offered !== false;
}
