import { type DayFigures, type HourFigures, type IndicatorFigures, percentChange } from '@pilotfish/core/prices/pair-figures';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { CANDLE_TIMEFRAMES, type CandleTimeframe, NUMBER_COLUMNS, SCREENER_FIELDS } from '@pilotfish/core/prices/screener-fields';
import type { ScreenerTable } from '@pilotfish/core/prices/screener-table';
import type { Market } from '../market/market.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
const PERSONAL = new Set(SCREENER_FIELDS.filter((field) => field.personal).map((field) => field.key));
const COLUMNS = NUMBER_COLUMNS.filter((id) => !PERSONAL.has(id));
const CANDLE_MS: Record<CandleTimeframe, number> = { '15m': 15 * MINUTE, '1h': 60 * MINUTE, '4h': 240 * MINUTE, '1d': DAY };
/** Closed candles a figure may be behind before it counts as unknown: it would tell of another market. */
const MOST_BEHIND = 4;
/** Minutes back of the short changes. */
const SHORT = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240 } as const;
/** Against what the live price is set; not answered themselves. */
const REFERENCES = ['close7d', 'close30d', 'high7d', 'low7d', 'high52w', 'low52w', 'volume20d'] as const;
type Reference = (typeof REFERENCES)[number];
/** What besides the indicators is made of the candles of a timeframe. */
const OF_CANDLES: Partial<Record<CandleTimeframe, readonly string[]>> = {
  '1h': ['close7d', 'close30d', 'high7d', 'low7d', 'volumeChange', 'btcCorrelation.7d', 'btcCorrelation.30d'],
  '1d': ['high52w', 'low52w', 'volume20d', 'volatility7d'],
};

export type FigureTable = ReturnType<typeof figureTable>;

/**
 * Every figure of every pair in columns. Those of closed candles are put in when a candle closes; those that follow
 * the price are made anew when somebody asks, at most once a beat.
 * @param tagsOf the tags of a pair at a moment of market time
 */
export function figureTable(
  market: Pick<Market, 'pairs' | 'board' | 'minutes'>,
  tagsOf: (pair: Pair, listedAt: number, at: number) => readonly string[],
) {
  let pairs: readonly Pair[] = [];
  let symbols: string[] = [];
  const rowOf = new Map<string, number>();
  /** Places of the rows in the board's columns; -1 before its first price. */
  let places = new Int32Array(0);
  let numbers = new Map<string, Float64Array>();
  let before = new Map<string, Float64Array>();
  let references = new Map<string, Float64Array>();
  let signs = new Map<string, (string | null)[]>();
  let candleAt = new Map<CandleTimeframe, Float64Array>();
  let lines: (readonly number[] | undefined)[] = [];
  let words = new Map<string, readonly (string | null)[]>();
  let tags: (readonly string[])[] = [];
  let minute = Number.NaN;
  let beat = 0;
  const candleColumns = COLUMNS.filter((id) => {
    const [key = '', timeframe] = id.split('.');
    return key !== 'change' && timeframe !== undefined && (CANDLE_TIMEFRAMES as readonly string[]).includes(timeframe);
  });
  const liveColumns = COLUMNS.filter((id) => !candleColumns.includes(id));

  /** New rows for a changed list of pairs; what is known of those that stay comes along. */
  function sync(): void {
    const now = market.pairs();
    if (now.length === pairs.length && now.every((pair, n) => pair === pairs[n])) return;
    const old = now.map((pair) => rowOf.get(pair.symbol) ?? -1);
    const moved = (column: Float64Array | undefined) =>
      Float64Array.from(old, (row) => (row < 0 || column === undefined ? Number.NaN : column[row]!));
    numbers = new Map(COLUMNS.map((id) => [id, moved(numbers.get(id))]));
    before = new Map(COLUMNS.map((id) => [id, moved(before.get(id))]));
    references = new Map(REFERENCES.map((name) => [name, moved(references.get(name))]));
    candleAt = new Map(CANDLE_TIMEFRAMES.map((timeframe) => [timeframe, moved(candleAt.get(timeframe))]));
    signs = new Map(CANDLE_TIMEFRAMES.map((timeframe) => [timeframe, old.map((row) => signs.get(timeframe)?.[row] ?? null)]));
    lines = old.map((row) => lines[row]);
    pairs = now;
    symbols = now.map((pair) => pair.symbol);
    rowOf.clear();
    symbols.forEach((symbol, row) => {
      rowOf.set(symbol, row);
    });
    places = new Int32Array(now.length).fill(-1);
    words = new Map<string, readonly (string | null)[]>([
      ['base', now.map((pair) => pair.baseAsset)],
      ['quote', now.map((pair) => pair.quoteAsset)],
      ['status', now.map((pair) => pair.status)],
      ...[...signs].map(([timeframe, column]) => [`macdSign.${timeframe}`, column] as const),
    ]);
    now.forEach((pair, row) => {
      numbers.get('minNotional')![row] = Number(pair.filters.minNotional) || Number.NaN;
    });
    retag(market.board.asOf);
  }

  function retag(at: number): void {
    const listed = numbers.get('listedAt')!;
    tags = pairs.map((pair, row) => tagsOf(pair, listed[row]!, at));
  }

  function place(row: number): number {
    if (places[row] === -1) places[row] = market.board.index(symbols[row]!) ?? -1;
    return places[row]!;
  }

  /** Everything that follows the price. */
  function refresh(): void {
    sync();
    const { board, minutes } = market;
    const at = board.asOf;
    beat += 1;
    const column = (id: string) => numbers.get(id)!;
    const reference = (name: Reference) => references.get(name)!;
    const [price, open, high, low] = [board.column('price'), board.column('open'), board.column('high'), board.column('low')];
    const [volume, bid, ask, trades, depth] = [
      board.column('quoteVolume'),
      board.column('bid'),
      board.column('ask'),
      board.column('trades'),
      board.column('depth'),
    ];
    const shorts = Object.entries(SHORT).map(([timeframe, length]) => [column(`change.${timeframe}`), length] as const);
    const extremes = [
      ['24h', undefined, undefined],
      ['7d', reference('high7d'), reference('low7d')],
      ['52w', reference('high52w'), reference('low52w')],
    ] as const;
    const edges = extremes.map(
      ([timeframe, highs, lows]) =>
        [column(`highDistance.${timeframe}`), column(`lowDistance.${timeframe}`), column(`range.${timeframe}`), highs, lows] as const,
    );
    const [prices, quoteVolume, volumeVs, tradeCount, spread, book] = [
      column('price'),
      column('quoteVolume'),
      column('volumeVs20dAvg'),
      column('trades24h'),
      column('spreadPct'),
      column('bookDepth1pct'),
    ];
    const [day, week, month] = [column('change.24h'), column('change.7d'), column('change.30d')];
    const [listed, listedDays, tick] = [column('listedAt'), column('listedDays'), column('tickSizePct')];
    for (let row = 0; row < symbols.length; row += 1) {
      listedDays[row] = Math.floor((at - listed[row]!) / DAY);
      const b = place(row);
      if (b < 0) continue;
      const last = price[b]!;
      prices[row] = last;
      day[row] = percentChange(open[b]!, last);
      week[row] = percentChange(reference('close7d')[row]!, last);
      month[row] = percentChange(reference('close30d')[row]!, last);
      for (const [target, length] of shorts) target[row] = percentChange(minutes.before(b, at, length), last);
      quoteVolume[row] = volume[b]!;
      volumeVs[row] = volume[b]! / positive(reference('volume20d')[row]!);
      tradeCount[row] = trades[b]!;
      spread[row] = bid[b]! > 0 && ask[b]! > 0 ? ((ask[b]! - bid[b]!) / ((ask[b]! + bid[b]!) / 2)) * 100 : Number.NaN;
      book[row] = depth[b]!;
      tick[row] = (Number(pairs[row]!.filters.tickSize) / last) * 100 || Number.NaN;
      for (const [highDistance, lowDistance, range, highs, lows] of edges) {
        // The running candle belongs to the window too: the ticker's own extremes hold it.
        const top = highs === undefined ? high[b]! : Number.isNaN(highs[row]!) ? Number.NaN : Math.max(highs[row]!, high[b]!, last);
        const bottom = lows === undefined ? low[b]! : Number.isNaN(lows[row]!) ? Number.NaN : Math.min(lows[row]!, low[b]!, last);
        highDistance[row] = percentChange(top, last);
        lowDistance[row] = percentChange(bottom, last);
        range[row] = percentChange(bottom, top);
      }
    }
  }
  const positive = (value: number) => (value > 0 ? value : Number.NaN);

  /** Figures of candles that never came: a market that went on without them makes them another pair's. */
  function dropOld(at: number): void {
    for (const timeframe of CANDLE_TIMEFRAMES) {
      const opened = candleAt.get(timeframe)!;
      for (let row = 0; row < opened.length; row += 1) {
        if (!(at - opened[row]! > (MOST_BEHIND + 1) * CANDLE_MS[timeframe])) continue;
        opened[row] = Number.NaN;
        signs.get(timeframe)![row] = null;
        if (timeframe === '1h') lines[row] = undefined;
        for (const id of candleColumns)
          if (id.endsWith(`.${timeframe}`)) for (const map of [numbers, before]) map.get(id)![row] = Number.NaN;
        for (const id of OF_CANDLES[timeframe] ?? []) (references.get(id) ?? numbers.get(id)!)[row] = Number.NaN;
      }
    }
  }

  return {
    /** Once a second or so: at each new minute of market time the live columns become what crossings compare with. */
    tick: (): void => {
      const { asOf } = market.board;
      const current = Math.floor(asOf / MINUTE);
      if (current === minute) return;
      const first = Number.isNaN(minute);
      minute = current;
      refresh();
      if (!first) for (const id of liveColumns) before.get(id)!.set(numbers.get(id)!);
      dropOld(asOf);
      retag(asOf);
    },
    refresh,
    /** Rises with every refresh: what was made at the same beat is of the same moment. */
    get beat(): number {
      return beat;
    },
    get table(): ScreenerTable {
      return { symbols, numbers, before, words, tags };
    },
    row: (symbol: string): number | undefined => rowOf.get(symbol),
    /** Open time of the newest closed candle that a pair's figures are made of, venue ms; NaN when there is none. */
    candleAt: (row: number, timeframe: CandleTimeframe): number => candleAt.get(timeframe)?.[row] ?? Number.NaN,
    /**
     * The last 24 closed hours of pairs that are known, 0 to 100, and when the newest of them closed (venue ms; NaN without
     * any). What ended hours before the newest would be drawn as if it were of now: it is left out.
     */
    sparklines: (wanted: readonly string[] = symbols) => {
      sync();
      const opened = candleAt.get('1h')!;
      const newest = opened.reduce((last, at, row) => (lines[row] !== undefined && !(at <= last) ? at : last), Number.NaN);
      const items = wanted.flatMap((symbol) => {
        const row = rowOf.get(symbol);
        const points = row === undefined ? undefined : lines[row];
        return points !== undefined && newest - opened[row!]! <= MOST_BEHIND * CANDLE_MS['1h'] ? [{ symbol, points: [...points] }] : [];
      });
      return { until: newest + CANDLE_MS['1h'], items };
    },
    pairAt: (row: number): Pair | undefined => pairs[row],
    setIndicators: (symbol: string, timeframe: CandleTimeframe, figures: IndicatorFigures, openTime: number): void => {
      sync();
      const row = rowOf.get(symbol);
      if (row === undefined) return;
      candleAt.get(timeframe)![row] = openTime;
      for (const [key, [now, earlier]] of Object.entries(figures)) {
        if (key === 'macdSign') signs.get(timeframe)![row] = now > 0 ? 'above' : now < 0 ? 'below' : null;
        else {
          const id = `${key}.${timeframe}`;
          const column = numbers.get(id);
          if (column === undefined) continue;
          column[row] = now;
          before.get(id)![row] = earlier;
        }
      }
    },
    setHours: (symbol: string, figures: HourFigures): void => {
      sync();
      const row = rowOf.get(symbol);
      if (row === undefined) return;
      for (const name of ['close7d', 'close30d', 'high7d', 'low7d'] as const) references.get(name)![row] = figures[name];
      lines[row] = figures.sparkline;
      numbers.get('volumeChange')![row] = figures.volumeChange;
      numbers.get('btcCorrelation.7d')![row] = figures.correlation7d;
      numbers.get('btcCorrelation.30d')![row] = figures.correlation30d;
    },
    setDays: (symbol: string, figures: DayFigures): void => {
      sync();
      const row = rowOf.get(symbol);
      if (row === undefined) return;
      for (const name of ['high52w', 'low52w', 'volume20d'] as const) references.get(name)![row] = figures[name];
      numbers.get('volatility7d')![row] = figures.volatility7d;
    },
    setListing: (symbol: string, listedAt: number): void => {
      sync();
      const row = rowOf.get(symbol);
      if (row !== undefined) numbers.get('listedAt')![row] = listedAt;
    },
  };
}
