import type { QuickColumns } from './quick-columns.ts';
import type { QuickExchange } from './quick-exchange.ts';
import { NO_LADDER, type QuickBook, type QuickOrder, Stage } from './quick-position.ts';
import { BIG_TENS, COST_PLACES, NotCovered } from './quick-scales.ts';
import type { QuickMoment } from './quick-traces.ts';

const MINUTE_MS = 60_000;
/** As `position-ids.ts` counts attempts, and `position-resident.ts` steps. */
const MAX_ATTEMPT = 35;
const MOST_STEPS = 40_000;

type Purpose = QuickOrder['purpose'];
/** How an order goes on from one before. */
type Repeat = { readonly attempt: number; readonly reprices: number; readonly level: number | null };
const FIRST: Repeat = { attempt: 0, reprices: 0, level: null };
type Planned = { readonly lots: number; readonly limit: number; readonly stop?: number; readonly mirrors?: QuickOrder['mirrors'] };

/** Reasons that must not wait in a resting order. */
export const isUrgent = (reason: string | null): boolean => reason === 'StopLoss' || reason === 'TrailingCost';

/** Steps of a position that decisions and the exchange's answers share, as the reducers of the position make them. */
export function createQuickSteps(book: QuickBook, levels: QuickColumns, exchange: QuickExchange) {
  const { config, run, slot, view, scales, state, held, lines, entries, traces, wallet } = book;
  const { cooldown } = config;
  const { symbol } = book.settings;
  const { delayBars } = run.options;
  const { tally } = run;
  const resting = config.exit.order.type === 'Limit';
  /** Dust of a position joins the next one of its coin. */
  const carries = config.dust.policy === 'includeInNext';
  const feesInCost = BIG_TENS[COST_PLACES - scales.fees]!;

  /** The coin takes up a slot of the bot, or does not any more. */
  function go(stage: Stage): void {
    if (stage >= Stage.EntryPending !== state.stage >= Stage.EntryPending) run.occupied += stage >= Stage.EntryPending ? 1 : -1;
    state.stage = stage;
  }
  function done(): true {
    levels.load();
    book.show();
    return true;
  }

  function place(purpose: Purpose, planned: Planned, at: number, repeat: Repeat = FIRST): QuickOrder {
    const buys = purpose === 'entry' || purpose === 'rebuy';
    const attempt = repeat.attempt > MAX_ATTEMPT ? 0 : repeat.attempt;
    if (attempt === 0) state.step += 1;
    if (state.step >= MOST_STEPS) throw new NotCovered('very many orders');
    const { stop = 0, lots } = planned;
    const order: QuickOrder = {
      buys,
      purpose,
      lots,
      limit: planned.limit,
      stop,
      mirrors: planned.mirrors ?? null,
      level: repeat.level,
      step: state.step,
      attempt,
      reprices: repeat.reprices,
      placedAt: at,
      deadline: stop > 0 ? Number.MAX_SAFE_INTEGER : at + (buys ? config.entry.order : config.exit.order).timeoutSec * 1000,
      executed: 0,
      cancel: false,
      from: view.bar + 1 + (buys ? delayBars : 0),
      left: lots,
      triggered: stop === 0,
    };
    if (!buys && view.ambiguous) state.ambiguous = true;
    exchange.place(order);
    return order;
  }
  /** A sale of whole lots of a quantity. */
  function plannedSell(quantity: number, { bid }: QuickMoment, urgent: boolean): Planned {
    const lots = lines.sellable(quantity);
    const limit = urgent || !resting ? 0 : lines.sellLimit(bid);
    entries.refusals.sell(lots, limit, 0, book.last());
    return { lots, limit };
  }
  function sell(reason: string, moment: QuickMoment, level: number | null = null): void {
    state.order = place('exit', plannedSell(held.quantity, moment, isUrgent(reason)), moment.at, { ...FIRST, level });
    book.seen(moment.price);
    state.exitReason = reason;
  }
  function sellSlice(moment: QuickMoment): void {
    const due = lines.slice(held);
    const quantity = due ? due.lots * scales.lotInHeld : 0;
    const repeat = { ...FIRST, level: due ? due.level : held.levelsDone };
    state.order = place('takeProfit', plannedSell(quantity, moment, false), moment.at, repeat);
    book.seen(moment.price);
  }
  const sellLastSlice = (moment: QuickMoment): void => sell('TakeProfit', moment, held.levelsDone);

  /** Everything in flight is taken back; the end of the last places what was decided. */
  function makeWay(price: number): void {
    book.seen(price);
    if (state.order) state.order.cancel = true;
    if (state.resident) state.resident.cancel = true;
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
  /** What a buy may spend of what is set aside: the part of its own level. */
  function setAside(purpose: Purpose): number {
    if (purpose === 'entry') return Math.min(state.ownReserve, state.entryReserve);
    const { rest } = state.ladder;
    return Math.max(0, state.ownReserve - rest[Math.min(held.rebuysDone + 1, rest.length - 1)]!);
  }

  /** The position is over: what is set aside for it goes back, what is left of it leaves the budget. */
  function close(reason: string, moment: QuickMoment): void {
    const { at } = moment;
    const { result, matched, openedAt, most, least, fees } = state;
    const { quantity, cost, firstBuy } = held;
    const opened = !Number.isNaN(openedAt);
    const times = { durationMs: opened ? at - openedAt : 0, first: opened ? firstBuy : 0, most, least };
    traces?.exit(state.number, reason, moment, { quantity, cost, realised: result, fees, facts: state.exitFacts, ...times });
    wallet.release(state.ownReserve);
    const joins = carries && held.bought > 0;
    if (!carries) wallet.detach(cost);
    tally.fees += fees * feesInCost;
    const { sums } = wallet;
    const abandoned = reason === 'Abandoned';
    if (!abandoned) count(reason);
    book.show();
    view.held = 0;
    const until = at + (result < 0n ? cooldown.afterLossMin : cooldown.afterWinMin) * MINUTE_MS;
    book.columns.cooldownUntil[slot] = until;
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
  function count(reason: string): void {
    tally.exits[reason] = (tally.exits[reason] ?? 0) + 1;
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
    state.fees = 0n;
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
    book.columns.lastFillAt[slot] = Number.NaN;
    levels.load();
  }

  return { go, done, place, plannedSell, sell, sellSlice, sellLastSlice, makeWay, undraw, trim, setAside, close, start };
}
export type QuickSteps = ReturnType<typeof createQuickSteps>;
