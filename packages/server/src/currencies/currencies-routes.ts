import type { AdminCurrency } from '@pilotfish/core/admin/instance-contract';
import { AppError } from '@pilotfish/core/http/problem';
import { asset } from '@pilotfish/core/http/wire';
import { currencyIconPath } from '@pilotfish/core/prices/currency';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FastifyInstance } from 'fastify';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Surroundings } from '../http/endpoint-handler.ts';
import { currencyIcon } from './currency-icon.ts';
import { currencyName } from './currency-names.ts';
import { etagOf } from './currency-settings.ts';
import { checkedPng, limitedBytes } from './png-check.ts';

const KEPT_ICONS = 1000;
const PRIMARY = 'USDT';

/** `GET /icons/currency/{code}.png`: an Admin's picture, or one drawn at first demand: the exchange lists assets without asking us. */
export function registerCurrencyIcons(server: FastifyInstance, { instance }: Pick<AppContext, 'instance'>): void {
  const drawn = new Map<string, { png: Buffer; etag: string }>();
  const draw = (code: string) => {
    const known = drawn.get(code);
    if (known !== undefined) return known;
    if (drawn.size >= KEPT_ICONS) drawn.delete(drawn.keys().next().value ?? '');
    const png = currencyIcon(code);
    const icon = { png, etag: etagOf(png) };
    drawn.set(code, icon);
    return icon;
  };
  server.get<{ Params: { file: string } }>('/icons/currency/:file', async (request, reply) => {
    const code = /^(.+)\.png$/.exec(request.params.file)?.[1]?.toUpperCase();
    if (code === undefined || !asset.safeParse(code).success) throw new AppError('not-found');
    const { png, etag } = instance.currencies.get(code)?.icon ?? draw(code);
    // Pictures seldom change, but an Admin's new one should be seen soon: five minutes, then ask by the tag.
    reply.header('cache-control', 'public, max-age=300, stale-while-revalidate=86400').header('etag', etag);
    const asked = request.headers['if-none-match'];
    if (asked?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) return reply.code(304).send();
    return reply.header('content-type', 'image/png').send(png);
  });
}

/**
 * The assets of the exchange's pairs: the primary currency first, then by how many tradable pairs each is in, then by
 * code; with what the Admin says of them.
 */
export function currenciesFeature(context: AppContext, market: { pairs(): Pair[] }): Feature {
  const { instance, database, audit, now } = context;
  const chosen = instance.currencies;

  const all = (): AdminCurrency[] => {
    const assets = new Map<string, { precision: number; tradable: number }>();
    for (const pair of market.pairs())
      for (const [code, precision] of [
        [pair.baseAsset, pair.baseAssetPrecision],
        [pair.quoteAsset, pair.quoteAssetPrecision],
      ] as const) {
        const known = assets.get(code) ?? { precision, tradable: 0 };
        assets.set(code, {
          precision: Math.max(known.precision, precision),
          tradable: known.tradable + (pair.status === 'TRADING' ? 1 : 0),
        });
      }
    for (const code of chosen.codes()) if (!assets.has(code)) assets.set(code, { precision: 8, tradable: 0 });
    return [...assets]
      .sort(([a, one], [b, two]) => Number(b === PRIMARY) - Number(a === PRIMARY) || two.tradable - one.tradable || (a < b ? -1 : 1))
      .map(([code, { precision, tradable }], index) => {
        const choice = chosen.get(code);
        return {
          code,
          name: choice?.name ?? currencyName(code),
          precision: choice?.precision ?? precision,
          icon: currencyIconPath(code),
          enabled: choice?.enabled ?? tradable > 0,
          sort: choice?.sort ?? index,
          changed: choice !== undefined,
          hasIcon: choice?.icon !== undefined,
        };
      })
      .sort((a, b) => a.sort - b.sort);
  };
  const one = (code: string): AdminCurrency => {
    const found = all().find((currency) => currency.code === code);
    if (found === undefined) throw new AppError('not-found');
    return found;
  };
  /** Runs a change with its audit entry, and answers when everybody sees it. */
  const change = async (
    code: string,
    { account, origin }: Pick<Surroundings, 'account' | 'origin'>,
    action: string,
    work: (queries: Parameters<typeof chosen.remove>[0]) => Promise<boolean | undefined>,
    after: object = {},
  ): Promise<void> => {
    const before = all().find((currency) => currency.code === code);
    const done = await database.transaction(async (queries) => {
      if ((await work(queries)) === false) return false;
      await instance.bump('currencies', queries);
      await audit.record({ accountId: account.id, action, target: code, origin, details: { before: before ?? null, after } }, queries);
      return true;
    });
    if (!done) throw new AppError('not-found');
    await instance.refresh();
  };

  return {
    handlers: {
      listCurrencies: () => all(),
      listAdminCurrencies: ({ query: { search = '', sortBy, sortOrder, state, page, pageSize } }) => {
        const wanted = search.trim().toLowerCase();
        const way = sortOrder === 'asc' ? 1 : -1;
        const compare = (a: AdminCurrency, b: AdminCurrency) =>
          sortBy === 'sort' ? a.sort - b.sort : a[sortBy].localeCompare(b[sortBy], 'en');
        const found = all()
          .filter(({ code, name }) => wanted === '' || code.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted))
          .filter(({ enabled, changed }) => state === 'all' || (state === 'changed' ? changed : enabled === (state === 'enabled')))
          .sort((a, b) => way * compare(a, b) || (a.code < b.code ? -1 : 1));
        return { items: found.slice((page - 1) * pageSize, page * pageSize), page, pageSize, total: found.length };
      },
      changeCurrency: async (call) => {
        const { code } = call.params;
        await change(
          code,
          call,
          'admin.change-currency',
          async (queries) => {
            await chosen.store(queries, code, call.body, now());
            return true;
          },
          call.body,
        );
        return one(code);
      },
      resetCurrency: (call) =>
        change(call.params.code, call, 'admin.reset-currency', (queries) => chosen.remove(queries, call.params.code)),
      setCurrencyIcon: async (call) => {
        const { code } = call.params;
        one(code);
        const png = checkedPng(await limitedBytes((await call.file()).stream));
        await change(
          code,
          call,
          'admin.currency-icon',
          async (queries) => {
            await chosen.storeIcon(queries, code, png, now());
            return true;
          },
          { bytes: png.length },
        );
        return one(code);
      },
      removeCurrencyIcon: async (call) => {
        const { code } = call.params;
        if (chosen.get(code)?.icon === undefined) throw new AppError('not-found');
        await change(code, call, 'admin.currency-icon', async (queries) => {
          await chosen.storeIcon(queries, code, null, now());
          return true;
        });
      },
    },
  };
}
