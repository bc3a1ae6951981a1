import type { StreamPayload } from '@pilotfish/core/http/stream-contract';
import { compare, decimal } from '@pilotfish/core/money/decimal';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import { shownText } from '../ui/cell-text.ts';
import type { Column } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';

/** How long a changed cell stays marked. */
const FRESH_MS = 1_000;
/** Without news for so long the figures are called old. The server sends every second while anything moves. */
const OLD_MS = 10_000;

type Mark = { readonly up: boolean; readonly at: number };

/** The newest figures with what changed lately. Ages are counted from when news arrived, by the clock given. */
export function livePrices(now: () => number) {
  const rows = new Map<string, Ticker>();
  const marks = new Map<string, Mark>();
  let [newsAt, asOf, isStale] = [now(), '', false];
  let connection: 'connecting' | 'live' | 'offline' = 'connecting';

  const set = (row: Ticker): void => {
    const before = rows.get(row.symbol);
    rows.set(row.symbol, row);
    if (!before) return;
    for (const key of ['price', 'changePct', 'high', 'low', 'quoteVolume'] as const) {
      if (before[key] === row[key]) continue;
      const up = compare(decimal(row[key]), decimal(before[key])) > 0;
      marks.set(`${row.symbol} ${key}`, { up, at: now() });
    }
  };
  const heard = (stale: boolean, at: string): void => {
    if (!stale) newsAt = now();
    [isStale, asOf] = [stale, at];
  };
  return {
    rows: (): readonly Ticker[] => [...rows.values()],
    load: (items: readonly Ticker[], state: { stale: boolean; asOf: string }): void => {
      for (const row of items) set(row);
      heard(state.stale, state.asOf);
    },
    /** Takes one message of the stream; answers the rows it changed. */
    apply: ({ at, items, stale }: StreamPayload<'tickers'>): Ticker[] => {
      heard(stale, at);
      return items.map(([symbol, price, changePct, quoteVolume, high, low]) => {
        const row: Ticker = {
          ...(rows.get(symbol) ?? { open: price, volume: '0' }),
          symbol,
          price,
          changePct,
          quoteVolume,
          high,
          low,
          at,
        };
        set(row);
        return row;
      });
    },
    connection: (status: typeof connection): void => {
      connection = status;
    },
    /** `stale`: the server says so, or nothing arrives; the age is of the last good news, in ms. */
    state: (): { status: 'connecting' | 'live' | 'stale' | 'offline'; age: number } => {
      const age = Math.max(0, now() - newsAt);
      if (connection === 'offline') return { status: 'offline', age };
      if (isStale || age > OLD_MS) return { status: 'stale', age };
      return { status: connection, age };
    },
    asOfText: (): string => localTime(asOf),
    /** The columns with an arrow for where a price went last; filled and coloured while it is fresh. */
    columns: (columns: readonly Column<Ticker>[], unicode: boolean): Column<Ticker>[] =>
      columns.map((column) => {
        if (column.key === 'symbol') return column;
        return {
          ...column,
          shown: (row, paint, places) => {
            const text = shownText(column, row, paint, places);
            const mark = marks.get(`${row.symbol} ${column.key}`);
            const isFresh = mark !== undefined && now() - mark.at < FRESH_MS;
            const lit = isFresh ? paint.marked(text) : text;
            if (column.key !== 'price') return lit;
            // Filled while it is fresh, so that the mark is there without colour, too.
            const [up, down] = unicode ? (isFresh ? '▲▼' : '△▽') : isFresh ? '^v' : '  ';
            const arrow = (mark === undefined ? ' ' : mark.up ? up : down) ?? ' ';
            return `${lit} ${isFresh ? (mark.up ? paint.green(arrow) : paint.red(arrow)) : paint.dim(arrow)}`;
          },
        };
      }),
  };
}
