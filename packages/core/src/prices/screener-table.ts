/** Unknown is NaN in a column of numbers, null among words. */
export const UNKNOWN_NUMBER = Number.NaN;

/**
 * The pairs as columns: row i of every column is the pair `symbols[i]`. Ids are those of `columnId`.
 * A column that is absent is unknown everywhere.
 */
export type ScreenerTable = {
  readonly symbols: readonly string[];
  /** Numbers, times in epoch ms, and yes/no as 1/0. */
  readonly numbers: ReadonlyMap<string, Float64Array>;
  /** The same a step earlier (the candle, or the minute, before): what crossings compare with. */
  readonly before: ReadonlyMap<string, Float64Array>;
  readonly words: ReadonlyMap<string, readonly (string | null)[]>;
  readonly tags: readonly (readonly string[])[];
};

/** A table with some columns laid over it, e.g. what one user owns; nothing is copied. */
export function withColumns(table: ScreenerTable, numbers: ReadonlyMap<string, Float64Array>): ScreenerTable {
  return numbers.size === 0 ? table : { ...table, numbers: new Map([...table.numbers, ...numbers]) };
}
