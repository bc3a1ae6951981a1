import { listPairs } from '@pilotfish/core/prices/prices-contract';
import { unchecked } from '../ui/unchecked.ts';
import type { Context } from './context.ts';

/** How many decimals a price of this pair is read with; undefined where the pair is not known. */
export type Places = (symbol: string) => number | undefined;

/** A list does not wait longer for the digits of its prices. */
const PATIENCE_MS = 2_000;
const asked = new WeakMap<Context, Promise<Places>>();

/** The decimals that the tick sizes of the exchange's pairs need, asked for once a command. Without an answer a price keeps the digits it has. */
export function pricePlaces(context: Context): Promise<Places> {
  const known = asked.get(context);
  if (known) return known;
  const places = load(context).catch((): Places => () => undefined);
  asked.set(context, places);
  return places;
}

async function load(context: Context): Promise<Places> {
  const client = await context.client({ listPairs: unchecked(listPairs) });
  const pairs = await client.listPairs(undefined, { quiet: true, signal: AbortSignal.timeout(PATIENCE_MS) });
  const precisions = new Map(pairs.map(({ symbol, pricePrecision }) => [symbol, pricePrecision]));
  return (symbol) => precisions.get(symbol);
}
