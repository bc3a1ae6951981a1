import type { Inspection } from '@pilotfish/core/auto-trades/engine/engine-inputs';

/** A halted coin is let go by its switch, not by the clock of the market: further than any switch lasts. */
const HORIZON_MS = 30 * 86_400_000;

/** The coins of a bot that a kill switch holds, and until when (wall ms). */
export function haltedCoins() {
  const until = new Map<string, number>();
  return {
    symbols: (): readonly string[] => [...until.keys()],
    /**
     * Holds a coin, or lets it go.
     * @param at venue ms
     * @returns until when the engine enters nothing of it (venue ms); undefined when nothing changes
     */
    hold(symbol: string, end: number | undefined, at: number): number | undefined {
      if (end !== undefined) until.set(symbol, end);
      else if (!until.delete(symbol)) return undefined;
      return end === undefined ? at : at + HORIZON_MS;
    },
    /** What the engine knows of a coin, with the moment at which its switch lets it go. */
    told(symbol: string, inspection: Inspection): Inspection {
      const { gate } = inspection;
      const end = gate.coinPause?.reason === 'halt' ? until.get(symbol) : undefined;
      return end === undefined ? inspection : { ...inspection, gate: { ...gate, coinPause: { reason: 'halt', until: end } } };
    },
  };
}
