import { AppError } from '@pilotfish/core/http/problem';
import type { Mover } from '@pilotfish/core/landing/landing-contract';
import { compare, decimal, ZERO } from '@pilotfish/core/money/decimal';
import type { Market } from '../market/market.ts';
import { type LandingInterval, spanOf } from './price-change.ts';

/** Movers shown on the landing page, and the volume below which a pair is too thin to be news. */
const MOVERS = 10;
const MIN_QUOTE_VOLUME = decimal('10000');

/** Pairs of the primary currency that rose (1) or fell (-1) most. */
export async function movers(
  market: Pick<Market, 'pair' | 'tickers' | 'candles'>,
  direction: 1 | -1,
  interval: LandingInterval,
): Promise<Mover[]> {
  if (interval !== '24h') throw new AppError('not-implemented', { detail: `Only the interval 24h is available yet, not ${interval}.` });
  const found = market
    .tickers()
    .flatMap(({ symbol, price, changePct, quoteVolume }) => {
      const pair = market.pair(symbol);
      const counts = pair?.quoteAsset === 'USDT' && pair.status === 'TRADING' && compare(decimal(quoteVolume), MIN_QUOTE_VOLUME) >= 0;
      return counts ? [{ symbol, baseAsset: pair.baseAsset, price, changePct, quoteVolume }] : [];
    })
    .filter((mover) => compare(decimal(mover.changePct), ZERO) === direction)
    .sort((a, b) => direction * compare(decimal(b.changePct), decimal(a.changePct)) || (a.symbol < b.symbol ? -1 : 1))
    .slice(0, MOVERS);
  return Promise.all(
    found.map(async (mover) => ({
      ...mover,
      sparkline: (await spanOf(market, mover.symbol, interval).catch(() => [])).map(({ close }) => Number(close)),
    })),
  );
}
