import { AppError } from '@pilotfish/core/http/problem';
import type { CoinFilter, CoinFilterBody } from '@pilotfish/core/prices/screener-contract';
import { expect, test } from 'vitest';
import { saveFilter, withoutId } from './filter-saving.ts';

const old: CoinFilter = {
  id: '0190a0b0-0000-7000-8000-000000000001',
  name: 'Liquid',
  quoteAsset: 'USDT',
  include: [],
  exclude: [],
  sort: [],
  maxCoins: 20,
  minAgeDays: 30,
  minQuoteVolume24h: '1000000',
  maxSpreadPct: '0.3',
  refreshMinutes: 60,
  onError: 'keepLast',
};
const body = (over: Partial<CoinFilterBody> = {}): CoinFilterBody => ({ ...withoutId(old), maxCoins: 5, ...over });

/** Filters as the server keeps them: names are taken once, what is in use cannot go, what is wrong is refused. */
function server({ inUse = false, refuses }: { inUse?: boolean; refuses?: (body: CoinFilterBody) => boolean } = {}) {
  let stored: CoinFilter[] = [old];
  return {
    names: () => stored.map(({ name, maxCoins }) => `${name} ${maxCoins}`),
    calls: {
      createCoinFilter: ({ body: asked }: { body: CoinFilterBody }) => {
        if (stored.some(({ name }) => name === asked.name)) return Promise.reject(new AppError('name-taken'));
        if (refuses?.(asked)) return Promise.reject(new AppError('invalid'));
        const filter = { ...asked, id: `id-${asked.name}-${asked.maxCoins}` };
        stored = [...stored, filter];
        return Promise.resolve(filter);
      },
      deleteCoinFilter: ({ params }: { params: { id: string } }) => {
        if (inUse && params.id === old.id) return Promise.reject(new AppError('in-use'));
        stored = stored.filter(({ id }) => id !== params.id);
        return Promise.resolve();
      },
    } as never,
  };
}

test('a new one is simply made', async () => {
  const { calls, names } = server();
  expect(await saveFilter(calls, body({ name: 'Other' }), undefined, 'k')).toMatchObject({ kept: false });
  expect(names()).toEqual(['Liquid 20', 'Other 5']);
});
test('a changed one takes the place of the old, under the same name or another', async () => {
  const same = server();
  await saveFilter(same.calls, body(), old, 'k');
  expect(same.names()).toEqual(['Liquid 5']);
  const renamed = server();
  await saveFilter(renamed.calls, body({ name: 'New' }), old, 'k');
  expect(renamed.names()).toEqual(['New 5']);
});
test('one that bots use stays: refused under its name, beside the new one under another', async () => {
  const same = server({ inUse: true });
  await expect(saveFilter(same.calls, body(), old, 'k')).rejects.toMatchObject({ code: 'in-use' });
  expect(same.names()).toEqual(['Liquid 20']);
  const renamed = server({ inUse: true });
  expect(await saveFilter(renamed.calls, body({ name: 'New' }), old, 'k')).toMatchObject({ kept: true });
  expect(renamed.names()).toEqual(['Liquid 20', 'New 5']);
});
test('a refused change loses nothing: the old one is back', async () => {
  const { calls, names } = server({ refuses: ({ maxCoins }) => maxCoins === 5 });
  await expect(saveFilter(calls, body(), old, 'k')).rejects.toMatchObject({ code: 'invalid' });
  expect(names()).toEqual(['Liquid 20']);
});
