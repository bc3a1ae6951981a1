import { decimal, fromFloat, isPositive, toText } from '../../money/decimal.ts';
import type { EngineSlots } from './engine-slots.ts';
import { isJump, STANDSTILL_MS } from './standstill.ts';

/** A price is stored again once it has moved by this part since: a few writes a day, and near enough to know a jump by. */
const STORED_WITHIN = 0.05;
/** Most digits of a price at the exchange. */
const PLACES = 8;

/** Knows the newest trade of each coin of a bot, and what a jump over a standstill does to what the bot has there. */
export function createTradeWatch(slots: EngineSlots, standstillMs = STANDSTILL_MS) {
  /** Coins that trade again while their account is asked what it holds of them, and their price before that. */
  const holds = new Map<number, { readonly until: number; readonly before: number }>();
  // A price of the old unit may have more digits than the pair has by now.
  const priceText = (slot: number, price: number): string =>
    toText(fromFloat(price, Math.max(PLACES, slots.contexts[slot]!.settings.pricePrecision)));
  function jump(slot: number, at: number, before: number): void {
    if (slots.states[slot] === 'trailingEntry') slots.advance(slot, { type: 'entry.withdrawn', at });
    const { carriedQuantity } = slots.contexts[slot]!;
    // Dust counts in the old unit, too: it joins no position in the new one.
    if (slots.states[slot] === 'watching') {
      if (isPositive(decimal(carriedQuantity))) slots.advance(slot, { type: 'dust.released', at });
      return;
    }
    slots.advance(slot, { type: 'price.jumped', before: priceText(slot, before), ...slots.momentOf(slot, at) });
  }

  return {
    /**
     * Takes note of a trade. The first one after a standstill may be of another unit: then no rule judges by what was before
     * it. A standstill is one whether the coin was not traded or our connection was lost: which of the two it was, and what
     * happened meanwhile, cannot be known here, so a market that really moved by that factor while we were away is asked
     * about, too. @returns whether it jumped
     */
    meet(slot: number, at: number, price: number, bid: number, ask: number): boolean {
      const before = slots.tradedPrice[slot]!;
      const jumped = at - slots.tradedAt[slot]! > standstillMs && isJump(before, price);
      slots.note(slot, at, price, bid, ask);
      if (jumped) jump(slot, at, before);
      return jumped;
    },
    /** No rule judges the coin before venue time `until`, or before its balance is known. */
    hold(slot: number, until: number): void {
      holds.set(slot, { until, before: slots.tradedPrice[slot]! });
    },
    isHeld: (slot: number, at: number): boolean => holds.size > 0 && at < (holds.get(slot)?.until ?? 0),
    /** What the account holds of the coin as a multiple of what it should; null: about as much, or unknown. */
    balance(slot: number, factor: string | null, at: number): void {
      const before = holds.get(slot)?.before ?? Number.NaN;
      holds.delete(slot);
      if (factor === null || !slots.at[slot] || slots.states[slot] === 'watching' || slots.states[slot] === 'trailingEntry') return;
      const known = priceText(slot, before > 0 ? before : slots.price[slot]!);
      slots.advance(slot, { type: 'balance.jumped', factor, before: known, ...slots.momentOf(slot, at) });
    },
    /** False when no trade between these prices, the first of them at `from`, can be a jump. */
    mayJump: (slot: number, low: number, high: number, from: number): boolean =>
      from - slots.tradedAt[slot]! > standstillMs && (isJump(slots.tradedPrice[slot]!, low) || isJump(slots.tradedPrice[slot]!, high)),
    /** Stores the price of what is held, when it has moved away from the one that storage knows. */
    store(slot: number, at: number, price: number): void {
      const known = slots.knownPrice[slot]!;
      if (Math.abs(price - known) > known * STORED_WITHIN) slots.write(slot, { knownPrice: slots.momentOf(slot, at).price });
    },
  };
}
