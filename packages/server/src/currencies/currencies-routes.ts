import { createHash } from 'node:crypto';
import { AppError } from '@pilotfish/core/http/problem';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import type { FastifyInstance } from 'fastify';
import type { Feature } from '../app/feature.ts';
import { currencyIcon } from './currency-icon.ts';
import { currencyName } from './currency-names.ts';

const KEPT_ICONS = 1000;
const PRIMARY = 'USDT';

export const iconPath = (code: string): string => `/icons/currency/${code}.png`;

/** `GET /icons/currency/{code}.png`: drawn at first demand, because the exchange lists new assets without asking us. */
export function registerCurrencyIcons(server: FastifyInstance): void {
  const drawn = new Map<string, { icon: Buffer; etag: string }>();
  server.get<{ Params: { file: string } }>('/icons/currency/:file', async (request, reply) => {
    const code = /^([A-Za-z0-9]{1,20})\.png$/.exec(request.params.file)?.[1]?.toUpperCase();
    if (code === undefined) throw new AppError('not-found');
    const known = drawn.get(code) ?? withTag(currencyIcon(code));
    if (!drawn.has(code) && drawn.size >= KEPT_ICONS) drawn.delete(drawn.keys().next().value ?? '');
    drawn.set(code, known);
    // The same code is the same picture until the way of drawing changes: a month, then ask by the tag.
    reply.header('cache-control', 'public, max-age=2592000, stale-while-revalidate=86400').header('etag', known.etag);
    const asked = request.headers['if-none-match'];
    if (asked?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === known.etag)) return reply.code(304).send();
    return reply.header('content-type', 'image/png').send(known.icon);
  });
}

const withTag = (icon: Buffer) => ({ icon, etag: `"${createHash('sha256').update(icon).digest('base64url').slice(0, 22)}"` });

/** The assets of the exchange's pairs: the primary currency first, then by how many tradable pairs each is in, then by code. */
export function currenciesFeature(market: { pairs(): Pair[] }): Feature {
  return {
    handlers: {
      listCurrencies: () => {
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
        return [...assets]
          .sort(([a, one], [b, two]) => Number(b === PRIMARY) - Number(a === PRIMARY) || two.tradable - one.tradable || (a < b ? -1 : 1))
          .map(([code, { precision, tradable }], index) => ({
            code,
            name: currencyName(code),
            precision,
            icon: iconPath(code),
            enabled: tradable > 0,
            sort: index,
          }));
      },
    },
  };
}
