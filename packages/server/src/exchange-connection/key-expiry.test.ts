import { expect, test } from 'vitest';
import type { Notice } from '../notifications/notifier.ts';
import { keyExpiry } from './key-expiry.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 0, 15);

/** Accounts whose keys end at some moment; the notifier knows what was told, as the real one does by its key. */
function stage(ends: Record<string, number | undefined | Error>) {
  const told = new Map<string, Notice>();
  const world = { now: NOW };
  const expiry = keyExpiry(
    {
      database: { queries: {} },
      log: { info: () => undefined, error: () => undefined },
      now: () => world.now,
      notifier: {
        enqueue: async (_: unknown, notice: Notice) => {
          const key = `${notice.accountId} ${notice.key}`;
          if (told.has(key)) return false;
          told.set(key, notice);
          return true;
        },
        wake: () => undefined,
      },
    } as never,
    {
      accounts: async () => Object.keys(ends),
      endOf: async (accountId) => {
        const end = ends[accountId];
        if (end instanceof Error) throw end;
        return end;
      },
    },
  );
  return { expiry, world, ends, keys: () => [...told.values()].map(({ key }) => key), told: () => [...told.values()] };
}

test('told 14, 7 and 1 days before, each once, and never after', async () => {
  const end = NOW + 20 * DAY;
  const { expiry, world, keys, told } = stage({ ada: end });
  const at = async (daysBefore: number) => {
    world.now = end - daysBefore * DAY;
    await expiry.look();
    await expiry.look();
    return keys().map((key) => Number(key.split(':').at(-1)));
  };
  expect(await at(15)).toEqual([]);
  expect(await at(14)).toEqual([14]);
  expect(await at(8)).toEqual([14]);
  expect(await at(6.9)).toEqual([14, 7]);
  expect(await at(1)).toEqual([14, 7, 1]);
  expect(await at(0.1)).toEqual([14, 7, 1]);
  expect(await at(-1)).toEqual([14, 7, 1]);
  expect(told()[0]).toMatchObject({ kind: 'exchange-connection', code: 'exchange-key-ends', facts: { endsAt: end } });
});

test('connected late it is told how near it is, not how far it was; another end is told anew', async () => {
  const { expiry, ends, keys } = stage({ ada: NOW + 3 * DAY });
  await expiry.look();
  expect(keys()).toHaveLength(1);
  ends.ada = NOW + 5 * DAY;
  await expiry.look();
  expect(keys()).toHaveLength(2);
});

test('one that cannot be asked keeps nobody else from being told', async () => {
  const { expiry, told } = stage({ lost: new Error('away'), none: undefined, ada: NOW + DAY });
  await expiry.look();
  expect(told().map(({ accountId }) => accountId)).toEqual(['ada']);
});
