import { formatCompact, formatPercent } from '@pilotfish/core/money/format';
import type { Ticker } from '@pilotfish/core/prices/prices-contract';
import { tint } from '../ui/colour.ts';
import type { Resource } from '../ui/output.ts';

export const prices: Resource<Ticker> = {
  empty: 'prices',
  columns: [
    { key: 'symbol', value: ({ symbol }) => symbol, shown: ({ symbol }, paint) => paint.bold(symbol) },
    { key: 'price', value: ({ price }) => price, pair: ({ symbol }) => symbol, right: true },
    {
      key: 'changePct',
      value: ({ changePct }) => changePct,
      shown: ({ changePct }, paint) => tint(paint, formatPercent(changePct)),
      right: true,
    },
    { key: 'high', value: ({ high }) => high, pair: ({ symbol }) => symbol, right: true, rank: 2 },
    { key: 'low', value: ({ low }) => low, pair: ({ symbol }) => symbol, right: true, rank: 3 },
    {
      key: 'quoteVolume',
      value: ({ quoteVolume }) => quoteVolume,
      shown: ({ quoteVolume }) => formatCompact(quoteVolume),
      right: true,
      rank: 1,
    },
  ],
};
