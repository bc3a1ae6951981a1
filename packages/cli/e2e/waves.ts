/** Two waves a day: a market in which a bot that buys dips trades. In the exchange's own layout, without a heading. */
export function dump(bars: number, base: number): string {
  const price = (bar: number) => base * (1 + 0.02 * Math.sin((bar / 720) * 2 * Math.PI) + 0.004 * Math.sin((bar / 37) * 2 * Math.PI));
  return Array.from({ length: bars }, (_, bar) => {
    const [open, close] = [price(bar), price(bar + 1)];
    const openTime = Date.UTC(2025, 0, 1) + bar * 60_000;
    const [high, low] = [Math.max(open, close) * 1.0002, Math.min(open, close) * 0.9998];
    const row = [open, high, low, close].map((value) => value.toFixed(2));
    // Since 2025 the archive tells microseconds.
    return [openTime * 1000, ...row, '120.5', (openTime + 59_999) * 1000, '1', 10, '1', '1', 0].join(',');
  }).join('\n');
}

/** A bot that buys them. */
export const WAVE = [
  'name: Wave',
  'entry:',
  '  size: { mode: fixed, value: 100 }',
  '  trigger: { kind: drop, dropPct: 1, lookbackMin: 240 }',
  '  trailing: { reboundPct: 0.1 }',
  '  order: { type: Market }',
  'takeProfit: { levels: [{ gainPct: 1, sellPct: 100 }] }',
  'stopLoss: { mode: percent, pct: 3 }',
].join('\n');
