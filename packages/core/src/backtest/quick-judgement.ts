import { Decision } from '../auto-trades/decide.ts';
import type { QuickBooks } from './quick-books.ts';
import type { QuickColumns } from './quick-columns.ts';
import { HIGH, type QuickBook, type QuickFacts, Stage } from './quick-position.ts';
import { compareProducts, NotCovered, shareOf } from './quick-scales.ts';
import { isUrgent, type QuickSteps } from './quick-steps.ts';
import type { QuickMoment } from './quick-traces.ts';

const MINUTE_MS = 60_000;
const REFUSED_GUARD_MS = 60_000;

/**
 * Checks the decisions of a quick run exactly and does what follows, as `engine-judgement.ts` and the reducers of the
 * position do. Answers whether the tick may decide more.
 */
export function createQuickJudge(book: QuickBook, levels: QuickColumns, books: QuickBooks, steps: QuickSteps) {
  const { config, state, held, market, lines, entries, traces, units } = book;
  const { entry, trailingCost, timeStop, rebuys, exit } = config;
  const { trigger, trailing } = entry;
  const { go } = books;
  const { done } = steps;
  const drop = trigger.kind === 'drop' ? shareOf(trigger.dropPct) : null;
  const rebound = shareOf(trailing.reboundPct);
  const chase = shareOf(trailing.maxChasePct);
  const rebuyRebound = shareOf(rebuys.trailingReboundPct);
  const leastGain = exit.minGainPct;
  const timeBound = timeStop?.onlyIfGainPctAbove ?? null;
  const floors = trailingCost.floor === 'breakEven';

  /** The line that a peak justifies, never under its floor. */
  function lineFor(price: number): number {
    const below = lines.lineBelow(price);
    return floors ? Math.max(below, levels.breakEvenAt()) : below;
  }

  function enter(moment: QuickMoment): boolean {
    const { at, bid, ask } = moment;
    const plan = entries.plan(book.last(), bid, ask, state.carriedCost);
    if (!plan) return false;
    state.order = steps.place('entry', plan, at);
    books.enter(plan, moment);
    return done();
  }

  /** An exit is due; false where what is on its way stands against it. */
  function leave(why: string, moment: QuickMoment, facts: QuickFacts | null = null): boolean {
    const queues = (): boolean => {
      steps.makeWay(moment.price);
      state.exitReason = why;
      state.exitFacts = facts;
      return true;
    };
    switch (state.stage) {
      case Stage.EntryPending:
        return held.quantity > 0 && state.exitReason === null && queues() && done();
      case Stage.Adding:
        return state.exitReason === null && queues() && done();
      case Stage.Reducing:
        queues();
        break;
      case Stage.ExitPending: {
        const { order, resident } = state;
        const waits = !isUrgent(state.exitReason) || order?.cancel === false || resident?.cancel === false;
        if (!isUrgent(why) || order?.limit === 0 || !waits) return false;
        queues();
        break;
      }
      default:
        if (state.resident) queues();
        else {
          steps.sell(why, moment);
          state.exitFacts = facts;
        }
    }
    go(Stage.ExitPending);
    return done();
  }
  function takeProfit(moment: QuickMoment): boolean {
    const due = lines.slice(held);
    if (!due || moment.price < due.price) return false;
    if (state.resident) {
      steps.makeWay(moment.price);
      go(Stage.Reducing);
    } else if (due.last) {
      steps.sellLastSlice(moment);
      go(Stage.ExitPending);
    } else {
      steps.sellSlice(moment);
      go(Stage.Reducing);
    }
    return done();
  }

  /** The line ends; false where none is drawn. */
  function endLine(why: string, moment: QuickMoment): boolean {
    const { line, peak, lineAt, stage } = state;
    if (Number.isNaN(line) || stage === Stage.EntryPending) return false;
    const sells =
      stage === Stage.Protected && why === 'Timeout' && trailingCost.onExpiry === 'sellIfProfit' && lines.covers(held, moment.bid);
    const next = sells ? 'sell' : trailingCost.onExpiry === 'disarm' ? 'disarm' : 'rearm';
    traces?.expired(state.number, why, moment, moment.price, line, peak, moment.at - lineAt, next, state.average);
    book.seen(moment.price);
    books.undraw();
    if (!sells) {
      state.disarmed = next === 'disarm';
      if (stage === Stage.Protected) go(Stage.Open);
      return done();
    }
    if (state.resident) {
      steps.makeWay(moment.price);
      state.exitReason = 'TrailingCost';
    } else steps.sell('TrailingCost', moment);
    go(Stage.ExitPending);
    return done();
  }

  function drawLine(moment: QuickMoment, line: number): boolean {
    const { at, price } = moment;
    traces?.movedUp(state.number, moment, state.average, state.line, state.peak, line);
    state.line = line;
    state.peak = price;
    state.lineAt = at;
    book.seen(price);
    go(Stage.Protected);
    return done();
  }

  function rebuy({ at, price, bid, ask }: QuickMoment): boolean {
    const reached =
      rebuyRebound.units > 0 && !Number.isNaN(state.rebuyLow)
        ? compareProducts(price, rebuyRebound.hundred, state.rebuyLow, rebuyRebound.hundred + rebuyRebound.units) >= 0
        : price <= levels.rebuyAt();
    if (!reached) return false;
    const level = held.rebuysDone;
    const plan = entries.planRebuy(book.last(), bid, ask, state.ladder.quotes[level]!, steps.setAside('rebuy'));
    if (!plan) return false;
    state.order = steps.place('rebuy', plan, at, { attempt: 0, reprices: 0, level });
    state.entryWithdrawn = false;
    book.seen(price);
    go(Stage.Adding);
    done();
    return false;
  }

  /** The stop that rests follows the floor. */
  function follow({ at, price }: QuickMoment): false {
    const plan = levels.guard(price);
    const { resident } = state;
    if (resident) {
      if (!resident.cancel && !levels.follows(plan)) resident.cancel = true;
    } else if (plan === 'refused') state.residentRetryAt = at + REFUSED_GUARD_MS;
    else if (plan && plan.stop < price) {
      entries.refusals.sell(plan.lots, plan.limit, plan.stop, book.last());
      state.resident = steps.place('protect', plan, at);
      state.residentRetryAt = 0;
    } else return false;
    done();
    return false;
  }

  /** A buy on its way, or what is looked for, is taken back. */
  function withdraw(): void {
    const { order, stage } = state;
    if (stage === Stage.Trailing) {
      state.triggerPrice = 0;
      state.low = 0;
      state.triggerFacts = null;
      go(Stage.Watching);
    } else if (stage === Stage.EntryPending || stage === Stage.Adding) {
      state.entryWithdrawn = true;
      if (order) order.cancel = true;
    } else return;
    done();
  }

  function act(decision: Decision, moment: QuickMoment): boolean {
    const { at, price } = moment;
    switch (decision) {
      case Decision.Triggered:
        if (drop && compareProducts(price, drop.hundred, units(market[HIGH]!), drop.hundred - drop.units) > 0) return false;
        if (!trailing.enabled) return enter(moment);
        state.triggerPrice = price;
        state.low = price;
        state.triggerFacts = trigger.kind === 'conditions' ? (state.verdict?.observed ?? {}) : null;
        state.trailUntil = at + trailing.expiryMin * MINUTE_MS;
        go(Stage.Trailing);
        return done();
      case Decision.Lowered:
        state.low = price;
        levels.load();
        return false;
      case Decision.TrailExpired:
      case Decision.TrailChased:
        withdraw();
        return true;
      case Decision.Enter:
        return compareProducts(price, rebound.hundred, state.low, rebound.hundred + rebound.units) >= 0 && enter(moment);
      case Decision.StopSuspected:
        state.stopSince = at;
        levels.load();
        return false;
      case Decision.StopCleared:
        state.stopSince = Number.NaN;
        levels.load();
        return true;
      case Decision.StopLoss:
        return price <= state.stop && leave('StopLoss', moment);
      case Decision.LineArmed:
        return price >= levels.armAt() && drawLine(moment, lineFor(price));
      case Decision.LineRaised: {
        const next = lineFor(price);
        return lines.raises(state.line, next) && drawLine(moment, next);
      }
      case Decision.LineHit: {
        if (price > state.line) return false;
        const sells = state.stage === Stage.Reducing || state.stage === Stage.ExitPending;
        if (!sells && !floors) return leave('TrailingCost', moment);
        const covers = lines.covers(held, moment.bid);
        // While a sell rests in the book only a sale that pays its cost overtakes it.
        if (sells && !covers) return false;
        return covers ? leave('TrailingCost', moment) : endLine('BelowFloor', moment);
      }
      case Decision.LineTimedOut:
        return endLine('Timeout', moment);
      case Decision.LineGap:
        return endLine('DataGap', moment);
      case Decision.TakeProfit:
        return takeProfit(moment);
      case Decision.TimeStop:
        return (timeBound === null || lines.isAbove(held, price, timeBound)) && leave('TimeStop', moment);
      case Decision.Conditions:
        if (leastGain !== null && !lines.gains(held, moment.bid, leastGain)) return false;
        return leave('Conditions', moment, state.verdict?.observed ?? {});
      case Decision.RebuyLowered:
        if (Number.isNaN(state.rebuyLow) && !(price <= levels.rebuyAt())) return false;
        state.rebuyLow = price;
        if (Number.isNaN(state.rebuyUntil)) state.rebuyUntil = at + trailing.expiryMin * MINUTE_MS;
        levels.load();
        return false;
      case Decision.RebuyChased:
        if (compareProducts(price, chase.hundred, levels.rebuyAt(), chase.hundred + chase.units) <= 0) return false;
        return lapse();
      case Decision.RebuyExpired:
        return lapse();
      case Decision.Rebuy:
        return rebuy(moment);
      case Decision.WithdrawRebuy:
        withdraw();
        return false;
      case Decision.Guard:
        return follow(moment);
      case Decision.OrderTimedOut: {
        const late = state.order ?? state.resident;
        if (late) late.cancel = true;
        return done();
      }
      default:
        throw new NotCovered(`decision ${decision}`);
    }
  }
  function lapse(): boolean {
    state.rebuyLow = Number.NaN;
    state.rebuyUntil = Number.NaN;
    levels.load();
    return true;
  }
  return { act, withdraw };
}
