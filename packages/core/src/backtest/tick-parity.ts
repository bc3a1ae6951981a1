import type { StoredTrace, Trace } from '../auto-trades/trace.ts';
import { canonicalText } from '../fields/canonical-text.ts';

/** How far two runs of a bot agree. `same`: rows from the first one on that are equal. */
export type TraceParity = {
  readonly recorded: number;
  readonly run: number;
  readonly same: number;
  /** The first rows that differ; undefined where one of the runs has no more. */
  readonly difference: { readonly recorded: Trace | undefined; readonly run: Trace | undefined } | null;
};

/**
 * Traces as text, of everything that two exchanges can agree about: all but a row's own id, the time it was written,
 * and the names that an exchange gives to orders and trades. Those are told by the order in which they come.
 */
export function comparableTraces(traces: readonly (Trace | StoredTrace)[]): string[] {
  const names = new Map<string, string>();
  const named = (kind: string, symbol: string, name: string | undefined): string | undefined => {
    if (name === undefined) return undefined;
    const key = `${kind} ${symbol} ${name}`;
    const known = names.get(key) ?? `${kind} ${names.size + 1}`;
    names.set(key, known);
    return known;
  };
  return traces.map((trace) => {
    const { id: _id, recordedAt: _recordedAt, orderId, tradeId, ...rest } = trace as StoredTrace;
    return canonicalText({ ...rest, orderId: named('order', rest.symbol, orderId), tradeId: named('trade', rest.symbol, tradeId) });
  });
}

/** Compares the traces of a recorded run with those of another over the same prices. */
export function traceParity(recorded: readonly (Trace | StoredTrace)[], run: readonly Trace[]): TraceParity {
  const [theirs, ours] = [comparableTraces(recorded), comparableTraces(run)];
  let same = 0;
  while (same < theirs.length && theirs[same] === ours[same]) same += 1;
  const equal = same === theirs.length && same === ours.length;
  return {
    recorded: theirs.length,
    run: ours.length,
    same,
    difference: equal ? null : { recorded: recorded[same], run: run[same] },
  };
}
