import type { QuickColumns } from './quick-columns.ts';
import type { QuickNews } from './quick-exchange.ts';
import { type QuickBook, type QuickOrder, Stage } from './quick-position.ts';
import { costText, NotCovered, roundDivideBig, safe } from './quick-scales.ts';
import type { QuickSteps } from './quick-steps.ts';
import { isUrgent } from './quick-steps.ts';
import type { QuickMoment } from './quick-traces.ts';

/** As `position-fills.ts` and `position-resident.ts` say it. */
const RESIDENT_PATIENCE_MS = 2000;
const REFUSED_MS = 60_000;

/**
 * The books of a position, as `position-fills.ts` keeps them, and what follows when an order ends, as the chart of the
 * position says it.
 */
export function createQuickFills(book: QuickBook, levels: QuickColumns, steps: QuickSteps) {
  const { config, view, scales, slot, state, held, columns, lines, entries, traces, wallet } = book;
  const { go, done } = steps;
  const { onTimeout, maxReprices } = config.entry.order;
  const exitOrder = config.exit.order;

  function bought(order: QuickOrder, lots: number, price: number, feeUnits: number, at: number): void {
    const fee = scales.feeOfBuy(lots, feeUnits);
    const value = scales.value(lots, price);
    const feeInQuote = BigInt(fee) * BigInt(price) * scales.heldInFees;
    const before = { average: held.quantity > 0 ? state.average : null, position: held.quantity };
    const received = safe(lots * scales.lotInHeld) - fee;
    const added = BigInt(value) * scales.moneyInCost;
    const cost = safe(value * scales.moneyInWallet);
    const carried = held.bought === 0 ? state.carried : 0;
    if (held.bought === 0) {
      // What was left of the position before joins with the first buy: it is in the wallet's costs already.
      held.firstBuy = price;
      held.quantity = state.carried;
      held.bought = state.carried;
      held.cost = state.carriedCost;
    }
    held.quantity = safe(held.quantity + received);
    held.bought = safe(held.bought + received);
    held.cost += added;
    held.costFloat = before.position === 0 && carried === 0 ? value / scales.moneyUnit : Number(costText(held.cost));
    held.lastBuy = price;
    const reserved = Math.min(state.ownReserve, cost);
    state.ownReserve -= reserved;
    wallet.buy(cost, reserved, added);
    state.fees += feeInQuote;
    state.lastBuyAt = at;
    if (Number.isNaN(state.openedAt)) state.openedAt = at;
    if (order.purpose === 'rebuy') held.rebuysDone = Math.max(held.rebuysDone, (order.level ?? 0) + 1);
    state.rebuyLow = Number.NaN;
    state.rebuyUntil = Number.NaN;
    state.stopSince = Number.NaN;
    columns.lastFillAt[slot] = at;
    state.base = safe(state.base + received);
    view.baseFloat = state.base / scales.heldUnit;
    book.seen(price);
    levels.changed();
    state.stop = lines.stop(held);
    if (traces) {
      const moment = book.now(at);
      const fill = { lots, price, value, fee, feeInQuote, tradeId: state.nextTrade };
      const level = order.purpose === 'rebuy' ? (order.level ?? 0) + 1 : 0;
      traces.bought(state.number, order, moment, fill, before, { average: state.average, position: held.quantity, level });
      if (!Number.isNaN(state.line))
        traces.expired(state.number, 'Rebased', moment, price, state.line, state.peak, at - state.lineAt, 'rearm', state.average);
    }
    steps.undraw();
    state.nextTrade += 1;
  }

  function sold(order: QuickOrder, lots: number, price: number, feeUnits: number, at: number): void {
    const value = scales.value(lots, price);
    const fee = scales.feeOfSale(value, feeUnits);
    const feeInQuote = BigInt(fee) * scales.moneyInFees;
    const proceeds = value - fee;
    const out = safe(lots * scales.lotInHeld);
    const before = { average: state.average, position: held.quantity };
    const position = held.quantity - out;
    if (position < 0) throw new NotCovered('more is sold than is held');
    const matchedCost = position === 0 ? held.cost : roundDivideBig(held.cost * BigInt(out), BigInt(held.quantity));
    const realised = BigInt(proceeds) * scales.moneyInCost - matchedCost;
    held.quantity = position;
    held.cost -= matchedCost;
    held.costFloat = position === 0 ? 0 : Number(costText(held.cost));
    state.matched += matchedCost;
    state.result += realised;
    wallet.sell(safe(proceeds * scales.moneyInWallet), matchedCost, realised);
    state.fees += feeInQuote;
    columns.lastFillAt[slot] = at;
    state.base -= out;
    view.baseFloat = state.base / scales.heldUnit;
    book.seen(price);
    if (order.purpose === 'takeProfit') held.levelsDone = Math.max(held.levelsDone, (order.level ?? 0) + 1);
    const ofResident = order === state.resident;
    const reason = ofResident ? (order.mirrors ?? 'StopLoss') : (state.exitReason ?? 'TakeProfit');
    if (ofResident) {
      // The exchange has decided the exit: a buy on its way is taken back, and the rest is given a moment.
      state.exitReason ??= reason;
      if (state.order?.buys) state.order.cancel = true;
      if (order.executed === lots) order.deadline = at + RESIDENT_PATIENCE_MS;
    }
    if (traces) {
      const fill = { lots, price, value, fee, feeInQuote, tradeId: state.nextTrade };
      const after = { matchedCost, realised, position, level: order.level };
      traces.sold(state.number, order, reason, book.now(at), fill, before, after);
    }
    state.nextTrade += 1;
    if (position > 0) levels.changed();
  }

  function executed({ order, lots, price, fee, at }: QuickNews): void {
    order.executed += lots;
    if (order.buys) bought(order, lots, price, fee, at);
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
    steps.trim();
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
    steps.trim();
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
      steps.trim();
    }
    // A stop that took its own way out leaves an order that still waits for its end.
    if (!state.order) steps.sell(state.exitReason ?? 'StopLoss', moment);
    go(Stage.ExitPending);
    return done();
  }
  function closed(moment: QuickMoment): void {
    if (state.resident) state.resident.cancel = true;
    steps.close(state.exitReason ?? 'TakeProfit', moment);
  }
  const isDust = ({ price }: QuickMoment): boolean => lines.isDust(held, price, state.exitReason !== null);

  function endedEntry(order: QuickOrder, moment: QuickMoment): void {
    if (held.bought === 0 && repeatsBuy(order, moment)) return;
    if (held.bought === 0) steps.close('Abandoned', moment);
    else if (lines.tooSmall(lines.sellable(held.quantity), moment.price)) steps.close('Dust', moment);
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
      if (isDust(moment)) steps.close(order.executed > 0 ? (order.mirrors ?? 'StopLoss') : (state.exitReason ?? 'Dust'), moment);
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
