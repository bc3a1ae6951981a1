/** A market of our own: what its file holds. */
export type OwnMarket = {
  readonly seed: number;
  readonly bars: number;
  readonly intervalMs: number;
  /** What the first candle opens at, in hundredths of the quote asset. */
  readonly openCents: number;
  /** Candles that the file lacks, as of an exchange that was down. */
  readonly hole?: { readonly from: number; readonly bars: number };
  /** All columns of an export, money and trades among them; the first six without. */
  readonly whole?: true;
};

const SIX = 'open_time,open,high,low,close,volume';
const WHOLE = 'open_time,datetime,open,high,low,close,volume,close_time,quote_volume,trades,taker_buy_base,taker_buy_quote';

/** A Monday, so that quarters, hours and days begin with the file. */
const START = Date.UTC(2026, 0, 5);

/** Numbers from 0 to below 1. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/**
 * A file of candles as those in ../shared/data/klines, with values of our own: a random walk through quiet and lively
 * times, prices on a tick of 0.01. The same for the same market on every machine: it takes sums, products and quotients,
 * nothing that an engine may round in its own way.
 */
export function ownCandleFile({ seed, bars, intervalMs, openCents, hole, whole }: OwnMarket): string {
  const draw = drawer(seed);
  const lines = [whole ? WHOLE : SIX];
  let close = openCents;
  let swing = 0.002;
  for (let bar = 0; bar < bars; bar += 1) {
    swing = Math.max(0.001, Math.min(0.006, swing * (0.97 + 0.06 * draw())));
    // Every fourth opens away from the last close, as a book without a trade for a while does.
    const open = draw() < 0.25 && bar > 0 ? Math.round(close * (1 + swing * (draw() - 0.5))) : close;
    close = Math.max(100, Math.round(open * (1 + swing * (draw() + draw() + draw() - 1.5))));
    const high = Math.round(Math.max(open, close) * (1 + (swing / 3) * draw()));
    const low = Math.round(Math.min(open, close) * (1 - (swing / 3) * draw()));
    const lots = 1000 + Math.floor(draw() * 5_000_000);
    const trades = 1 + Math.floor(draw() * 3000);
    if (hole && bar >= hole.from && bar < hole.from + hole.bars) continue;
    const openTime = START + bar * intervalMs;
    const prices = [open, high, low, close].map((cents) => (cents / 100).toFixed(2)).join(',');
    const volume = (lots / 100_000).toFixed(5);
    if (!whole) {
      lines.push(`${openTime},${prices},${volume}`);
      continue;
    }
    const [taken, money] = [lots / 200_000, (lots / 100_000) * ((high + low) / 200)];
    const date = new Date(openTime).toISOString().slice(0, 19).replace('T', ' ');
    const rest = [openTime + intervalMs - 1, money.toFixed(8), trades, taken.toFixed(8), (money / 2).toFixed(8)].join(',');
    lines.push(`${openTime},${date},${prices},${volume},${rest}`);
  }
  return lines.join('\n');
}
