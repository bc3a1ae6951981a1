import { toText } from '@pilotfish/core/money/decimal';
import { listPairs, type Pair } from '@pilotfish/core/prices/prices-contract';
import { knownPairs } from '@pilotfish/simulator/market/symbol-table';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';

const PATIENCE_MS = 2_000;

/** Precisions and filters of a pair: from the server when it answers, else from the table of the simulated exchange. */
export async function findPair(context: Context, symbol: string): Promise<{ pair: Pair; from: 'server' | 'table' }> {
  try {
    const client = await context.client({ listPairs });
    const pairs = await client.listPairs(undefined, { quiet: true, signal: AbortSignal.timeout(PATIENCE_MS) });
    const pair = pairs.find((each) => each.symbol === symbol);
    if (pair) return { pair, from: 'server' };
  } catch {
    // No server is needed for a backtest.
  }
  const pair = bundledPair(symbol);
  if (!pair) throw new LocalFailure('noSuchPair', { symbol }, { exit: EXIT.notFound });
  return { pair, from: 'table' };
}

export function bundledPair(symbol: string): Pair | undefined {
  const facts = knownPairs().find((each) => each.symbol === symbol);
  if (!facts) return undefined;
  const tick = toText(facts.tickSize);
  return {
    symbol,
    baseAsset: facts.base,
    quoteAsset: facts.quote,
    baseAssetPrecision: 8,
    quoteAssetPrecision: 8,
    pricePrecision: facts.pricePlaces,
    quantityPrecision: facts.quantityPlaces,
    status: 'TRADING',
    filters: {
      tickSize: tick,
      minPrice: tick,
      maxPrice: toText(facts.maxPrice),
      stepSize: toText(facts.stepSize),
      minQty: toText(facts.minQty),
      maxQty: toText(facts.maxQty),
      marketMaxQty: toText(facts.maxQty),
      minNotional: toText(facts.minNotional),
      maxNotional: '9000000',
      bidMultiplierUp: '5',
      bidMultiplierDown: '0.2',
      askMultiplierUp: '5',
      askMultiplierDown: '0.2',
      maxNumOrders: 200,
      maxNumAlgoOrders: 5,
    },
  };
}
