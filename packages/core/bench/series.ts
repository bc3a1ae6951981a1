import type { CandleSeries } from '../src/prices/candle-series.ts';

/** mulberry32: a small seeded generator, so that every run measures the same market. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A random walk of bars with clustered volatility, prices on a tick of 0.01. */
export function randomSeries(size: number, seed = 20_260_820, intervalMs = 60_000): CandleSeries {
  const draw = random(seed);
  const column = () => new Float64Array(size);
  const series = {
    symbol: 'BTCUSDT',
    intervalMs,
    openTime: column(),
    open: column(),
    high: column(),
    low: column(),
    close: column(),
    volume: column(),
  };
  const round = (value: number) => Math.round(value * 100) / 100;
  let price = 30_000;
  let volatility = 0.0005;
  for (let bar = 0; bar < size; bar += 1) {
    volatility = Math.max(0.0002, Math.min(0.004, volatility * (0.98 + 0.04 * draw())));
    const open = price;
    const close = round(Math.max(100, open * (1 + volatility * (draw() + draw() + draw() - 1.5) * 2)));
    series.openTime[bar] = 1_700_000_040_000 + bar * intervalMs;
    series.open[bar] = open;
    series.close[bar] = close;
    series.high[bar] = round(Math.max(open, close) * (1 + volatility * draw()));
    series.low[bar] = round(Math.min(open, close) * (1 - volatility * draw()));
    series.volume[bar] = 1 + draw() * 50;
    price = close;
  }
  return series;
}
