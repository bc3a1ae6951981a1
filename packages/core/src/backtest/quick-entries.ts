import type { PositionSettings } from '../auto-trades/position-state.ts';
import { decimal, greaterThan, isPositive, placesOf } from '../money/decimal.ts';
import {
  ceilDivide,
  compareProducts,
  floorDivide,
  NotCovered,
  roundDivide,
  type Scales,
  safe,
  shareOf,
  ten,
  textOf,
  unitsOf,
} from './quick-scales.ts';

/** An entry that the exchange takes and the wallet pays. `limit` 0 at the market; `reserve` in units of the wallet. */
export type QuickEntry = { readonly lots: number; readonly limit: number; readonly satoshis: number; readonly reserve: number };

/** Plans the entries of a quick run as `entry-plan.ts` does, for a bot without rebuys that holds nothing. */
export function createQuickEntries(scales: Scales, { config, filters }: PositionSettings, reservePct: string) {
  const { entry, maxExposurePerCoin } = config;
  const { size, order } = entry;
  const limited = order.type === 'Limit';
  const offset = shareOf(order.offsetPct);
  const slippage = shareOf(limited ? '0' : order.maxSlippagePct);
  const kept = shareOf(reservePct);
  const placesOfSize = placesOf(decimal(size.value));
  const amount = unitsOf(size.value, placesOfSize);
  const widest = decimal(entry.maxSpreadPct);
  /** What 10^`worstPlaces` of value cost at worst, and in how many units a satoshi is then counted. */
  const worst = safe((slippage.hundred + slippage.units) * (scales.feeUnit + scales.takerFee));
  const worstPlaces = scales.quote + Math.round(Math.log10(slippage.hundred)) + scales.fee;
  if (worstPlaces < 8) throw new NotCovered('few places');
  const perSatoshi = 10n ** BigInt(worstPlaces - 8);
  const perSatoshiFloat = worstPlaces - 8 <= 15 ? ten(worstPlaces - 8) : Number.NaN;
  const most = limited ? (isPositive(decimal(filters.maxQty)) ? scales.maxQty : Number.POSITIVE_INFINITY) : scales.most;
  let wide = { bid: Number.NaN, ask: Number.NaN, is: false };

  /** Spread in percent, four places. */
  const spread = (bid: number, ask: number): number => (bid + ask > 0 ? roundDivide(safe((ask - bid) * 2_000_000), bid + ask) : 0);

  /** Whole lots that the size buys at a price. */
  function wanted(price: number, free: number): number {
    // quote × 10^(lot + price) / (price × 10^places), in whole steps
    if (size.mode === 'fixed') {
      const shift = scales.quote - placesOfSize;
      if (shift >= 0) return floorDivide(safe(amount * ten(shift)), safe(price * scales.step)) * scales.step;
      return floorDivide(amount, safe(safe(price * scales.step) * ten(-shift))) * scales.step;
    }
    const places = BigInt(scales.wallet + placesOfSize + 2 - scales.quote);
    const value = BigInt(free) * BigInt(amount);
    const lots = Number(value / (BigInt(safe(price * scales.step)) * 10n ** places));
    return safe(lots) * scales.step;
  }
  function worstSatoshis(value: number): number {
    const product = value * worst;
    if (product <= Number.MAX_SAFE_INTEGER && perSatoshiFloat > 0) return ceilDivide(product, perSatoshiFloat);
    return Number((BigInt(value) * BigInt(worst) + perSatoshi - 1n) / perSatoshi);
  }
  function notional(lots: number, price: number): boolean {
    const value = safe(lots * price);
    return value >= scales.minNotional && !(scales.maxNotional > 0 && value > scales.maxNotional);
  }
  const inLots = (lots: number): boolean => lots >= scales.minQty && !(scales.maxQty > 0 && lots > scales.maxQty);

  return {
    spread,
    /** Undefined when the entry is not made: the spread, the size, the exposure or the money stands against it. */
    plan(
      price: number,
      bid: number,
      ask: number,
      free: number,
      tooSmallToPlan: (lots: number, price: number) => boolean,
      sellable: (lots: number) => number,
    ): QuickEntry | undefined {
      if (wide.bid !== bid || wide.ask !== ask) wide = { bid, ask, is: greaterThan(decimal(textOf(spread(bid, ask), 4)), widest) };
      if (wide.is) return undefined;
      const limit = limited
        ? floorDivide(safe(ask * (offset.hundred - offset.units)), safe(offset.hundred * scales.tick)) * scales.tick
        : 0;
      const at = limited ? limit : ask;
      if (!(at > 0)) return undefined;
      const lots = floorDivide(Math.min(wanted(at, free), most), scales.step) * scales.step;
      if (tooSmallToPlan(sellable(lots), at)) return undefined;
      const satoshis = worstSatoshis(safe(lots * at));
      const reserve = safe(satoshis * scales.satoshiInWallet);
      if (maxExposurePerCoin !== null && greaterThan(decimal(textOf(satoshis, 8)), decimal(maxExposurePerCoin))) return undefined;
      if (compareProducts(free, kept.hundred - kept.units, reserve, kept.hundred) < 0) return undefined;
      check(lots, limit, price);
      return { lots, limit, satoshis, reserve };
    },
    /** Throws when the exchange would refuse a sale at the market. */
    checkSale(lots: number, last: number): void {
      if (!inLots(lots) || (scales.marketMaxQty > 0 && lots > scales.marketMaxQty) || !notional(lots, last))
        throw new NotCovered('a sale that is refused');
    },
  };

  /** Throws when the exchange would refuse the buy. */
  function check(lots: number, limit: number, last: number): void {
    const { bidUp, bidDown } = scales;
    const accepted =
      inLots(lots) &&
      (limited
        ? limit >= scales.minPrice &&
          !(scales.maxPrice > 0 && limit > scales.maxPrice) &&
          !(bidUp.units > 0 && compareProducts(limit, bidUp.one, last, bidUp.units) > 0) &&
          compareProducts(limit, bidDown.one, last, bidDown.units) >= 0 &&
          notional(lots, limit)
        : !(scales.marketMaxQty > 0 && lots > scales.marketMaxQty) && notional(lots, last));
    if (!accepted) throw new NotCovered('a buy that is refused');
  }
}
