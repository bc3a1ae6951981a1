import type { ImportDraft } from './import-draft.ts';

/** Rows of the time of the first one that are held until another time says which way the file runs. */
const HELD = 10_000;
const LAST_MS = 999;

/**
 * Keeps the order that rows of one second have in their file, which has no time finer than that: each is given a
 * millisecond of its own, in the direction in which the file runs.
 * @param emit is given the draft in its place, and as it was read: its name is made of that
 */
export function fileOrder(emit: (placed: ImportDraft, read: ImportDraft) => void) {
  let isNewestFirst: boolean | undefined;
  /** Rows of one second; at first of one time. */
  let run: ImportDraft[] = [];

  function flush(): void {
    const rows = isNewestFirst ? run.reverse() : run;
    for (const [index, draft] of rows.entries()) {
      const at = draft.at % 1000 === 0 ? draft.at + Math.min(index, LAST_MS) : draft.at;
      emit(at === draft.at ? draft : { ...draft, at }, draft);
    }
    run = [];
  }

  return {
    push: (draft: ImportDraft): void => {
      const first = run[0];
      if (first !== undefined && first.at !== draft.at) {
        isNewestFirst ??= draft.at < first.at;
        flush();
      } else if (run.length >= HELD) flush();
      run.push(draft);
    },
    /** After the last row. */
    end: flush,
  };
}
