import { Decision } from '../auto-trades/decide.ts';
import type { QuickColumns } from './quick-columns.ts';
import { HIGH, type QuickBook } from './quick-position.ts';
import { compareProducts, NotCovered, shareOf } from './quick-scales.ts';
import type { QuickMoment } from './quick-traces.ts';

const MINUTE_MS = 60_000;

/**
 * Checks the decisions of a quick run exactly and does what follows, as `engine-judgement.ts` and the reducers of the
 * position do. Answers whether the tick may decide more.
 */
export function createQuickJudge(book: QuickBook, levels: QuickColumns, delayBars: number) {
  const { config, view, scales, state, held, columns, market, lines, entries, traces, units } = book;
  const { entry, trailingCost, timeStop, exit } = config;
  const { trigger, trailing } = entry;
  const drop = trigger.kind === 'drop' ? shareOf(trigger.dropPct) : null;
  const rebound = shareOf(trailing.reboundPct);
  const reason = trigger.kind === 'drop' ? 'Drop' : 'Immediate';
  const timeBound = timeStop?.onlyIfGainPctAbove ?? null;
  const floors = trailingCost.floor === 'breakEven';
  const sellableLots = (lots: number): number => Math.min(lots, scales.most);

  /** The line that a peak justifies, never under its floor. */
  function lineFor(price: number): number {
    const below = lines.lineBelow(price);
    if (!floors) return below;
    if (Number.isNaN(state.breakEven)) state.breakEven = lines.breakEven(held);
    return Math.max(below, state.breakEven);
  }

  function enter(moment: QuickMoment): boolean {
    const { at, price, bid, ask } = moment;
    const plan = entries.plan(price, bid, ask, state.free, lines.tooSmallToPlan, sellableLots);
    if (!plan) return false;
    const { lots, limit, reserve } = plan;
    state.step += 1;
    state.free -= reserve;
    state.reserved += reserve;
    state.ownReserve = reserve;
    state.most = price;
    state.least = price;
    traces?.entry(state.number, state.step, moment, {
      reason,
      spread: entries.spread(bid, ask),
      high: drop ? units(market[HIGH]!) : Number.NaN,
      trigger: state.triggerPrice,
      low: state.low,
      ...plan,
    });
    const from = view.bar + 1 + delayBars;
    levels.fly({ buys: true, purpose: 'entry', lots, limit, level: null, from, cancel: false }, at + entry.order.timeoutSec * 1000);
    book.show(true);
    return true;
  }

  /** A sale at the market of what one order may carry. */
  function sell(purpose: 'exit' | 'takeProfit', lots: number, level: number | null, { at, price }: QuickMoment): true {
    entries.checkSale(lots, price);
    state.step += 1;
    book.seen(price);
    if (view.ambiguous) state.ambiguous = true;
    levels.fly({ buys: false, purpose, lots, limit: 0, level, from: view.bar + 1, cancel: false }, at + exit.order.timeoutSec * 1000);
    book.show(true);
    return true;
  }
  function leave(why: string, moment: QuickMoment, level: number | null = null): true {
    const lots = lines.sellable(held.quantity);
    if (lots === scales.most) throw new NotCovered('more than one order may carry');
    state.exitReason = why;
    return sell('exit', lots, level, moment);
  }
  function slice(moment: QuickMoment): boolean {
    const due = lines.slice(held);
    if (!due || moment.price < due.price) return false;
    return due.last ? leave('TakeProfit', moment, held.levelsDone) : sell('takeProfit', due.lots, due.level, moment);
  }

  /** The line ends without a sale of its own. */
  function endLine(why: string, moment: QuickMoment, next: 'rearm' | 'disarm' | 'sell'): true {
    const { line, peak, lineAt } = state;
    traces?.expired(state.number, why, moment, line, peak, moment.at - lineAt, next, state.average);
    book.seen(moment.price);
    state.line = Number.NaN;
    state.peak = Number.NaN;
    if (next === 'sell') return leave('TrailingCost', moment);
    state.disarmed = next === 'disarm';
    levels.hold();
    book.show(true);
    return true;
  }
  const expire = (why: string, moment: QuickMoment): true => endLine(why, moment, trailingCost.onExpiry === 'disarm' ? 'disarm' : 'rearm');

  function drawLine(moment: QuickMoment, line: number): true {
    const { at, price } = moment;
    traces?.movedUp(state.number, moment, state.average, state.line, state.peak, line);
    state.line = line;
    state.peak = price;
    state.lineAt = at;
    book.seen(price);
    levels.hold();
    book.show(true);
    return true;
  }

  return (decision: Decision, moment: QuickMoment): boolean => {
    const { at, price } = moment;
    switch (decision) {
      case Decision.Triggered:
        if (drop && compareProducts(price, drop.hundred, units(market[HIGH]!), drop.hundred - drop.units) > 0) return false;
        if (!trailing.enabled) return enter(moment);
        state.triggerPrice = price;
        state.low = price;
        levels.trail(at + trailing.expiryMin * MINUTE_MS);
        return true;
      case Decision.Lowered:
        state.low = price;
        levels.lower();
        return false;
      case Decision.TrailExpired:
      case Decision.TrailChased:
        levels.watch();
        return true;
      case Decision.Enter:
        return compareProducts(price, rebound.hundred, state.low, rebound.hundred + rebound.units) >= 0 && enter(moment);
      case Decision.StopSuspected:
        levels.doubtStop(at);
        return false;
      case Decision.StopCleared:
        levels.doubtStop(Number.NaN);
        return true;
      case Decision.StopLoss:
        return price <= state.stop && leave('StopLoss', moment);
      case Decision.LineArmed:
        return price >= lines.arm(held) && drawLine(moment, lineFor(price));
      case Decision.LineRaised: {
        const next = lineFor(price);
        return lines.raises(state.line, next) && drawLine(moment, next);
      }
      case Decision.LineHit:
        if (price > state.line) return false;
        return floors && !lines.covers(held, moment.bid) ? expire('BelowFloor', moment) : leave('TrailingCost', moment);
      case Decision.LineTimedOut:
        return trailingCost.onExpiry === 'sellIfProfit' && lines.covers(held, moment.bid)
          ? endLine('Timeout', moment, 'sell')
          : expire('Timeout', moment);
      case Decision.LineGap:
        return expire('DataGap', moment);
      case Decision.TakeProfit:
        return slice(moment);
      case Decision.TimeStop:
        return (timeBound === null || lines.isAbove(held, price, timeBound)) && leave('TimeStop', moment);
      case Decision.OrderTimedOut:
        if (state.order) state.order.cancel = true;
        columns.deadline[0] = Number.NaN;
        return true;
      default:
        throw new NotCovered(`decision ${decision}`);
    }
  };
}
