import type { NextEvent } from '@pilotfish/core/auto-trades/bot-figures-contract';
import { tooSmallToTrade } from '@pilotfish/core/auto-trades/position/position-lines';
import { amountAtRisk } from '@pilotfish/core/auto-trades/position-risk';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { type Decimal, decimal, divide, HUNDRED, isPositive, multiply, ONE, subtract, sum } from '@pilotfish/core/money/decimal';
import type { HeldPositionRow } from '@pilotfish/core/positions/held-positions-contract';
import { openResult } from '@pilotfish/core/positions/position-figures';
import type { Market } from '../market/market.ts';
import { sellPrice } from '../market/sell-price.ts';
import { brokenOf, isBroken } from './broken-reasons.ts';
import type { Look } from './position-reader.ts';
import type { Valued } from './position-view.ts';
import { amount, amountOrNull } from './wire-amount.ts';

/** What a bot holds of a pair. Sums in the quote asset; `taker` is a fraction, `openedAt` an ISO time. */
export type HeldByBot = {
  readonly autoTradeId: string;
  readonly botName: string;
  readonly positionId: string;
  readonly symbol: string;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly state: HeldPositionRow['state'];
  readonly quantity: Decimal;
  readonly cost: Decimal;
  readonly realised: Decimal;
  readonly taker: Decimal;
  readonly stop: Decimal | null;
  readonly target: Decimal | null;
  readonly rebuys: HeldPositionRow['rebuys'];
  readonly breakEven: HeldPositionRow['breakEven'];
  readonly openedAt: string;
  readonly next: NextEvent | null;
  readonly attention: string | null;
};
export type BotsHeld = (accountId: string, mode: TradeMode) => Promise<readonly HeldByBot[]>;

/** Decimals of percentages. */
const PERCENT_PLACES = 4;

/** What moves with the price, alike for bots and by hand; null where a price or the cost is not known. */
function figuresAt(
  price: Decimal | null,
  { quantity, cost, taker, stop }: { quantity: Decimal; cost: Decimal | null; taker: Decimal; stop: Decimal | null },
) {
  const result = price && cost && openResult({ quantity, cost }, price, taker);
  return {
    quantity: amount(quantity),
    averageCost: cost && amount(divide(cost, quantity)),
    cost: amountOrNull(cost),
    price: amountOrNull(price),
    value: price && amount(multiply(quantity, price)),
    result: amountOrNull(result),
    resultPct: result && cost && isPositive(cost) ? amount(divide(multiply(result, HUNDRED), cost, PERCENT_PLACES)) : null,
    stop: amountOrNull(stop),
    atRisk: price && stop && amount(amountAtRisk(quantity, price, stop, taker)),
  };
}

/** What a bot holds, as it is listed. */
export function botRow(held: HeldByBot, market: Pick<Market, 'board' | 'price' | 'pair'>, sparkline: readonly number[]): HeldPositionRow {
  const { symbol, baseAsset, quoteAsset } = held;
  return {
    autoTradeId: held.autoTradeId,
    botName: held.botName,
    positionId: held.positionId,
    symbol,
    baseAsset,
    quoteAsset,
    state: held.state,
    ...figuresAt(sellPrice(market, symbol), held),
    costGap: null,
    realised: amount(held.realised),
    target: amountOrNull(held.target),
    rebuys: [...held.rebuys],
    breakEven: held.breakEven,
    openedAt: held.openedAt,
    next: held.next,
    attention: held.attention,
    broken: [],
    excludedFromTotals: false,
    sparkline: [...sparkline],
  };
}

/**
 * What is held of a ledger's position by hand: what is left of its quantity and cost when its bots' are taken off, so that
 * all rows of a pair add up to the ledger. The cost is null where it would be nothing or less, and while the position
 * is broken.
 * @returns undefined when its bots hold all of it, or what is left could not be sold
 */
export function handRow(
  valued: Valued,
  bots: readonly Pick<HeldByBot, 'quantity' | 'cost'>[],
  look: Look,
  sparkline: readonly number[],
): HeldPositionRow | undefined {
  const { of, price, figures } = valued;
  const { position, override } = of;
  const quantity = subtract(position.quantity, sum(bots.map((bot) => bot.quantity)));
  if (!isPositive(quantity)) return undefined;
  const filters = look.market.pair(position.symbol)?.filters;
  if (bots.length > 0 && filters && price && tooSmallToTrade(quantity, price, filters, 'Market')) return undefined;
  const left = subtract(position.cost, sum(bots.map((bot) => bot.cost)));
  const gap = isBroken(of, look.facts) ? 'broken' : isPositive(left) ? null : 'bots-cost-more';
  const cost = gap === null ? left : null;
  const taker = look.takerOf(position.symbol);
  const even = bots.length === 0 ? figures.breakEven : cost && divide(cost, multiply(quantity, subtract(ONE, taker)));
  const target = override?.targetPrice == null ? null : decimal(override.targetPrice);
  return {
    autoTradeId: null,
    botName: null,
    positionId: of.id,
    symbol: position.symbol,
    baseAsset: position.baseAsset,
    quoteAsset: position.quoteAsset,
    state: 'Open',
    ...figuresAt(price, { quantity, cost, taker, stop: null }),
    costGap: gap,
    realised: null,
    target: amountOrNull(target),
    rebuys: [],
    breakEven: cost && amountOrNull(even),
    openedAt: new Date(position.openedAt).toISOString(),
    next: null,
    attention: null,
    broken: brokenOf(of, look),
    excludedFromTotals: override?.excluded ?? false,
    sparkline: [...sparkline],
  };
}
