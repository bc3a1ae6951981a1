import { compare, decimal, minimum, plusPercent, subtract } from '@pilotfish/core/money/decimal';
import type { Exchange } from '../exchange/exchange.ts';
import type { IntentRow } from './order-intents-store.ts';

/** True when the asks hold the quantity of a buy within the allowed distance, percent, from the best of them. Throws `ExchangeError`. */
export async function bookHolds(exchange: Pick<Exchange, 'depth'>, { symbol, order, maxSlippagePct }: IntentRow): Promise<boolean> {
  const { asks } = await exchange.depth(symbol);
  const best = asks[0]?.[0];
  if (!best) return false;
  const worst = plusPercent(decimal(best), decimal(maxSlippagePct));
  let left = decimal(order.quantity);
  for (const [price, quantity] of asks) {
    if (left.units <= 0n || compare(decimal(price), worst) > 0) break;
    left = subtract(left, minimum(left, decimal(quantity)));
  }
  return left.units <= 0n;
}
