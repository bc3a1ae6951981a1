import type { PositionSettings } from '../auto-trades/position-state.ts';
import { planLadder, rebuyLevels } from '../auto-trades/rebuy-levels.ts';
import { type Decimal, decimal, greaterThan, placesOf } from '../money/decimal.ts';
import { digits } from '../money/figure.ts';
import type { QuickLines } from './quick-lines.ts';
import { createQuickRefusals } from './quick-refusals.ts';
import {
  BIG_TENS,
  COST_PLACES,
  ceilDivide,
  compareProducts,
  floorDivide,
  floorOf,
  NotCovered,
  roundDivide,
  type Scales,
  safe,
  shareOf,
  ten,
  textOf,
  unitsOf,
} from './quick-scales.ts';
import type { QuickWallet } from './quick-wallet.ts';

/** The rebuys of an entry: what each may spend, in hundred-millionths, and what it and all after it can cost, in units of the wallet. */
export type QuickLadder = { readonly quotes: readonly number[]; readonly rest: readonly number[] };
/** A buy that the exchange takes. `limit` 0 at the market. */
export type QuickBuy = { readonly lots: number; readonly limit: number };
/** An entry that the wallet pays too. `satoshis` is the most that its own order costs, `reserve` that of everything, in units of the wallet. */
export type QuickEntry = QuickBuy & {
  readonly satoshis: number;
  readonly entryReserve: number;
  readonly reserve: number;
  readonly ladder: QuickLadder;
};

/** Plans the buys of a quick run as `entry-plan.ts`, `position-rebuy.ts` and `repricedBuy` do. */
export function createQuickEntries(scales: Scales, settings: PositionSettings, wallet: QuickWallet, lines: QuickLines) {
  const { config } = settings;
  const { entry, maxExposurePerCoin } = config;
  const { size, order } = entry;
  const limited = order.type === 'Limit';
  const offset = shareOf(order.offsetPct);
  const slips = shareOf(order.maxSlippagePct);
  const none = shareOf('0');
  const placesOfSize = placesOf(decimal(size.value));
  const amount = unitsOf(size.value, placesOfSize);
  const shareOfWallet = Number(size.value) / 100;
  const widestPlaces = placesOf(decimal(entry.maxSpreadPct));
  const widest = unitsOf(entry.maxSpreadPct, widestPlaces);
  const widestOne = ten(widestPlaces);
  const exposure = maxExposurePerCoin === null ? null : decimal(maxExposurePerCoin);
  const refusals = createQuickRefusals(scales);
  // 0 is none: no filter, or one that nothing which is counted here reaches.
  const most = !limited ? scales.most : scales.maxQty > 0 ? scales.maxQty : Number.POSITIVE_INFINITY;

  /** What is to be paid at worst for every unit, slippage and fee on top: `units` of 10^`places`. */
  const worstOf = (slippage: typeof slips) => ({
    units: safe((slippage.hundred + slippage.units) * (scales.feeUnit + scales.takerFee)),
    places: Math.round(Math.log10(slippage.hundred)) + scales.fee,
    float: (1 + slippage.float) * (1 + scales.takerFee / scales.feeUnit),
  });
  const worstAtLimit = worstOf(none);
  const worstAtMarket = worstOf(slips);
  const ownWorst = limited ? worstAtLimit : worstAtMarket;
  const ladderWorst = limited && order.onTimeout !== 'market' ? worstAtLimit : worstAtMarket;
  /** What 10^`worstPlaces` of value cost at worst, and in how many units a satoshi is then counted. */
  const worstPlaces = scales.quote + ownWorst.places;
  if (worstPlaces < 8) throw new NotCovered('few places');
  const perSatoshi = 10n ** BigInt(worstPlaces - 8);
  const perSatoshiFloat = worstPlaces - 8 <= 15 ? ten(worstPlaces - 8) : Number.NaN;

  const rungs = rebuyLevels(config.rebuys).map(({ dropPct, sizeMultiplier }) => {
    const places = placesOf(decimal(sizeMultiplier));
    return { dropPct, float: Number(sizeMultiplier), units: BigInt(unitsOf(sizeMultiplier, places)), places };
  });
  const smallest = Math.min(...rungs.map(({ float }) => float));
  const largest = Math.max(...rungs.map(({ float }) => float));
  /** The ladder's last price is no lower than this share of the first. */
  const lowest = rungs.reduce((product, { dropPct }) => product * (1 - Number(dropPct) / 100), 1);
  /** Of a size that never changes. */
  const fixedLadder = size.mode === 'fixed' ? ladderOf({ units: BigInt(amount), scale: placesOfSize }) : undefined;

  /** Spread in percent, four places. */
  const spread = (bid: number, ask: number): number => (bid + ask > 0 ? roundDivide(safe((ask - bid) * 2_000_000), bid + ask) : 0);
  const isWide = (bid: number, ask: number): boolean => compareProducts(spread(bid, ask), widestOne, widest, 10_000) > 0;
  /** The limit that an order rests at while this is asked. */
  function limitBelow(ask: number): number {
    const product = ask * (offset.hundred - offset.units);
    if (product <= Number.MAX_SAFE_INTEGER) return floorDivide(product, safe(offset.hundred * scales.tick)) * scales.tick;
    const exact = BigInt(ask) * BigInt(offset.hundred - offset.units);
    return Number(exact / (BigInt(offset.hundred) * BigInt(scales.tick))) * scales.tick;
  }

  /** Amount that the size asks for. */
  const asked = (): Decimal =>
    size.mode === 'fixed'
      ? { units: BigInt(amount), scale: placesOfSize }
      : { units: wallet.total() * BigInt(amount), scale: COST_PLACES + placesOfSize + 2 };
  const askedFloat = (): number => (size.mode === 'fixed' ? Number(size.value) : wallet.totalFloat() * shareOfWallet);

  /** Whole lots that an amount buys at a price. */
  function lotsFor(float: number, exact: () => Decimal, price: number): number {
    const step = price * scales.step;
    return (
      floorOf((float * scales.lotUnit * scales.priceUnit) / step, () => {
        const { units, scale } = exact();
        const places = scales.quote - scale;
        const product = BigInt(price) * BigInt(scales.step);
        return places >= 0 ? (units * BIG_TENS[places]!) / product : units / (product * BIG_TENS[-places]!);
      }) * scales.step
    );
  }
  /** Whole lots that what is set aside pays for at worst. */
  function payable(setAside: number, price: number, worst: typeof ownWorst): number {
    const unit = (price / scales.priceUnit) * worst.float * (scales.step / scales.lotUnit);
    return (
      floorOf(setAside / scales.walletUnit / unit, () => {
        const places = scales.price + worst.places + scales.lot - scales.wallet;
        const product = BigInt(price) * BigInt(worst.units) * BigInt(scales.step);
        const own = BigInt(setAside);
        return places >= 0 ? (own * BIG_TENS[places]!) / product : own / (product * BIG_TENS[-places]!);
      }) * scales.step
    );
  }
  function worstSatoshis(value: number): number {
    const product = value * ownWorst.units;
    if (product <= Number.MAX_SAFE_INTEGER && perSatoshiFloat > 0) return ceilDivide(product, perSatoshiFloat);
    return Number((BigInt(value) * BigInt(ownWorst.units) + perSatoshi - 1n) / perSatoshi);
  }

  /** The rebuys of an entry of this amount. */
  function ladderOf({ units, scale }: Decimal): QuickLadder {
    const quotes: number[] = [];
    const reserves: number[] = [];
    for (const rung of rungs) {
      const quote = ceilBig(units * rung.units * 100_000_000n, BIG_TENS[scale + rung.places] ?? 10n ** BigInt(scale + rung.places));
      quotes.push(safe(Number(quote)));
      const reserve = ceilBig(quote * BigInt(ladderWorst.units), BIG_TENS[ladderWorst.places]!);
      reserves.push(safe(Number(reserve) * scales.satoshiInWallet));
    }
    const rest = [...reserves, 0];
    for (let level = rest.length - 2; level >= 0; level -= 1) rest[level] = safe(reserves[level]! + rest[level + 1]!);
    return { quotes, rest };
  }

  /** A rung of the ladder would be too small to trade at the price it is planned for, as `planEntry` looks at it. */
  function hasSmallRung(price: number): boolean {
    if (rungs.length === 0) return false;
    const at = price / scales.priceUnit;
    const quote = askedFloat();
    const step = scales.step / scales.lotUnit;
    const least =
      Math.max((scales.minNotional / scales.priceUnit / scales.lotUnit) * 1.05, (scales.minQty / scales.lotUnit) * at) + step * at;
    // Lower rungs buy more lots for their money: where the first would be large enough with a lot to spare, all are.
    if (
      quote * smallest > least * 1.000_001 &&
      quote > least * 1.000_001 &&
      (quote * largest) / (at * lowest) < (scales.most / scales.lotUnit) * 0.999
    )
      return false;
    const ladder = planLadder(settings, decimal(textOf(price, scales.price)), asked());
    const small = ladder.find((rung) => {
      const lots = Math.min(unitsOf(rung.quantity, scales.lot), scales.most);
      return lines.tooSmallToPlan(lots, unitsOf(rung.price, scales.price));
    });
    return small !== undefined && small.level > 0;
  }

  return {
    spread,
    refusals,
    /** `last`: the newest price at the exchange. Undefined when the entry is not made: the spread, the size, the exposure or the money stands against it. */
    plan(last: number, bid: number, ask: number, carriedCost: bigint): QuickEntry | undefined {
      if (isWide(bid, ask)) return undefined;
      const limit = limited ? limitBelow(ask) : 0;
      const at = limited ? limit : ask;
      if (!(at > 0)) return undefined;
      const lots = floorDivide(Math.min(lotsFor(askedFloat(), asked, at), most), scales.step) * scales.step;
      if (lines.tooSmallToPlan(Math.min(lots, scales.most), at)) return undefined;
      if (hasSmallRung(at)) return undefined;
      const satoshis = worstSatoshis(safe(lots * at));
      const ladder = fixedLadder ?? ladderOf(asked());
      const entryReserve = safe(satoshis * scales.satoshiInWallet);
      const reserve = safe(entryReserve + ladder.rest[0]!);
      if (exposure !== null) {
        const units = BigInt(reserve) * scales.walletInCost + carriedCost;
        if (greaterThan({ units, scale: COST_PLACES }, exposure)) return undefined;
      }
      if (!wallet.pays(reserve)) return undefined;
      refusals.buy(lots, limit, last);
      return { lots, limit, satoshis, entryReserve, reserve, ladder };
    },
    /** The order of the next rebuy; undefined where the spread is too wide or what is set aside buys too little. */
    planRebuy(last: number, bid: number, ask: number, quote: number, setAside: number): QuickBuy | undefined {
      if (isWide(bid, ask)) return undefined;
      const limit = limited ? limitBelow(ask) : 0;
      const at = limited ? limit : ask;
      if (!(at > 0)) return undefined;
      const wanted = lotsFor(quote / 100_000_000, () => ({ units: BigInt(quote), scale: 8 }), at);
      const paid = Math.min(wanted, payable(setAside, at, ownWorst));
      const lots = most < paid ? floorDivide(most, scales.step) * scales.step : paid;
      if (lines.tooSmall(Math.min(lots, scales.most), at)) return undefined;
      refusals.buy(lots, limit, last);
      return { lots, limit };
    },
    /** A buy again at the present price, as its timeout says; undefined when what is set aside buys too little. */
    reprice(wanted: number, last: number, ask: number, setAside: number): QuickBuy | undefined {
      const limit = order.onTimeout === 'market' ? 0 : limitBelow(ask);
      const at = order.onTimeout === 'market' ? ask : limit;
      if (!(at > 0)) return undefined;
      const lots = Math.min(wanted, payable(setAside, at, limit > 0 ? worstAtLimit : worstAtMarket));
      if (lines.tooSmall(Math.min(lots, scales.most), at)) return undefined;
      refusals.buy(lots, limit, last);
      return { lots, limit };
    },
    /** The ladder as the row of an entry writes it; empty without one. */
    ladderText: ({ quotes }: QuickLadder): string =>
      rungs.map(({ dropPct }, level) => `-${digits(dropPct)}%: ${textOf(quotes[level]!, 8)}`).join(', '),
  };
}
export type QuickEntries = ReturnType<typeof createQuickEntries>;

/** a / b rounded up, both positive. */
const ceilBig = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
