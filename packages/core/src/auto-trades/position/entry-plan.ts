import {
  add,
  decimal,
  divide,
  greaterThan,
  isPositive,
  lessThan,
  minimum,
  multiply,
  ONE,
  subtract,
  sum,
  toMultiple,
  toText,
} from '../../money/decimal.ts';
import { digits, type Money, type Percent } from '../../money/figure.ts';
import { spendable, type WalletBook, walletTotal } from '../../wallets/wallet-book.ts';
import { buyLimit, lotsWithin, NOTIONAL_MARGIN, textOf, tooSmallToTrade, untakenType, worstCost } from './position-lines.ts';
import type { LadderLevel, MarketMoment, PlannedOrder, PositionSettings } from './position-state.ts';
import { planLadder, rebuyLevels } from './rebuy-levels.ts';

/** An entry the exchange would accept and the wallet can pay, or the first rule that stops it. */
export type EntryPlan =
  | {
      readonly ok: true;
      readonly order: PlannedOrder;
      /** Set aside for everything: the entry and every rebuy, at worst. */
      readonly reserve: string;
      readonly entryReserve: string;
      readonly ladder: readonly LadderLevel[];
      readonly quote: string;
    }
  | {
      readonly ok: false;
      readonly rule: 'spread' | 'order-type' | 'size' | 'exposure' | 'budget';
      readonly observed: string;
      readonly limit: string;
    };

const SATOSHI = decimal('0.00000001');

/** Spread between ask and bid in percent of their middle, 4 decimals. */
export function spreadPct({ bid, ask }: Pick<MarketMoment, 'bid' | 'ask'>): string {
  const middle = add(decimal(bid), decimal(ask));
  return isPositive(middle) ? toText(divide(multiply(subtract(decimal(ask), decimal(bid)), decimal('200')), middle, 4)) : '0';
}

/** The spread when it is wider than `maxPct`, else null. */
export function isWideSpread(moment: Pick<MarketMoment, 'bid' | 'ask'>, maxPct: Percent): string | null {
  const spread = spreadPct(moment);
  return greaterThan(decimal(spread), decimal(maxPct)) ? spread : null;
}

/** The rebuys of an entry of `quote`: what each may spend, and what it can cost at worst. Whole satoshis, rounded up. */
export function planRebuys(settings: Pick<PositionSettings, 'config' | 'takerFee'>, quote: Money): readonly LadderLevel[] {
  const { rebuys, entry } = settings.config;
  const slippage = entry.order.type === 'Market' || entry.order.onTimeout === 'market' ? entry.order.maxSlippagePct : '0';
  return rebuyLevels(rebuys).map(({ dropPct, sizeMultiplier }) => {
    const amount = toMultiple(multiply(decimal(quote), decimal(sizeMultiplier)), SATOSHI, 'up');
    return { dropPct, quote: toText(amount), reserve: toText(toMultiple(worstCost(settings, amount, ONE, slippage), SATOSHI, 'up')) };
  });
}

/** Quote amount that the size setting asks for. */
export function entryQuote(settings: Pick<PositionSettings, 'config'>, wallet: WalletBook): string {
  const { size } = settings.config.entry;
  if (size.mode === 'fixed') return digits(size.value);
  return toText(multiply(decimal(walletTotal(wallet.sums)), multiply(decimal(size.value), decimal('0.01'))));
}

/**
 * Sizes the entry order at a moment of the market. A limit price is the ask less the offset, on the tick; quantities
 * are whole lots, rounded down, so that no more is spent than was asked for.
 */
export function planEntry(settings: PositionSettings, wallet: WalletBook, moment: MarketMoment, carriedCost = '0'): EntryPlan {
  const { entry, maxExposurePerCoin } = settings.config;
  const spread = isWideSpread(moment, entry.maxSpreadPct);
  if (spread !== null) return { ok: false, rule: 'spread', observed: spread, limit: digits(entry.maxSpreadPct) };
  const { filters } = settings;
  const untaken = untakenType(filters, entry.order.type);
  if (untaken) return { ok: false, rule: 'order-type', observed: untaken, limit: '' };
  const limit = entry.order.type === 'Limit' ? buyLimit(moment.ask, entry.order.offsetPct, filters) : null;
  const price = limit ?? decimal(moment.ask);
  const quote = entryQuote(settings, wallet);
  // An offset can leave less than a tick of a price that is only a few ticks high.
  if (!isPositive(price)) return { ok: false, rule: 'size', observed: '0', limit: digits(filters.minNotional) };
  const last = decimal(moment.price);
  const quantity = lotsWithin(divide(decimal(quote), price, 28, 'down'), filters, entry.order.type, limit ?? last);
  const smallest = divide(multiply(decimal(filters.minNotional), NOTIONAL_MARGIN), ONE, 8, 'up');
  // A market order is valued by the trades, which a wide spread leaves far below the ask.
  if (tooSmallToTrade(quantity, divide(limit ?? minimum(price, last), NOTIONAL_MARGIN), filters)) {
    return { ok: false, rule: 'size', observed: toText(multiply(quantity, price)), limit: toText(smallest) };
  }
  // The exchange must take every rung, at the price it is planned for.
  const small = planLadder(settings, price, decimal(quote)).find((rung) =>
    tooSmallToTrade(rung.quantity, divide(rung.price, NOTIONAL_MARGIN), filters),
  );
  if (small && small.level > 0) return { ok: false, rule: 'size', observed: toText(small.quote), limit: toText(smallest) };
  const entryReserve = toMultiple(worstCost(settings, quantity, price, limit ? '0' : entry.order.maxSlippagePct), SATOSHI, 'up');
  const ladder = planRebuys(settings, quote);
  const reserve = toText(sum([entryReserve, ...ladder.map((level) => decimal(level.reserve))]));
  const exposure = add(decimal(reserve), decimal(carriedCost));
  if (maxExposurePerCoin !== null && greaterThan(exposure, decimal(maxExposurePerCoin)))
    return { ok: false, rule: 'exposure', observed: toText(exposure), limit: digits(maxExposurePerCoin) };
  const free = spendable(wallet.sums, wallet.reservePct);
  if (lessThan(decimal(free), decimal(reserve))) return { ok: false, rule: 'budget', observed: free, limit: reserve };
  const order = { type: entry.order.type, quantity: toText(quantity), price: textOf(limit) };
  return { ok: true, order, reserve, entryReserve: toText(entryReserve), ladder, quote };
}
