import type { QuickColumns } from './quick-columns.ts';
import type { QuickBook, QuickOrder } from './quick-position.ts';
import { costText, NotCovered, nearestUnits, roundDivideBig, safe } from './quick-scales.ts';
import type { QuickMoment } from './quick-traces.ts';

const MINUTE_MS = 60_000;
/** As `backtest-broker.ts` does it. */
const NEAR = 1e-9;

/**
 * The exchange of a quick run, as `backtest-broker.ts` fills orders of one coin, and the books of the position, as
 * `position-fills.ts` keeps them. An order is filled whole or not at all; anything else is left to the exact engine.
 */
export function createQuickFills(book: QuickBook, levels: QuickColumns) {
  const { config, model, view, scales, state, held, tally, columns, lines, pauses, traces, quote, units } = book;
  const { cooldown, entry } = config;
  const { symbol } = book.settings;
  const half = model.halfSpreadPct / 100;
  const slip = half + model.slippagePct / 100;
  const offerPlaces = scales.price + 2;
  const offerTick = scales.tick * 100;
  let slippage = 0;
  let volume = 0;
  /** The newest bar that opened. */
  let bar = -1;

  /** What is offered when the market stands at `price`, on the tick. */
  function offeredAt(price: number, buys: boolean, worse: number): number {
    const offered = nearestUnits(price * (buys ? 1 + worse : 1 - worse), offerPlaces);
    const ticks = Math.floor(offered / offerTick);
    return (buys && ticks * offerTick !== offered ? ticks + 1 : ticks) * scales.tick;
  }

  function bought(lots: number, price: number, feeUnits: number, at: number): void {
    const fee = scales.feeOfBuy(lots, feeUnits);
    const value = scales.value(lots, price);
    const feeInQuote = BigInt(fee) * BigInt(price) * scales.heldInFees;
    held.quantity = safe(lots * scales.lotInHeld) - fee;
    held.bought = held.quantity;
    held.cost = BigInt(value) * scales.moneyInCost;
    held.costFloat = value / scales.moneyUnit;
    held.firstBuy = price;
    const cost = safe(value * scales.moneyInWallet);
    const used = Math.min(state.ownReserve, cost);
    // What was set aside and not used comes back when the order has ended, which is at once.
    state.reserved -= state.ownReserve;
    state.free = safe(state.free + state.ownReserve - used - (cost - used));
    state.ownReserve = 0;
    state.fees = feeInQuote;
    tally.fees += feeInQuote;
    state.openedAt = at;
    columns.lastFillAt[0] = at;
    columns.stopSince[0] = Number.NaN;
    state.base = safe(state.base + held.quantity);
    view.baseFloat = state.base / scales.heldUnit;
    book.seen(price);
    state.stop = lines.stop(held);
    state.order = null;
    const moment = book.now(at);
    if (lines.tooSmall(lines.sellable(held.quantity), moment.price)) throw new NotCovered('a buy that cannot be sold');
    levels.loadHeld();
    traces?.bought(
      state.number,
      state.step,
      moment,
      { lots, price, value, fee, feeInQuote, tradeId: state.nextTrade },
      state.average,
      held.quantity,
    );
    state.nextTrade += 1;
    levels.hold();
    book.show(true);
  }

  function sold(order: QuickOrder, price: number, at: number): void {
    const { lots } = order;
    const value = scales.value(lots, price);
    const fee = scales.feeOfSale(value, scales.takerFee);
    const feeInQuote = BigInt(fee) * scales.moneyInFees;
    const proceeds = value - fee;
    const out = safe(lots * scales.lotInHeld);
    const before = { average: state.average, position: held.quantity };
    const position = held.quantity - out;
    const matchedCost = position === 0 ? held.cost : roundDivideBig(held.cost * BigInt(out), BigInt(held.quantity));
    const realised = BigInt(proceeds) * scales.moneyInCost - matchedCost;
    held.quantity = position;
    held.cost -= matchedCost;
    state.matched += matchedCost;
    state.result += realised;
    state.walletResult += realised;
    state.free = safe(state.free + safe(proceeds * scales.moneyInWallet));
    state.fees += feeInQuote;
    tally.fees += feeInQuote;
    columns.lastFillAt[0] = at;
    state.base -= out;
    view.baseFloat = state.base / scales.heldUnit;
    book.seen(price);
    if (order.purpose === 'takeProfit') held.levelsDone = Math.max(held.levelsDone, (order.level ?? 0) + 1);
    const moment = book.now(at);
    const reason = state.exitReason ?? 'TakeProfit';
    const fill = { lots, price, value, fee, feeInQuote, tradeId: state.nextTrade };
    traces?.sold(state.number, state.step, reason, moment, fill, before, { matchedCost, realised, position, level: order.level });
    state.nextTrade += 1;
    state.order = null;
    if (order.purpose === 'exit' || lines.isDust(held, moment.price)) {
      close(reason, moment);
      return;
    }
    held.costFloat = Number(costText(held.cost));
    levels.loadHeld();
    levels.hold();
    book.show(true);
  }

  /** The position is over: what is set aside for it goes back, what is left of it leaves the budget. */
  function close(reason: string, moment: QuickMoment): void {
    const { at } = moment;
    const { result, matched, openedAt, most, least, fees } = state;
    const abandoned = reason === 'Abandoned';
    state.free += state.ownReserve;
    state.reserved -= state.ownReserve;
    const { quantity, cost, firstBuy } = held;
    const times = { durationMs: abandoned ? 0 : at - openedAt, first: abandoned ? 0 : firstBuy, most, least };
    traces?.exit(state.number, reason, moment, { quantity, cost, realised: result, fees, ...times });
    state.paid -= cost;
    if (!abandoned) count(reason);
    state.line = Number.NaN;
    book.show(false);
    columns.cooldownUntil[0] = at + (result < 0n ? cooldown.afterLossMin : cooldown.afterWinMin) * MINUTE_MS;
    start();
    if (!abandoned) pauses.closed(symbol, at, result, matched, state.walletResult, state.paid);
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
    state.number += 1;
    state.step = 0;
    state.order = null;
    state.ownReserve = 0;
    state.matched = 0n;
    state.result = 0n;
    state.fees = 0n;
    state.stop = Number.NaN;
    state.line = Number.NaN;
    state.disarmed = false;
    state.exitReason = null;
    state.ambiguous = false;
    held.quantity = 0;
    held.bought = 0;
    held.cost = 0n;
    held.costFloat = 0;
    held.levelsDone = 0;
    columns.lastFillAt[0] = Number.NaN;
    columns.deadline[0] = Number.NaN;
    levels.watch();
  }

  /** Ends what was asked to end, once its first bar is there. */
  function settle(at: number): void {
    const { order } = state;
    if (!order?.cancel || order.from > bar) return;
    if (entry.order.onTimeout !== 'cancel') throw new NotCovered('a buy that goes on at another price');
    state.order = null;
    close('Abandoned', book.now(at));
  }

  /** A limit order takes its share of the bar's volume; all of it, or it is left to the exact engine. */
  function take(order: QuickOrder, price: number, feeUnits: number, at: number): void {
    const share = (volume * model.volumeSharePct) / 100;
    if (!(share > (order.lots / scales.lotUnit) * (1 + NEAR) + 1 / scales.lotUnit)) throw new NotCovered('a buy in parts');
    bought(order.lots, price, feeUnits, at);
  }

  start();
  return {
    get slippage(): number {
      return slippage;
    },
    broker: {
      get idle() {
        return state.order === null;
      },
      restsThrough: () => state.order === null,
      openBar(opened: number, at: number, open: number, barVolume: number): void {
        volume = barVolume;
        bar = opened;
        const { order } = state;
        if (order && order.from <= opened) {
          if (order.limit === 0) {
            const price = offeredAt(open, order.buys, slip);
            slippage = safe(slippage + safe(order.lots * Math.abs(price - units(open))));
            if (order.buys) bought(order.lots, price, scales.takerFee, at);
            else sold(order, price, at);
          } else {
            const offered = offeredAt(open, true, half);
            if (offered <= order.limit) take(order, offered, scales.takerFee, at);
          }
        }
        settle(at);
      },
      trade(opened: number, price: number, at: number): void {
        const { order } = state;
        if (order && order.limit > 0 && order.from <= opened && !order.cancel && price <= quote(order.limit) * (1 + NEAR))
          if (units(price) <= order.limit - scales.tick) take(order, order.limit, scales.makerFee, at);
        settle(at);
      },
      settle,
    },
  };
}
export type QuickFills = ReturnType<typeof createQuickFills>;
