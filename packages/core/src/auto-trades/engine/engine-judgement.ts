import { decimal, fromFloat, greaterThan, lessThan, plusPercent, subtract } from '../../money/decimal.ts';
import type { PositionState } from '../position/auto-trade-position-machine.ts';
import { armPrice, averageCost, coversCost, gainPrice, lessPercent, protectedCostFor, smallestRaise } from '../position/position-lines.ts';
import { planRebuy, rebuyChase, rebuyPrice, rebuyRebound } from '../position/position-rebuy.ts';
import { plannedGuard } from '../position/position-resident.ts';
import { saleIsPaused } from '../position/position-retry.ts';
import { nextSlice } from '../position/position-slices.ts';
import type { MarketMoment, PositionContext, PositionEvent } from '../position/position-state.ts';
import { Decision } from './decide.ts';

/** What the engine knows of a coin beside its position. */
export type JudgementFacts = {
  /** Highest price of the look-back window. */
  readonly high: number;
  /** What the conditions saw when their last verdict was given. */
  readonly observed: Readonly<Record<string, string>>;
};

/**
 * What follows from a decision after it was checked in exact decimals: an event of the position's machine, a write that
 * must survive a restart, or an entry to be planned. `again`: the same tick may decide something else after it.
 */
export type Judgement =
  | { readonly kind: 'event'; readonly event: PositionEvent; readonly again: boolean }
  | { readonly kind: 'write'; readonly change: Partial<PositionContext>; readonly again: boolean }
  | { readonly kind: 'enter' };

const event = (what: PositionEvent, again = true): Judgement => ({ kind: 'event', event: what, again });
const write = (change: Partial<PositionContext>, again = false): Judgement => ({ kind: 'write', change, again });

/** Re-checks a decision that was made in doubles. Undefined: exactly seen, nothing is due. */
export function judge(
  decision: Decision,
  state: PositionState,
  context: PositionContext,
  moment: MarketMoment,
  facts: JudgementFacts,
): Judgement | undefined {
  const price = decimal(moment.price);
  const bid = decimal(moment.bid);
  const { entry, trailingCost, rebuys, timeStop, exit } = context.settings.config;
  switch (decision) {
    case Decision.Triggered: {
      if (entry.trigger.kind === 'drop') {
        const level = lessPercent(fromFloat(facts.high, context.settings.pricePrecision), decimal(entry.trigger.dropPct));
        if (greaterThan(price, level)) return undefined;
      }
      if (!entry.trailing.enabled) return { kind: 'enter' };
      const trailUntil = moment.at + entry.trailing.expiryMin * 60_000;
      const observed = entry.trigger.kind === 'conditions' ? { observed: facts.observed } : {};
      return event({ type: 'entry.triggered', ...moment, trailUntil, ...observed });
    }
    case Decision.Lowered:
      return write({ entryLow: moment.price });
    case Decision.TrailExpired:
      return event({ type: 'entry.lapsed', reason: 'Expired', ...moment });
    case Decision.TrailChased:
      return event({ type: 'entry.lapsed', reason: 'Chased', ...moment });
    case Decision.Enter: {
      const rebound = plusPercent(decimal(context.entryLow!), decimal(entry.trailing.reboundPct));
      return lessThan(price, rebound) ? undefined : { kind: 'enter' };
    }
    case Decision.StopSuspected:
      return write({ stopSince: moment.at });
    case Decision.StopCleared:
      return write({ stopSince: null }, true);
    case Decision.StopLoss:
      return context.stopPrice !== null && !greaterThan(price, decimal(context.stopPrice))
        ? event({ type: 'exit.decided', reason: 'StopLoss', ...moment })
        : undefined;
    case Decision.LineArmed: {
      const arm = armPrice(context);
      return arm !== null && !lessThan(price, arm) ? event({ type: 'line.armed', ...moment }) : undefined;
    }
    case Decision.LineRaised: {
      const line = decimal(context.line!);
      const raise = subtract(protectedCostFor(context, price), line);
      return lessThan(raise, smallestRaise(context, line)) ? undefined : event({ type: 'line.raised', ...moment });
    }
    case Decision.LineHit: {
      if (greaterThan(price, decimal(context.line!))) return undefined;
      const covers = coversCost(context, bid);
      // While a sell rests in the book only a sale that pays its cost overtakes it.
      if ((state === 'reducing' || state === 'exitPending') && !covers) return undefined;
      return trailingCost.floor === 'breakEven' && !covers
        ? event({ type: 'line.expired', reason: 'BelowFloor', ...moment })
        : event({ type: 'exit.decided', reason: 'TrailingCost', ...moment });
    }
    case Decision.LineTimedOut:
      return event({ type: 'line.expired', reason: 'Timeout', ...moment });
    case Decision.LineGap:
      return event({ type: 'line.expired', reason: 'DataGap', ...moment });
    case Decision.TargetPrice:
      return context.targetPrice !== null && !lessThan(bid, decimal(context.targetPrice))
        ? event({ type: 'exit.decided', reason: 'TargetPrice', ...moment })
        : undefined;
    case Decision.TakeProfit: {
      const slice = nextSlice(context);
      return slice && !lessThan(bid, slice.price) ? event({ type: 'takeProfit.decided', ...moment }) : undefined;
    }
    case Decision.TimeStop: {
      const bound = timeStop?.onlyIfGainPctAbove ?? null;
      const average = averageCost(context);
      if (bound !== null && average && !greaterThan(bid, plusPercent(average, decimal(bound)))) return undefined;
      return event({ type: 'exit.decided', reason: 'TimeStop', ...moment });
    }
    case Decision.Conditions: {
      const least = exit.minGainPct === null ? null : gainPrice(context, exit.minGainPct);
      if (least && lessThan(bid, least)) return undefined;
      return event({ type: 'exit.decided', reason: 'Conditions', observed: facts.observed, ...moment });
    }
    case Decision.RebuyLowered: {
      const level = rebuyPrice(context);
      if (context.rebuyLow === null && (!level || greaterThan(price, level))) return undefined;
      return write({ rebuyLow: moment.price, rebuyUntil: context.rebuyUntil ?? moment.at + entry.trailing.expiryMin * 60_000 });
    }
    case Decision.RebuyExpired:
      return event({ type: 'rebuy.lapsed', reason: 'Expired', ...moment });
    case Decision.RebuyChased: {
      const chase = rebuyChase(context);
      return chase && greaterThan(price, chase) ? event({ type: 'rebuy.lapsed', reason: 'Chased', ...moment }) : undefined;
    }
    case Decision.Rebuy: {
      const level = rebuyPrice(context);
      const rebound = decimal(rebuys.trailingReboundPct).units > 0n ? rebuyRebound(context) : null;
      if (rebound ? lessThan(price, rebound) : !level || greaterThan(price, level)) return undefined;
      const plan = planRebuy(context, moment);
      return plan.ok ? event({ type: 'rebuy.decided', order: plan.order, ...moment }, false) : undefined;
    }
    case Decision.WithdrawRebuy:
      return event({ type: state === 'entryPending' ? 'entry.withdrawn' : 'rebuy.withdrawn', at: moment.at }, false);
    case Decision.Guard: {
      const plan = plannedGuard(context, moment);
      if (!context.resident && (!plan || ('stopPrice' in plan && !lessThan(decimal(plan.stopPrice), price)))) return undefined;
      return event({ type: 'guard.due', plan, ...moment }, false);
    }
    case Decision.OrderTimedOut:
      return event({ type: saleIsPaused(context) ? 'sale.retried' : 'order.timedOut', ...moment });
    default:
      return undefined;
  }
}
