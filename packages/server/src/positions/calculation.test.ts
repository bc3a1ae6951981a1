import type { TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import { expect, test } from 'vitest';
import { accountTurns } from '../database/account-turns.ts';
import { recalculate } from './calculation.ts';
import type { MyTrade } from './fill-entries.ts';
import type { BookPosition } from './position-book.ts';
import type { PositionsService } from './positions-service.ts';

const T = Date.UTC(2026, 0, 1);
const row: TradeEntry = {
  kind: 'trade',
  id: 'trade-history:1',
  at: T,
  symbol: 'BTCUSDT',
  baseAsset: 'BTC',
  quoteAsset: 'USDT',
  side: 'Buy',
  price: '100',
  quantity: '1',
  quoteQuantity: '100',
  fee: '0',
  feeAsset: 'USDT',
  tradeId: null,
  orderId: null,
  source: 'trade-history',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
};
const told: MyTrade = {
  symbol: 'BTCUSDT',
  id: '9',
  orderId: '7',
  price: '100.0',
  qty: '1.0',
  quoteQty: '100',
  commission: '0',
  commissionAsset: 'USDT',
  time: T + 400,
  isBuyer: true,
};

test('fills that are read again take the place of their rows in files', async () => {
  let stored: readonly TradeEntry[] = [row];
  const service = {
    ledger: {
      entries: async () => stored,
      inTurn: accountTurns(),
      append: async (_: string, entries: readonly TradeEntry[], { replaces = [] }: { replaces?: readonly string[] }) => {
        stored = [...stored.filter(({ id }) => !replaces.includes(id)), ...entries];
        return { added: entries.length, duplicates: [] };
      },
    },
    books: { withLines: async () => ({ entries: stored }) },
    sync: { tradesOf: async () => [told] },
    valuer: { withValues: async (entries: readonly TradeEntry[]) => entries, settle: async () => 0 },
    check: { compare: async () => undefined },
    accountOf: async () => undefined,
  } as unknown as PositionsService;
  const market = { pair: () => ({ baseAsset: 'BTC', quoteAsset: 'USDT' }) as never };
  const position = {
    position: { symbol: 'BTCUSDT', reasons: new Set(['OVERSOLD']), openedAt: T, closedAt: null },
  } as unknown as BookPosition;
  await recalculate(service, market, 'a', position);
  expect(stored.map(({ id }) => id)).toEqual(['trade:BTCUSDT:9']);
  // Again: nothing changes any more.
  expect(await recalculate(service, market, 'a', position)).toEqual({ added: 0, removed: 0 });
  expect(stored).toHaveLength(1);
});
