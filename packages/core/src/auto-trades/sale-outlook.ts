import { type Decimal, decimal, divide, isPositive, multiply, ONE, subtract, toText, ZERO } from '../money/decimal.ts';
import type { Money, Price, Quantity } from '../money/figure.ts';
import { formatMoney, formatPrice, formatQuantity, formatSigned } from '../money/format.ts';
import { openResult } from '../positions/position-figures.ts';
import type { AutoTradePosition } from './auto-trades-contract.ts';

/** What selling everything at one price would bring, in the quote asset and after the taker fee. */
export type SaleOutlook = { readonly quantity: Quantity; readonly price: Price; readonly proceeds: Money; readonly result: Money };

type Held = Pick<AutoTradePosition, 'quantity' | 'averageCost' | 'breakEven'>;

/**
 * Proceeds are quantity × price × (1 − taker fee), the result is what they are above the cost, to 8 decimals; the fee is
 * the one in the break-even price, which is average cost ÷ (1 − fee). An estimate: the market pays its own price.
 * @returns undefined while nothing is held or no price is known
 */
export function saleOutlook({ quantity, averageCost, breakEven }: Held, price: Price | null | undefined): SaleOutlook | undefined {
  if (price === null || price === undefined || averageCost === null || !isPositive(decimal(quantity))) return undefined;
  const units = decimal(quantity);
  const average = decimal(averageCost);
  const even = breakEven === null ? average : decimal(breakEven);
  const at = decimal(price);
  const taker = isPositive(even) ? subtract(ONE, divide(average, even)) : ZERO;
  const proceeds = multiply(multiply(units, at), subtract(ONE, taker));
  const result = openResult({ quantity: units, cost: multiply(units, average) }, at, taker);
  const text = (value: Decimal) => toText(divide(value, ONE, 8));
  return { quantity, price, proceeds: text(proceeds), result: text(result) };
}

type Translate = (key: string, values?: Record<string, string>) => string;

/** The outlook as one sentence, the same in browser, terminal and chat; without a price where the exchange does not trade the pair. */
export function saleWords(
  t: Translate,
  held: Held,
  price: Price | null | undefined,
  { currency, pricePrecision, isTraded = true }: { currency: string; pricePrecision: number | undefined; isTraded?: boolean },
): string {
  if (!isTraded) return t('autoTrades.sale.notTraded', { quantity: formatQuantity(held.quantity) });
  const outlook = saleOutlook(held, price);
  if (!outlook) return t('autoTrades.sale.unknown', { quantity: formatQuantity(held.quantity) });
  return t('autoTrades.sale.about', {
    quantity: formatQuantity(outlook.quantity),
    price: formatPrice(outlook.price, pricePrecision),
    proceeds: formatMoney(outlook.proceeds, currency),
    result: formatSigned(outlook.result, currency),
    currency,
  });
}
