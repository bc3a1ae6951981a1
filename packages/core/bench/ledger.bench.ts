import { decimal, multiply, toText } from '../src/money/decimal.ts';
import { foldLedger } from '../src/positions/asset-fold.ts';
import type { TradeEntry } from '../src/positions/ledger-entry.ts';
import { random } from './series.ts';

// A long history folded into positions: 500,000 fills of 40 pairs, a third of them with their fee in a third asset.
const FILLS = 500_000;
const draw = random(20260820);
const entries: TradeEntry[] = Array.from({ length: FILLS }, (_, index) => {
  const base = `C${Math.floor(draw() * 40)}`;
  const price = (1 + draw() * 100).toFixed(4);
  const quantity = (0.01 + draw() * 10).toFixed(3);
  const fee = (draw() * 0.01).toFixed(8);
  const third = index % 3 === 0;
  return {
    kind: 'trade',
    id: `trade:${index}`,
    at: 1_600_000_000_000 + index * 1000,
    symbol: `${base}USDT`,
    baseAsset: base,
    quoteAsset: 'USDT',
    side: draw() < 0.55 ? 'Buy' : 'Sell',
    price,
    quantity,
    quoteQuantity: toText(multiply(decimal(price), decimal(quantity))),
    fee,
    feeAsset: third ? 'BNB' : 'USDT',
    tradeId: String(index),
    orderId: null,
    source: 'api',
    feeInQuote: third ? fee : null,
    feeInPrimary: third ? fee : null,
    quoteRate: '1',
  };
});
const options = {
  primary: 'USDT',
  cash: new Set(['USDT']),
  rulesOf: () => ({ stepSize: decimal('0.001'), minNotional: decimal('5') }),
};
globalThis.gc?.();
const heap = process.memoryUsage().heapUsed;
let best = Number.POSITIVE_INFINITY;
let positions = 0;
for (let round = 0; round < 3; round += 1) {
  const before = process.cpuUsage();
  positions = foldLedger(entries, options).reduce((count, book) => count + book.positions.length, 0);
  const { user, system } = process.cpuUsage(before);
  best = Math.min(best, (user + system) / 1e6);
}
globalThis.gc?.();
console.log(
  `${FILLS.toLocaleString('en-US')} fills into ${positions.toLocaleString('en-US')} positions: ${best.toFixed(2)} s, ${((best / FILLS) * 1e6).toFixed(1)} µs a fill, ` +
    `${((process.memoryUsage().heapUsed - heap) / 1e6).toFixed(0)} MB kept`,
);
