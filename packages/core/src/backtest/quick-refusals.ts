import { compareProducts, NotCovered, type Scales, safe } from './quick-scales.ts';

type Factor = { readonly units: number; readonly one: number };

/** The filters that the exchange looks at orders with (`order-refusal.ts`). Throws where it would refuse one: the exact engine tells what follows. */
export function createQuickRefusals(scales: Scales) {
  const inLots = (lots: number): boolean => lots >= scales.minQty && !(scales.maxQty > 0 && lots > scales.maxQty);
  const inMarketLots = (lots: number): boolean => !(scales.marketMaxQty > 0 && lots > scales.marketMaxQty);
  const inPrices = (price: number): boolean => price >= scales.minPrice && !(scales.maxPrice > 0 && price > scales.maxPrice);
  const inBand = (limit: number, last: number, up: Factor, down: Factor): boolean =>
    !(up.units > 0 && compareProducts(limit, up.one, last, up.units) > 0) && compareProducts(limit, down.one, last, down.units) >= 0;
  function worth(lots: number, price: number): boolean {
    const value = safe(lots * price);
    return value >= scales.minNotional && !(scales.maxNotional > 0 && value > scales.maxNotional);
  }
  return {
    /** @param limit 0 at the market @param last newest price */
    buy(lots: number, limit: number, last: number): void {
      const taken =
        inLots(lots) &&
        (limit > 0
          ? inPrices(limit) && inBand(limit, last, scales.bidUp, scales.bidDown) && worth(lots, limit)
          : inMarketLots(lots) && worth(lots, last));
      if (!taken) throw new NotCovered('a buy that is refused');
    },
    /** @param stop 0: it is none */
    sell(lots: number, limit: number, stop: number, last: number): void {
      const taken =
        inLots(lots) &&
        (limit > 0
          ? inPrices(limit) && inBand(limit, last, scales.askUp, scales.askDown) && worth(lots, limit)
          : inMarketLots(lots) && worth(lots, last)) &&
        (stop === 0 || (inPrices(stop) && last > stop));
      if (!taken) throw new NotCovered('a sale that is refused');
    },
  };
}
