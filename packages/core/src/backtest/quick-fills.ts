import type { QuickBooks } from './quick-books.ts';
import type { QuickColumns } from './quick-columns.ts';
import type { QuickNews } from './quick-exchange.ts';
import { type QuickBook, type QuickOrder, Stage } from './quick-position.ts';
import { NotCovered } from './quick-scales.ts';
import type { QuickSteps } from './quick-steps.ts';
import { isUrgent } from './quick-steps.ts';
import type { QuickMoment } from './quick-traces.ts';

/** As `position-fills.ts` and `position-resident.ts` say it. */
const RESIDENT_PATIENCE_MS = 2000;
const REFUSED_MS = 60_000;

/**
 * What follows when the exchange executes or ends an order, as the chart of the position says it.
 */
export function createQuickFills(book: QuickBook, levels: QuickColumns, books: QuickBooks, steps: QuickSteps) {
  const { config, scales, state, held, lines, entries } = book;
  const { go } = books;
  const { done } = steps;
  const { onTimeout, maxReprices } = config.entry.order;
  const exitOrder = config.exit.order;

  function sold(order: QuickOrder, lots: number, price: number, fee: number, at: number): void {
    const ofResident = order === state.resident;
    const reason = ofResident ? (order.mirrors ?? 'StopLoss') : (state.exitReason ?? 'TakeProfit');
    if (ofResident) {
      // The exchange has decided the exit: a buy on its way is taken back, and the rest is given a moment.
      state.exitReason ??= reason;
      if (state.order?.buys) state.order.cancel = true;
      if (order.executed === lots) order.deadline = at + RESIDENT_PATIENCE_MS;
    }
    books.sold(order, reason, lots, price, fee, at);
    if (held.quantity > 0) levels.changed();
  }

  function executed({ order, lots, price, fee, at }: QuickNews): void {
    order.executed += lots;
    if (order.buys) books.bought(order, lots, price, fee, at);
    else sold(order, lots, price, fee, at);
    if (order === state.resident && (state.stage === Stage.Open || state.stage === Stage.Protected || state.stage === Stage.Reducing))
      go(Stage.ExitPending);
    // The end of a filled order follows at once.
    if (order.left > 0) done();
  }

  /** A buy that was not filled in time goes on at another price or at the market, as its timeout says. */
  function repeatsBuy(order: QuickOrder, { ask, at }: QuickMoment): boolean {
    const again = onTimeout === 'market' || (onTimeout === 'reprice' && order.reprices < maxReprices);
    if (!order.cancel || order.limit === 0 || state.entryWithdrawn || order.executed > 0 || !again) return false;
    const plan = entries.reprice(order.lots, book.last(), ask, steps.setAside(order.purpose));
    if (!plan) return false;
    state.order = steps.place(order.purpose, plan, at, { attempt: order.attempt + 1, reprices: order.reprices + 1, level: order.level });
    return done();
  }
  function repeatSell(order: QuickOrder, moment: QuickMoment, purpose: 'exit' | 'takeProfit'): true {
    const left = purpose === 'exit' ? held.quantity : (order.lots - order.executed) * scales.lotInHeld;
    const plan = steps.plannedSell(left, moment, isUrgent(state.exitReason) || exitOrder.onTimeout === 'market');
    const again = { attempt: order.attempt + 1, reprices: order.reprices + 1, level: order.level };
    state.order = steps.place(purpose, plan, moment.at, again);
    return done();
  }
  function opened(): true {
    state.order = null;
    books.trim();
    state.exitReason = null;
    state.exitFacts = null;
    state.stopSince = Number.NaN;
    go(Stage.Open);
    return done();
  }
  function heldAgain(): true {
    state.order = null;
    state.exitReason = null;
    state.exitFacts = null;
    go(Number.isNaN(state.line) ? Stage.Open : Stage.Protected);
    return done();
  }
  function buyEnded(stage: Stage): true {
    state.order = null;
    books.trim();
    state.rebuyLow = Number.NaN;
    state.rebuyUntil = Number.NaN;
    go(stage);
    return done();
  }
  function residentEnded(order: QuickOrder, at: number): void {
    state.resident = null;
    state.residentRetryAt = order.cancel ? 0 : at + REFUSED_MS;
  }
  /** What the exit waited for is over: now it is placed. */
  function placeQueued(ofResident: boolean, moment: QuickMoment): true {
    if (ofResident) state.resident = null;
    else {
      state.order = null;
      books.trim();
    }
    // A stop that took its own way out leaves an order that still waits for its end.
    if (!state.order) steps.sell(state.exitReason ?? 'StopLoss', moment);
    go(Stage.ExitPending);
    return done();
  }
  function closed(moment: QuickMoment): void {
    if (state.resident) state.resident.cancel = true;
    books.close(state.exitReason ?? 'TakeProfit', moment);
  }
  const isDust = ({ price }: QuickMoment): boolean => lines.isDust(held, price, state.exitReason !== null);

  function endedEntry(order: QuickOrder, moment: QuickMoment): void {
    if (held.bought === 0 && repeatsBuy(order, moment)) return;
    if (held.bought === 0) books.close('Abandoned', moment);
    else if (lines.tooSmall(lines.sellable(held.quantity), moment.price)) books.close('Dust', moment);
    else if (state.exitReason !== null) placeQueued(false, moment);
    else opened();
  }
  function endedAdding(order: QuickOrder, ofResident: boolean, moment: QuickMoment): void {
    if (ofResident) {
      residentEnded(order, moment.at);
      done();
    } else if (state.exitReason !== null) {
      if (state.resident) buyEnded(Stage.ExitPending);
      else if (isDust(moment)) closed(moment);
      else placeQueued(false, moment);
    } else if (!repeatsBuy(order, moment)) buyEnded(Number.isNaN(state.line) ? Stage.Open : Stage.Protected);
  }
  function endedReducing(order: QuickOrder, filled: boolean, ofResident: boolean, moment: QuickMoment): void {
    if (ofResident) {
      const due = lines.slice(held);
      if (!due) {
        residentEnded(order, moment.at);
        go(Number.isNaN(state.line) ? Stage.Open : Stage.Protected);
      } else {
        state.resident = null;
        if (due.last) {
          steps.sellLastSlice(moment);
          go(Stage.ExitPending);
        } else steps.sellSlice(moment);
      }
      done();
    } else if (isDust(moment)) closed(moment);
    else if (state.exitReason !== null || (!filled && exitOrder.onTimeout !== 'cancel' && order.lots > order.executed))
      repeatSell(order, moment, state.exitReason ? 'exit' : 'takeProfit');
    else heldAgain();
  }
  function endedExit(order: QuickOrder, ofResident: boolean, moment: QuickMoment): void {
    if (ofResident) {
      if (isDust(moment)) books.close(order.executed > 0 ? (order.mirrors ?? 'StopLoss') : (state.exitReason ?? 'Dust'), moment);
      else placeQueued(true, moment);
    } else if (isDust(moment)) closed(moment);
    else if (
      isUrgent(state.exitReason) ||
      order.purpose === 'takeProfit' ||
      order.limit === 0 ||
      (exitOrder.onTimeout !== 'cancel' && order.reprices < exitOrder.maxReprices)
    )
      repeatSell(order, moment, 'exit');
    else heldAgain();
  }

  /** What the exchange said of an order of this coin. */
  return (news: QuickNews): void => {
    const { order, lots, filled, at } = news;
    const ofResident = order === state.resident;
    if (!ofResident && order !== state.order) {
      if (lots > 0) throw new NotCovered('an order of nobody');
      return;
    }
    if (lots > 0) {
      executed(news);
      return;
    }
    const moment = book.now(at);
    switch (state.stage) {
      case Stage.EntryPending:
        endedEntry(order, moment);
        break;
      case Stage.Adding:
        endedAdding(order, ofResident, moment);
        break;
      case Stage.Reducing:
        endedReducing(order, filled, ofResident, moment);
        break;
      case Stage.ExitPending:
        endedExit(order, ofResident, moment);
        break;
      default:
        // Only a stop ends beside what is held.
        residentEnded(order, at);
        done();
    }
  };
}
export type QuickFills = ReturnType<typeof createQuickFills>;
