import { expect, test } from 'vitest';
import { unreadEvaluations, unreadPairNotices } from './unread-pair-notices.ts';

const bot = (id: string, state: string) => ({
  id,
  accountId: 'ada',
  walletId: id === 'other' ? 'paper' : 'live',
  name: id,
  state,
  context: { runNo: 1 },
});
const position = (id: string, state: string, quantity: string) => ({ id, symbol: 'ABCUSDT', state, context: { quantity } });

test('an owner is told which pair stops the bots of an account, and what they hold; not of bots that are off', async () => {
  const told: Record<string, unknown>[] = [];
  const positions: Record<string, unknown[]> = { dip: [position('p1', 'holding', '2'), position('p0', 'closed', '3')] };
  const notices = unreadPairNotices(
    {
      database: { queries: {} },
      notifier: { enqueue: async (_on: unknown, notice: never) => void told.push(notice), wake: () => undefined },
    } as never,
    {
      store: {
        all: async () => [bot('dip', 'running'), bot('off', 'disabled'), bot('other', 'running')] as never,
        newestPositions: async (id: string) => (positions[id] ?? []) as never,
      },
      wallets: { find: async (_account, id) => ({ id, accountId: 'ada', mode: id === 'live' ? 'live' : 'paper' }) as never },
    },
  );
  await notices.tell(new Map());
  expect(told).toEqual([]);
  await notices.tell(new Map([['live:ada', 'ABCUSDT']]));
  expect(told).toMatchObject([
    { accountId: 'ada', code: 'bots-pair-unread-open', facts: { symbol: 'ABCUSDT', open: 1, named: 'ABCUSDT (dip)' } },
  ]);
  positions.dip = [];
  await notices.tell(new Map([['live:ada', 'ABCUSDT']]));
  expect(told[1]).toMatchObject({ code: 'bots-pair-unread' });
  expect(told[1]?.key).not.toBe(told[0]?.key);
});

test('why: of what is held and of the pair itself it is said that the pair cannot be read', () => {
  const held = [
    { symbol: 'BTCUSDT', state: 'Holding' },
    { symbol: 'ETHUSDT', state: 'Closed' },
  ] as never;
  expect(unreadEvaluations('ABCUSDT', held)).toMatchObject([
    { symbol: 'ABCUSDT', state: 'Watching', stoppedBy: 'pair-read', waitsFor: { code: 'pair-read', detail: 'ABCUSDT' } },
    { symbol: 'BTCUSDT', state: 'Holding', stoppedBy: 'pair-read' },
  ]);
});
