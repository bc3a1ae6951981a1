import type { Client } from '@pilotfish/core/http/client';
import type { Contract } from '@pilotfish/core/http/contract';
import { codeOf } from '@pilotfish/core/http/problem';
import type { CoinFilter, CoinFilterBody } from '@pilotfish/core/prices/screener-contract';

type Calls = Pick<Client<Contract>, 'createCoinFilter' | 'deleteCoinFilter'>;

/** A filter as it is made: the server gives it its id. */
export function withoutId(filter: CoinFilter): CoinFilterBody {
  const body: Partial<CoinFilter> = { ...filter };
  delete body.id;
  return body as CoinFilterBody;
}

/**
 * Saves a coin filter. A filter has no versions at the server: a changed one is a new one that takes the place of the
 * old. Under another name the new one is made first; under the same name the old one has to go first, and comes back
 * when the new one is refused. A filter that bots use stays: those bots go on with it.
 * @returns the saved filter, and whether the old one stayed because bots use it
 * @throws AppError `in-use` when a filter that bots use should change under its own name
 */
export async function saveFilter(
  client: Calls,
  body: CoinFilterBody,
  old: CoinFilter | undefined,
  key: string,
): Promise<{ filter: CoinFilter; kept: boolean }> {
  const create = (what: CoinFilterBody, idempotencyKey: string) => client.createCoinFilter({ body: what }, { quiet: true, idempotencyKey });
  const remove = (id: string) => client.deleteCoinFilter({ params: { id } }, { quiet: true });
  if (!old) return { filter: await create(body, key), kept: false };
  if (body.name !== old.name) {
    const filter = await create(body, key);
    try {
      await remove(old.id);
      return { filter, kept: false };
    } catch (error) {
      if (codeOf(error) === 'in-use') return { filter, kept: true };
      throw error;
    }
  }
  await remove(old.id);
  try {
    return { filter: await create(body, key), kept: false };
  } catch (error) {
    await create(withoutId(old), crypto.randomUUID());
    throw error;
  }
}
