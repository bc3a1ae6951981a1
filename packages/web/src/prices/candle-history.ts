import type { Candle } from '@pilotfish/core/prices/prices-contract';

/** The candles of one pair at one interval, oldest first, as far back as somebody looked. */
export type CandleHistory = {
  readonly key: string;
  readonly items: readonly Candle[];
  /** Nothing is older than the first one. */
  readonly complete: boolean;
  readonly older: 'idle' | 'loading' | 'failed';
};

export type HistoryStep =
  | { type: 'newest'; key: string; items: readonly Candle[] }
  | { type: 'older.asked'; key: string }
  | { type: 'older.came'; key: string; items: readonly Candle[]; wanted: number }
  | { type: 'older.failed'; key: string };

export const emptyHistory = (key: string): CandleHistory => ({ key, items: [], complete: false, older: 'idle' });

/** Two stretches as one; where both know a candle, the newer answer counts. ISO times sort as texts. */
export function mergeCandles(known: readonly Candle[], news: readonly Candle[]): readonly Candle[] {
  const [first, last] = [news[0], news.at(-1)];
  if (!first || !last) return known;
  return [
    ...known.filter(({ openTime }) => openTime < first.openTime),
    ...news,
    ...known.filter(({ openTime }) => openTime > last.openTime),
  ];
}

/** Answers that were asked for something else are dropped. */
export function historyStep(history: CandleHistory, step: HistoryStep): CandleHistory {
  if (step.type === 'newest') {
    const known = step.key === history.key ? history : emptyHistory(step.key);
    // Away for longer than a page: what lies between is not known, so the old stretch is let go.
    const touches = known.items.length === 0 || (step.items[0]?.openTime ?? '') <= (known.items.at(-1)?.openTime ?? '');
    return touches ? { ...known, items: mergeCandles(known.items, step.items) } : { ...emptyHistory(step.key), items: step.items };
  }
  if (step.key !== history.key) return history;
  if (step.type === 'older.asked') return { ...history, older: 'loading' };
  if (step.type === 'older.failed') return { ...history, older: 'failed' };
  const items = mergeCandles(history.items, step.items);
  return { ...history, items, older: 'idle', complete: step.items.length < step.wanted || items.length === history.items.length };
}
