import { decimal, divide, isPositive, lessThan, multiply, ONE, toMultiple, toText } from '../money/decimal.ts';
import { digits, type Money, type Price, type Quantity } from '../money/figure.ts';
import { formatCurrency, formatPrice, formatQuantity } from '../money/format.ts';
import type { Pair } from '../prices/prices-contract.ts';
import type { AutoTradeDetail } from './auto-trades-contract.ts';
import { lessPercent, lotStep, lotsWithin, toTick } from './position/position-lines.ts';

/** What entering now would order; `quote` is the amount in the quote asset, without the fee. */
export type EntryOutlook = {
  readonly type: 'Market' | 'Limit';
  readonly quantity: Quantity;
  readonly price: Price;
  readonly quote: Money;
};

type Entering = Pick<AutoTradeDetail, 'config'> & {
  readonly ladder: { readonly rungs: readonly Pick<AutoTradeDetail['ladder']['rungs'][number], 'symbol' | 'level' | 'quote'>[] };
};
type KnownPair = Pick<Pair, 'filters' | 'pricePrecision'>;

/**
 * The entry order at a price: the bot's amount, or its part of the wallet as the server planned it last. An estimate:
 * the server orders by the ask, and a market order is filled at whatever the book offers.
 * @param pair rounds to what the exchange takes; without it price and quantity have 8 decimals
 * @returns undefined while no price or, for a part of the wallet, no plan is known
 */
export function entryOutlook(
  { config, ladder }: Entering,
  symbol: string,
  price: Price | null | undefined,
  pair?: KnownPair,
): EntryOutlook | undefined {
  const { size, order } = config.entry;
  const planned = ladder.rungs.find((rung) => rung.symbol === symbol && rung.level === 0)?.quote;
  const quote = size.mode === 'fixed' ? size.value : planned;
  if (price === null || price === undefined || quote === undefined) return undefined;
  const isLimit = order.type === 'Limit';
  const asked = isLimit ? lessPercent(decimal(price), decimal(order.offsetPct)) : decimal(price);
  const at = pair && isLimit ? toTick(asked, pair.filters, 'down') : asked;
  if (!isPositive(at)) return undefined;
  const wanted = divide(decimal(quote), at, 28, 'down');
  const lots = pair && lotsWithin(wanted, pair.filters, order.type, at);
  // More than one order may carry is not ordered: what is named is what it will cost.
  const isCut = pair && lots && lessThan(lots, toMultiple(wanted, lotStep(pair.filters), 'down'));
  return {
    type: order.type,
    quantity: toText(lots ?? divide(decimal(quote), at, 8, 'down')),
    price: isLimit ? toText(divide(at, ONE, 8)) : digits(price),
    quote: isCut ? toText(multiply(lots, at)) : quote,
  };
}

type Translate = (key: string, values?: Record<string, string>) => string;

/** The outlook as one sentence, the same in browser and terminal. */
export function entryWords(
  t: Translate,
  bot: Entering & Pick<AutoTradeDetail, 'currency'>,
  symbol: string,
  price: Price | null | undefined,
  pair?: KnownPair,
): string {
  const outlook = entryOutlook(bot, symbol, price, pair);
  if (!outlook) return t('autoTrades.enter.unknown');
  return t(outlook.type === 'Limit' ? 'autoTrades.enter.limit' : 'autoTrades.enter.market', {
    quantity: formatQuantity(outlook.quantity),
    price: formatPrice(outlook.price, pair?.pricePrecision),
    amount: formatCurrency(outlook.quote, bot.currency),
  });
}
