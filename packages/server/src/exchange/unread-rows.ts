import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import type { UnreadRow } from './exchange-rows.ts';

/** Rows of one list that are named in the log; of more only the number is known. */
const MOST_NAMED = 50;

/** Counts rows of the exchange that could not be read, and writes each of them down once. */
export function unreadRows(log: Pick<Logger, 'warn'>, metrics: Pick<Metrics, 'unreadRows'>) {
  const named = new Map<string, Set<string>>();
  return (rows: readonly UnreadRow[]): void => {
    for (const { list, name, field } of rows) {
      metrics.unreadRows.inc({ list });
      const names = named.get(list) ?? new Set();
      named.set(list, names);
      if (names.size >= MOST_NAMED || names.has(name)) continue;
      names.add(name);
      log.warn({ list, row: name, field }, 'a row of the exchange could not be read; it is left out');
      if (names.size === MOST_NAMED) log.warn({ list }, 'more rows of this list that cannot be read are counted, and not named');
    }
  };
}
