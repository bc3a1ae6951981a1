import type { QuickColumns } from './quick-columns.ts';
import type { QuickExchange } from './quick-exchange.ts';
import type { QuickBook, QuickOrder } from './quick-position.ts';
import { NotCovered } from './quick-scales.ts';
import type { QuickMoment } from './quick-traces.ts';

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
  const { config, run, view, scales, state, held, lines, entries } = book;
  const { delayBars } = run.options;
  const resting = config.exit.order.type === 'Limit';

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
  /** What a buy may spend of what is set aside: the part of its own level. */
  function setAside(purpose: Purpose): number {
    if (purpose === 'entry') return Math.min(state.ownReserve, state.entryReserve);
    const { rest } = state.ladder;
    return Math.max(0, state.ownReserve - rest[Math.min(held.rebuysDone + 1, rest.length - 1)]!);
  }

  return { done, place, plannedSell, sell, sellSlice, sellLastSlice, makeWay, setAside };
}
export type QuickSteps = ReturnType<typeof createQuickSteps>;
