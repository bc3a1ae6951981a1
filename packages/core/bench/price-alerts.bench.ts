import { levelIndex } from '../src/price-alerts/level-index.ts';
import { random } from './series.ts';

// One-shot levels over 2,000 symbols, above and below the price; what fires is set again one percent away. Beside it
// a look at every alert of the symbol, as a plain list would need.
const SYMBOLS = 2000;
const draw = random(20260910);

/** Symbols of alerts: all alike, or a few with most of them. */
function symbolsOf(count: number, zipf: boolean): Uint32Array {
  if (!zipf) return Uint32Array.from({ length: count }, () => Math.floor(draw() * SYMBOLS));
  const weights = Array.from({ length: SYMBOLS }, (_, n) => 1 / (n + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  const ends = weights.map((weight) => {
    sum += weight / whole;
    return sum;
  });
  return Uint32Array.from({ length: count }, () => {
    const at = draw();
    let low = 0;
    let high = SYMBOLS - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ends[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
function measure(count: number, zipf: boolean) {
  const symbols = symbolsOf(count, zipf);
  const levels = Float64Array.from(symbols, () => 100 * (1 + (draw() < 0.5 ? -1 : 1) * (0.01 + draw() * 0.5)));
  const index = levelIndex();
  const ids = new Uint32Array(count);
  for (let n = 0; n < count; n += 1) ids[n] = index.add(symbols[n]!, levels[n]! > 100 ? 'up' : 'down', levels[n]!);
  const bytes = index.bytes / count;

  const prices = new Float64Array(SYMBOLS).fill(100);
  const TICKS = 2_000_000;
  // Drawn beforehand: only ticks are measured. Zipf: who has the most alerts has the most ticks.
  const tickSymbols = symbolsOf(TICKS, zipf);
  const moves = Float64Array.from({ length: TICKS }, () => 1 + (draw() - 0.5) * 0.0004);
  let fired = 0;
  const tick = (from: number, to: number): void => {
    for (let n = from; n < to; n += 1) {
      const symbol = tickSymbols[n]!;
      const price = prices[symbol]! * moves[n]!;
      prices[symbol] = price;
      index.tick(symbol, price, () => {
        fired += 1;
        index.add(symbol, fired % 2 === 0 ? 'up' : 'down', price * (fired % 2 === 0 ? 1.01 : 0.99));
      });
    }
  };
  tick(0, TICKS / 4);
  let ns = Number.POSITIVE_INFINITY;
  for (let round = 1; round < 4; round += 1) {
    const start = cpu();
    tick((round * TICKS) / 4, ((round + 1) * TICKS) / 4);
    ns = Math.min(ns, ((cpu() - start) * 1000) / (TICKS / 4));
  }

  // The same question asked of plain lists, one per symbol.
  const lists: { up: boolean; level: number }[][] = Array.from({ length: SYMBOLS }, () => []);
  for (let n = 0; n < count; n += 1) lists[symbols[n]!]!.push({ up: levels[n]! > 100, level: levels[n]! });
  const SCANS = count >= 1_000_000 ? (zipf ? 300 : 20_000) : 50_000;
  let seen = 0;
  const start = cpu();
  for (let n = 0; n < SCANS; n += 1) {
    const price = 100 * moves[n]!;
    for (const alert of lists[tickSymbols[n]!]!) if (alert.up ? price > alert.level : price < alert.level) seen += 1;
  }
  const scan = ((cpu() - start) * 1000) / SCANS;

  const CHURN = 20_000;
  const begun = cpu();
  for (let n = 0; n < CHURN; n += 1) {
    const which = Math.floor(draw() * count);
    index.remove(ids[which]!);
    ids[which] = index.add(symbols[which]!, levels[which]! > 100 ? 'up' : 'down', levels[which]!);
  }
  const churn = (cpu() - begun) / CHURN;
  return { ns, bytes, scan, churn, fired, seen };
}

for (const zipf of [false, true]) {
  const small = measure(10_000, zipf);
  const middle = measure(100_000, zipf);
  const large = measure(1_000_000, zipf);
  console.log(`${zipf ? 'Zipf' : 'uniform'}, ${SYMBOLS} symbols:`);
  for (const [name, { ns, bytes, scan, churn, fired }] of [
    ['   10,000', small],
    ['  100,000', middle],
    ['1,000,000', large],
  ] as const)
    console.log(
      `  ${name} alerts: ${ns.toFixed(0)} ns a tick (${fired} fired), ${bytes.toFixed(0)} bytes an alert, ` +
        `${(scan / ns).toFixed(0)} times as fast as a scan of the symbol's alerts (${scan.toFixed(0)} ns), delete and insert ${churn.toFixed(1)} µs`,
    );
  console.log(`  a tick at 1,000,000 costs ${(large.ns / small.ns).toFixed(2)} of one at 10,000`);
}
