import { type Decimal, decimal, divide, lessThan, multiply, rescale } from '@pilotfish/core/money/decimal';
import { type Account, balanceOf } from '../accounts/account.ts';
import type { FeeRates } from '../accounts/account-terms.ts';
import { type Pair, unitsDecimal } from '../market/market-contract.ts';
import type { MarketView } from '../market/market-view.ts';
import { MONEY_PLACES } from './book-walk.ts';
import type { Order, Side } from './order.ts';

/** Pairs that cost nothing, as the exchange has some between two dollar coins. */
const FREE: ReadonlySet<string> = new Set(['USDCUSDT']);
const NOTHING: FeeRates = { maker: '0', taker: '0' };
/** What a pair costs whoever has these rates, as fractions of what is received. */
export const feeRatesOn = ({ symbol }: Pick<Pair, 'symbol'>, { maker, taker }: FeeRates): FeeRates =>
  FREE.has(symbol) ? NOTHING : { maker, taker };
/** Share of the standard fee that is paid when it is paid in BNB. */
const BNB_DISCOUNT = decimal('0.75');

/**
 * Fee of one fill, by the rates of its order: of what is received (nothing for a free pair), in the received asset; or
 * three quarters of that in BNB when the account asked for it and has enough BNB. Cut to eight digits.
 */
export function commissionOf(
  view: MarketView,
  account: Account,
  { pair, side, fees }: Pick<Order, 'pair' | 'side' | 'fees'>,
  { quantity, quote, isMaker }: { quantity: Decimal; quote: Decimal; isMaker: boolean },
): { amount: Decimal; asset: string } {
  const asset = side === 'BUY' ? pair.base : pair.quote;
  const rates = feeRatesOn(pair, fees);
  const rate = decimal(isMaker ? rates.maker : rates.taker);
  const standard = multiply(side === 'BUY' ? quantity : quote, rate);
  if (account.burnBnb) {
    const reduced = multiply(standard, BNB_DISCOUNT);
    const inBnb = asset === 'BNB' ? reduced : toBnb(view, pair, side, multiply(multiply(quote, rate), BNB_DISCOUNT), reduced);
    if (inBnb) {
      const amount = rescale(inBnb, MONEY_PLACES, 'down');
      if (asset === 'BNB' || !lessThan(balanceOf(account, 'BNB').free, amount)) return { amount, asset: 'BNB' };
    }
  }
  return { amount: rescale(standard, MONEY_PLACES, 'down'), asset };
}

/** The fee in BNB by the last price of BNB in the pair's quote asset, else in the received asset. */
function toBnb(view: MarketView, pair: Pair, side: Side, feeInQuote: Decimal, feeReceived: Decimal): Decimal | undefined {
  if (pair.quote === 'BNB') return feeInQuote;
  const priced = (symbol: string): Pair | undefined => {
    const found = view.find(symbol);
    // A pair whose price is not known says nothing of the fee.
    return found && view.last(found).price > 0 ? found : undefined;
  };
  const direct = priced(`BNB${pair.quote}`);
  if (direct) return divide(feeInQuote, unitsDecimal(view.last(direct).price, direct.tickSize), MONEY_PLACES, 'down');
  const other = side === 'BUY' ? priced(`BNB${pair.base}`) : undefined;
  return other ? divide(feeReceived, unitsDecimal(view.last(other).price, other.tickSize), MONEY_PLACES, 'down') : undefined;
}
