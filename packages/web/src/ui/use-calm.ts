import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Live figures move at most four times a second. */
export const CALM_MS = 250;

const waiting = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Runs at the next beat, together with all that wait for it. With a timer each, a chart and a list would show two prices of
 * one coin at the same moment.
 */
export function atNextBeat(run: () => void): () => void {
  waiting.add(run);
  timer ??= setTimeout(() => {
    timer = undefined;
    const due = [...waiting];
    waiting.clear();
    for (const each of due) each();
  }, CALM_MS);
  return () => {
    waiting.delete(run);
    if (waiting.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/**
 * What is shown of a value that moves with the market: ticks wait for the beat that the whole page shares, anything else comes at once.
 * @param given the same object while nothing has changed
 */
export function useCalm<Value>(given: Value, isTick: (before: Value, after: Value) => boolean): Value {
  const [calm, setCalm] = useState(given);
  const newest = useRef(given);
  const waits = calm !== given && isTick(calm, given);
  if (calm !== given && !waits) setCalm(given);
  useLayoutEffect(() => {
    newest.current = given;
  }, [given]);
  useEffect(() => (waits ? atNextBeat(() => setCalm(newest.current)) : undefined), [waits]);
  return waits ? calm : given;
}
