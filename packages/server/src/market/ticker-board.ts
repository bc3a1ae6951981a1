import type { TickerRow } from '@pilotfish/core/http/stream-contract';
import { decimal, divide, isPositive, multiply, subtract, toFixedText, toText } from '@pilotfish/core/money/decimal';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import * as z from 'zod';

/** `24hrMiniTicker` of the exchange. */
export const miniTicker = z.looseObject({
  E: z.number(),
  s: z.string(),
  c: z.string(),
  o: z.string(),
  h: z.string(),
  l: z.string(),
  v: z.string(),
  q: z.string(),
});

type Row = {
  symbol: string;
  price: string;
  open: string;
  high: string;
  low: string;
  volume: string;
  quoteVolume: string;
  changePct: string;
  at: number;
};

const canonical = (value: string): string => toText(decimal(value));

/** Percent change of two prices, two decimals; 0 without an opening price. */
function changePct(open: string, close: string): string {
  const from = decimal(open);
  if (!isPositive(from)) return '0';
  return toFixedText(divide(multiply(subtract(decimal(close), from), decimal('100')), from, 6), 2);
}

/** The newest 24 h figures of every pair, and which of them changed since they were last taken. */
export function tickerBoard() {
  const rows = new Map<string, Row>();
  const changed = new Set<string>();
  let asOf = 0;
  const put = (symbol: string, figures: Omit<Row, 'symbol' | 'changePct'>) => {
    rows.set(symbol, { symbol, ...figures, changePct: changePct(figures.open, figures.price) });
    changed.add(symbol);
    asOf = Math.max(asOf, figures.at);
  };
  return {
    /** A row of the REST answer. */
    load(row: {
      symbol: string;
      lastPrice: string;
      openPrice: string;
      highPrice: string;
      lowPrice: string;
      volume: string;
      quoteVolume: string;
      closeTime: number;
    }): void {
      if (!isPositive(decimal(row.lastPrice))) return;
      put(row.symbol, {
        price: canonical(row.lastPrice),
        open: canonical(row.openPrice),
        high: canonical(row.highPrice),
        low: canonical(row.lowPrice),
        volume: canonical(row.volume),
        quoteVolume: canonical(row.quoteVolume),
        at: row.closeTime,
      });
    },
    /** An event of the stream; anything else is ignored. */
    apply(event: unknown): void {
      const parsed = miniTicker.safeParse(event);
      if (!parsed.success || !isPositive(decimal(parsed.data.c))) return;
      const { s, c, o, h, l, v, q, E } = parsed.data;
      put(s, {
        price: canonical(c),
        open: canonical(o),
        high: canonical(h),
        low: canonical(l),
        volume: canonical(v),
        quoteVolume: canonical(q),
        at: E,
      });
    },
    price: (symbol: string): string | undefined => rows.get(symbol)?.price,
    row: (symbol: string): Row | undefined => rows.get(symbol),
    all: (): Ticker[] => [...rows.values()].map(({ at, ...row }) => ({ ...row, at: new Date(at).toISOString() })),
    /** Rows that changed since the last call, in the compact form of the stream. */
    takeChanged(): TickerRow[] {
      const taken = [...changed].map((symbol): TickerRow => {
        const { price, changePct: change, quoteVolume, high, low } = rows.get(symbol)!;
        return [symbol, price, change, quoteVolume, high, low];
      });
      changed.clear();
      return taken;
    },
    /** Market time of the newest figure, ms. */
    get asOf(): number {
      return asOf;
    },
  };
}
export type TickerBoard = ReturnType<typeof tickerBoard>;
