import { decimal, multiply, toText } from '../src/money/decimal.ts';
import type { FoldOptions } from '../src/positions/asset-fold.ts';
import type { SwapEntry, TradeEntry, TransferEntry, TransferKind } from '../src/positions/ledger-entry.ts';

/** One pair of lots of 0.001 and a smallest order of 5 USDT for every symbol; every line is kept. */
export const FOLD_OPTIONS: FoldOptions = {
  primary: 'USDT',
  cash: new Set(['USDT']),
  rulesOf: () => ({ stepSize: decimal('0.001'), minNotional: decimal('5') }),
  lines: true,
};
let sequence = 0;

/** A fill of BTCUSDT without a fee, a minute after the entry before it. */
export function trade(side: 'Buy' | 'Sell', quantity: string, price: string, more: Partial<TradeEntry> = {}): TradeEntry {
  sequence += 1;
  return {
    kind: 'trade',
    id: `t${String(sequence).padStart(6, '0')}`,
    at: sequence * 60_000,
    symbol: 'BTCUSDT',
    baseAsset: 'BTC',
    quoteAsset: 'USDT',
    side,
    price,
    quantity,
    quoteQuantity: toText(multiply(decimal(quantity), decimal(price))),
    fee: '0',
    feeAsset: 'USDT',
    tradeId: String(sequence),
    orderId: null,
    source: 'api',
    feeInQuote: null,
    feeInPrimary: null,
    quoteRate: '1',
    ...more,
  };
}

/** A coming or going, a minute after the entry before it. */
export function transfer(asset: string, change: string, kind: TransferKind, cost: string | null = null): TransferEntry {
  sequence += 1;
  return {
    kind: 'transfer',
    id: `x${String(sequence).padStart(6, '0')}`,
    at: sequence * 60_000,
    asset,
    change,
    transfer: kind,
    cost,
    source: 'deposit-history',
  };
}

/** Units of one coin that became units of another, a minute after the entry before it. */
export function swap(fromAsset: string, fromQuantity: string, asset: string, quantity: string): SwapEntry {
  sequence += 1;
  const id = `s${String(sequence).padStart(6, '0')}`;
  return { kind: 'swap', id, at: sequence * 60_000, fromAsset, fromQuantity, asset, quantity, source: 'transaction-records' };
}
