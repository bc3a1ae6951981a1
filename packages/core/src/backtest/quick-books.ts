import type { QuickColumns } from './quick-columns.ts';
import type { QuickEntry } from './quick-entries.ts';
import { HIGH, NO_LADDER, type QuickBook, type QuickOrder, Stage } from './quick-position.ts';
import { costText, NotCovered, roundDivideBig, safe } from './quick-scales.ts';
import type { QuickMoment } from './quick-traces.ts';

const MINUTE_MS = 60_000;

/** What the books have to know of an order that was executed. */
type BookedOrder = Pick<QuickOrder, 'purpose' | 'level' | 'step' | 'attempt'>;

/**
 * The books of a position, as `position-fills.ts` and the reducers of its chart keep them: what is set aside for it, what
 * its executions cost and bring, and what its end leaves. Each writes its row where rows are kept.
 */
export function createQuickBooks(book: QuickBook, levels: QuickColumns) {
  const { config, run, slot, view, scales, state, held, market, columns, lines, entries, traces, wallet, units } = book;
  const { cooldown } = config;
  const { trigger } = config.entry;
  const { symbol } = book.settings;
  const { tally } = run;
  const reason = { drop: 'Drop', immediate: 'Immediate', conditions: 'Conditions', manual: 'Manual' }[trigger.kind];
  /** Dust of a position joins the next one of its coin. */
  const carries = config.dust.policy === 'includeInNext';

  /** The coin takes up a slot of the bot, or does not any more. */
  function go(stage: Stage): void {
    if (stage >= Stage.EntryPending !== state.stage >= Stage.EntryPending) run.occupied += stage >= Stage.EntryPending ? 1 : -1;
    state.stage = stage;
  }

  /** An entry is sent: its order has the last step of the position. */
  function enter({ lots, limit, reserve, satoshis, ladder, entryReserve }: QuickEntry, moment: QuickMoment): void {
    wallet.reserve(reserve);
    state.ownReserve = reserve;
    state.entryReserve = entryReserve;
    state.ladder = ladder;
    book.seen(moment.price);
    traces?.entry(state.number, moment, {
      reason,
      spread: entries.spread(moment.bid, moment.ask),
      high: trigger.kind === 'drop' ? units(market[HIGH]!) : Number.NaN,
      trigger: state.triggerPrice,
      low: state.low,
      lots,
      limit,
      satoshis,
      reserve,
      slot: run.occupied + 1,
      step: state.step,
      observed: trigger.kind === 'conditions' ? (state.triggerFacts ?? state.verdict?.observed ?? null) : null,
      carried: state.carried,
      carriedCost: state.carriedCost,
      ladder: book.rebuys > 0 ? () => entries.ladderText(ladder) : undefined,
    });
    go(Stage.EntryPending);
  }

  function bought(order: BookedOrder, lots: number, price: number, feeUnits: number, at: number): void {
    const fee = scales.feeOfBuy(lots, feeUnits);
    const value = scales.value(lots, price);
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
    state.fees.add(fee, price, scales.heldInFees);
    state.allFees.add(fee, price, scales.heldInFees);
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
      const feeInQuote = BigInt(fee) * BigInt(price) * BigInt(scales.heldInFees);
      const fill = { lots, price, value, fee, feeInQuote, tradeId: state.nextTrade };
      const level = order.purpose === 'rebuy' ? (order.level ?? 0) + 1 : 0;
      traces.bought(state.number, order, moment, fill, before, { average: state.average, position: held.quantity, level });
      if (!Number.isNaN(state.line))
        traces.expired(state.number, 'Rebased', moment, price, state.line, state.peak, at - state.lineAt, 'rearm', state.average);
    }
    undraw();
    state.nextTrade += 1;
  }

  /** Of what is left the levels are not found yet. */
  function sold(order: BookedOrder, why: string, lots: number, price: number, feeUnits: number, at: number): void {
    const value = scales.value(lots, price);
    const fee = scales.feeOfSale(value, feeUnits);
    const proceeds = value - fee;
    const out = safe(lots * scales.lotInHeld);
    const before = { average: state.average, position: held.quantity };
    const position = held.quantity - out;
    if (position < 0) throw new NotCovered('more is sold than is held');
    const matchedCost = position === 0 ? held.cost : roundDivideBig(held.cost * BigInt(out), BigInt(held.quantity));
    const realised = BigInt(proceeds) * scales.moneyInCost - matchedCost;
    held.quantity = position;
    held.cost -= matchedCost;
    held.costFloat = position === 0 ? 0 : Number.NaN;
    state.matched += matchedCost;
    state.result += realised;
    wallet.sell(safe(proceeds * scales.moneyInWallet), matchedCost, realised);
    state.fees.add(fee, scales.moneyInFees, 1);
    state.allFees.add(fee, scales.moneyInFees, 1);
    columns.lastFillAt[slot] = at;
    state.base -= out;
    view.baseFloat = state.base / scales.heldUnit;
    book.seen(price);
    if (order.purpose === 'takeProfit') held.levelsDone = Math.max(held.levelsDone, (order.level ?? 0) + 1);
    if (traces) {
      const fill = { lots, price, value, fee, tradeId: state.nextTrade };
      traces.sold(state.number, order, why, book.now(at), fill, before, { matchedCost, realised, position, level: order.level });
    }
    state.nextTrade += 1;
  }

  function undraw(): void {
    state.line = Number.NaN;
    state.peak = Number.NaN;
    state.lineAt = Number.NaN;
  }
  /** Money set aside beyond what the rest of the ladder can cost goes back. */
  function trim(): void {
    const kept = Math.min(state.ownReserve, state.ladder.rest[Math.min(held.rebuysDone, state.ladder.rest.length - 1)]!);
    if (kept === state.ownReserve) return;
    wallet.release(state.ownReserve - kept);
    state.ownReserve = kept;
  }

  /** The position is over: what is set aside for it goes back, what is left of it leaves the budget. */
  function close(why: string, moment: QuickMoment): void {
    const { at } = moment;
    const { result, matched, openedAt, most, least } = state;
    const { quantity, cost, firstBuy } = held;
    const opened = !Number.isNaN(openedAt);
    const times = { durationMs: opened ? at - openedAt : 0, first: opened ? firstBuy : 0, most, least };
    traces?.exit(state.number, why, moment, { quantity, cost, realised: result, fees: state.fees.units, facts: state.exitFacts, ...times });
    wallet.release(state.ownReserve);
    const joins = carries && held.bought > 0;
    if (!carries) wallet.detach(cost);
    const { sums } = wallet;
    const abandoned = why === 'Abandoned';
    if (!abandoned) count(why);
    book.show();
    view.held = 0;
    const until = at + (result < 0n ? cooldown.afterLossMin : cooldown.afterWinMin) * MINUTE_MS;
    columns.cooldownUntil[slot] = until;
    if (cooldown.scope === 'bot') run.cooldownUntil = Number.isNaN(run.cooldownUntil) ? until : Math.max(run.cooldownUntil, until);
    if (joins) {
      state.carried = quantity;
      state.carriedCost = cost;
    } else if (held.bought > 0) {
      state.carried = 0;
      state.carriedCost = 0n;
    }
    start();
    run.ended(slot, at);
    if (abandoned) return;
    for (const { symbol: paused } of run.pauses.closed(symbol, at, result, matched, sums.realised, sums.paid)) run.withdraw(paused);
  }
  function count(why: string): void {
    tally.exits[why] = (tally.exits[why] ?? 0) + 1;
    if (state.ambiguous) tally.ambiguousExits += 1;
    if (state.result > 0n) {
      tally.wins += 1;
      tally.gains += state.result;
    } else {
      tally.lost += 1;
      tally.losses += state.result;
    }
  }

  /** The coin is looked at anew. */
  function start(): void {
    go(Stage.Watching);
    state.number += 1;
    state.step = 0;
    state.order = null;
    state.resident = null;
    state.residentRetryAt = 0;
    state.ownReserve = 0;
    state.entryReserve = 0;
    state.entryWithdrawn = false;
    state.ladder = NO_LADDER;
    state.rebuyLow = Number.NaN;
    state.rebuyUntil = Number.NaN;
    state.lastBuyAt = 0;
    state.triggerPrice = 0;
    state.low = 0;
    state.openedAt = Number.NaN;
    state.matched = 0n;
    state.result = 0n;
    state.fees.clear();
    state.most = Number.NaN;
    state.least = Number.NaN;
    state.stop = Number.NaN;
    state.stopSince = Number.NaN;
    undraw();
    state.disarmed = false;
    state.exitReason = null;
    state.triggerFacts = null;
    state.exitFacts = null;
    state.ambiguous = false;
    held.quantity = 0;
    held.bought = 0;
    held.cost = 0n;
    held.costFloat = 0;
    held.levelsDone = 0;
    held.rebuysDone = 0;
    columns.lastFillAt[slot] = Number.NaN;
    levels.load();
  }

  return { go, enter, bought, sold, undraw, trim, close, start };
}
export type QuickBooks = ReturnType<typeof createQuickBooks>;
