import { type Decimal, decimal, divide, HUNDRED, multiply, subtract } from '@pilotfish/core/money/decimal';
import { STANDARD_FEE } from '@pilotfish/core/money/trading-terms';
import { type PositionFigures, positionFigures, resultAtTarget } from '@pilotfish/core/positions/position-figures';
import { allowedPositionActions, type PositionSnapshot } from '@pilotfish/core/positions/position-machine';
import type { PositionOrigin } from '@pilotfish/core/positions/position-origin';
import type { ClosedPosition, ClosedRow, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import { type PriceSource, sellPrice } from '../market/sell-price.ts';
import { brokenOf, isBroken, isRealisedKnown, type Reader } from './broken-reasons.ts';
import type { BookPosition } from './position-book.ts';
import { amount, amountOrNull } from './wire-amount.ts';

/** What the exchange charges where it does not say. */
export const STANDARD_TAKER = decimal(STANDARD_FEE);

export type ViewOptions = Reader & {
  readonly market: PriceSource;
  /** What a sale of a pair costs, a fraction: by its own commission, or by the account's while that is not known. */
  readonly takerOf: (symbol: string) => Decimal;
  readonly stateOf: (of: BookPosition) => PositionSnapshot;
};

/** Everything about a position that changes with the market, and whether it counts. */
export type Valued = { readonly of: BookPosition; readonly figures: PositionFigures; readonly price: Decimal | null };

export const valuedAt = (of: BookPosition, { market, takerOf }: Pick<ViewOptions, 'market' | 'takerOf'>): Valued => {
  const price = of.position.closedAt === null ? sellPrice(market, of.position.symbol) : null;
  return { of, price, figures: positionFigures(of.position, { price, taker: takerOf(of.position.symbol) }) };
};

const iso = (at: number): string => new Date(at).toISOString();

function baseOf({ of, figures }: Valued, options: ViewOptions) {
  const { facts, stateOf } = options;
  const { id, position, override } = of;
  return {
    id,
    exchange: 'Binance' as const,
    symbol: position.symbol,
    baseAsset: position.baseAsset,
    quoteAsset: position.quoteAsset,
    number: position.number,
    openedAt: iso(position.openedAt),
    quantity: amount(position.quantity),
    averageCost: amountOrNull(figures.averageCost),
    breakEven: amountOrNull(figures.breakEven),
    averageAsOnExchange: amountOrNull(figures.averageAsOnExchange),
    // While its entries cannot be explained, no result is told rather than a wrong one.
    realised: isRealisedKnown(of, facts) ? amount(position.realised) : null,
    fees: position.reasons.has('FEE_UNVALUED') ? null : amount(position.fees),
    trades: position.trades,
    broken: brokenOf(of, options),
    excludedFromTotals: override?.excluded ?? false,
    reopened: position.closedAt === null && (override?.reopenedUntil ?? null) !== null,
    allowed: allowedPositionActions(stateOf(of)),
  };
}

export function toOpenPosition(valued: Valued, sparkline: readonly number[], options: ViewOptions): OpenPosition {
  const { of, figures, price } = valued;
  const { position, override } = of;
  const target = override?.targetPrice == null ? null : decimal(override.targetPrice);
  const trusted = !isBroken(of, options.facts);
  const result = (value: Decimal | null) => (trusted ? amountOrNull(value) : null);
  return {
    ...baseOf(valued, options),
    cost: amount(position.cost),
    price: amountOrNull(price),
    value: amountOrNull(figures.value),
    unrealised: result(figures.unrealised),
    total: result(figures.total),
    exitFee: amountOrNull(figures.exitFee),
    returnPct: result(figures.returnPct),
    targetPrice: amountOrNull(target),
    targetDistancePct: target === null || price === null ? null : amount(divide(multiply(subtract(target, price), HUNDRED), price)),
    resultAtTarget: target === null || !trusted ? null : amount(resultAtTarget(position, target, options.takerOf(position.symbol))),
    sparkline: [...sparkline],
  };
}

/** A row of the closed list: a position with whose it was. */
export const toClosedRow = (
  valued: Valued,
  options: ViewOptions,
  origin: PositionOrigin,
  nameOf: (botId: string) => string,
): ClosedRow => ({
  ...toClosedPosition(valued, options),
  bots: origin.bots.map((id) => ({ id, name: nameOf(id) })),
  byHand: origin.byHand,
  exit: origin.exit,
});

export function toClosedPosition(valued: Valued, options: ViewOptions): ClosedPosition {
  const { position } = valued.of;
  const trusted = !isBroken(valued.of, options.facts);
  return {
    ...baseOf(valued, options),
    closedAt: iso(position.closedAt ?? position.lastAt),
    closedBy: position.closedBy ?? 'sell',
    matchedCost: amount(position.matchedCost),
    returnPct: trusted ? amountOrNull(valued.figures.returnPct) : null,
    dust: amount(position.dust.quantity),
  };
}
