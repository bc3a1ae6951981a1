import { AppError } from '@pilotfish/core/http/problem';
import { expect, test } from 'vitest';
import { migrationFeature } from './migration-routes.ts';

test('a typed trade of a pair whose row cannot be read is refused: its assets are not guessed from its name', async () => {
  const { handlers } = migrationFeature(
    { texts: { text: (_language: string, key: string) => key }, now: () => 10_000 } as never,
    { service: {}, market: { pair: () => undefined, isUnread: () => true }, calculate: undefined } as never,
  );
  const trade = { symbol: 'ABCUSDT', side: 'Buy', price: '1', quantity: '2', at: new Date(1000).toISOString() };
  const call = { account: { id: 'a' }, body: { exchange: 'Binance', asset: 'ABC', trades: [trade], dryRun: true }, language: 'en' };
  const refused = await Promise.resolve(handlers.addMigrationTrades?.(call as never)).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(AppError);
  expect((refused as AppError).fields).toMatchObject([{ path: 'trades.0.symbol', code: 'unreadPair', actual: 'ABCUSDT' }]);
});
