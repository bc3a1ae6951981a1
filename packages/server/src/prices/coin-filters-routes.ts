import { AppError, type FieldError } from '@pilotfish/core/http/problem';
import type { CoinFilter, CoinFilterBody } from '@pilotfish/core/prices/screener-contract';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Language } from '../http/texts.ts';
import type { Market } from '../market/market.ts';
import type { BotFacts } from './bot-facts.ts';
import type { CoinFilters } from './coin-filters.ts';
import type { CoinFiltersStore, StoredCoinFilter } from './coin-filters-store.ts';
import type { ScreenerService } from './screener-service.ts';

function toCoinFilter(stored: StoredCoinFilter): CoinFilter {
  const { accountId: _accountId, last: _last, ...filter } = stored;
  return filter;
}

/** Saved selections of coins. */
export function coinFiltersFeature(
  { texts, newId, now, quotas }: Pick<AppContext, 'texts' | 'newId' | 'now' | 'quotas'>,
  parts: {
    store: CoinFiltersStore;
    filters: CoinFilters;
    screener: ScreenerService;
    market: Pick<Market, 'pair' | 'pairs' | 'loaded'>;
    bots: BotFacts;
  },
): Feature {
  const { store, filters, screener, market, bots } = parts;

  const refusal = (language: Language, fields: readonly { path: string; code: string; limit?: string; actual?: string }[]) =>
    new AppError('invalid', {
      fields: fields.map(
        (field): FieldError => ({
          ...field,
          message: texts.text(language, `validation.${field.code}`, { limit: field.limit ?? '' }),
        }),
      ),
    });

  /** Names of pairs and assets that the exchange does not have are mistakes, as long as it can be asked. */
  function checkNames(body: CoinFilterBody, language: Language): void {
    if (!market.loaded) return;
    if (!market.pairs().some((pair) => pair.quoteAsset === body.quoteAsset)) {
      throw refusal(language, [{ path: 'quoteAsset', code: 'invalid_value', actual: body.quoteAsset, limit: quotesOf(market) }]);
    }
    const unknown = (['include', 'exclude'] as const).flatMap((list) =>
      body[list].flatMap((symbol, index) =>
        market.pair(symbol)?.quoteAsset === body.quoteAsset
          ? []
          : [{ path: `${list}.${index}`, code: 'invalid_value', actual: symbol, limit: `… ${body.quoteAsset}` }],
      ),
    );
    if (unknown.length > 0) throw refusal(language, unknown);
  }

  return {
    handlers: {
      listCoinFilters: async ({ account }) => (await store.list(account.id)).map(toCoinFilter),
      createCoinFilter: async ({ account, body, language }) => {
        await screener.check({ filter: body.conditions, sort: body.sort, columns: [] }, account.id, language, 'conditions');
        checkNames(body, language);
        const id = newId();
        const isNew = await store.insert({ id, accountId: account.id, at: now() }, body, (queries) =>
          quotas.requireRoom(queries, account.id, 'coinFilters', language),
        );
        if (!isNew) throw new AppError('name-taken');
        return { ...body, id };
      },
      deleteCoinFilter: async ({ account, params, language }) => {
        if ((await store.find(params.id, account.id)) === undefined) throw new AppError('not-found');
        const users = await bots.botsUsing(account.id, params.id);
        if (users.length > 0)
          throw new AppError('in-use', { detail: texts.text(language, 'screener.filterInUse', { bots: users.join(', ') }) });
        if (!(await store.remove(account.id, params.id))) throw new AppError('not-found');
      },
      getCoinFilterCoins: async ({ account, params }) => {
        const filter = await store.find(params.id, account.id);
        if (filter === undefined) throw new AppError('not-found');
        return filters.coins(filter);
      },
    },
  };
}

const quotesOf = (market: Pick<Market, 'pairs'>): string => [...new Set(market.pairs().map((pair) => pair.quoteAsset))].sort().join(', ');
