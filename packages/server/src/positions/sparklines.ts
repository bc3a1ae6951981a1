import type { CandleReader } from '../prices/candle-reader.ts';

const DAYS = 30;
const KEPT = 5000;
/** Pairs asked at once. */
const AT_ONCE = 20;
/** A pair whose history is not there yet is asked again after this. */
const MISSING_MS = 60_000;

/** The last thirty daily closes of pairs, from the stored history alone; they change once a day. */
export function sparklines(reader: Pick<CandleReader, 'closes'>, { asOf, now }: { asOf: () => number; now: () => number }) {
  const known = new Map<string, { day: number; until: number; closes: readonly number[] }>();

  async function one(symbol: string): Promise<readonly number[]> {
    const day = Math.floor(asOf() / 86_400_000);
    const kept = known.get(symbol);
    if (kept?.day === day && now() < kept.until) return kept.closes;
    let closes: number[] | undefined;
    // A young pair has fewer days.
    for (const count of [DAYS, 14, 7]) {
      closes = await reader.closes(symbol, '1d', count).catch(() => undefined);
      if (closes !== undefined) break;
    }
    known.delete(symbol);
    if (known.size >= KEPT) known.delete(known.keys().next().value!);
    known.set(symbol, { day, until: closes === undefined ? now() + MISSING_MS : Number.POSITIVE_INFINITY, closes: closes ?? [] });
    return closes ?? [];
  }

  return async (symbols: readonly string[]): Promise<Map<string, readonly number[]>> => {
    const wanted = [...new Set(symbols)];
    const found = new Map<string, readonly number[]>();
    for (let start = 0; start < wanted.length; start += AT_ONCE)
      await Promise.all(wanted.slice(start, start + AT_ONCE).map(async (symbol) => found.set(symbol, await one(symbol))));
    return found;
  };
}
