import type { AppError } from '@pilotfish/core/http/problem';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { candlesFeature } from './candles-routes.ts';

const REST = 'http://127.0.0.1:9';

/** What a wish for archives of a pair comes to. */
async function ask(
  settings: { exchangeRestUrl?: string; exchangeArchiveUrl?: string },
  by: 'default' | 'chosen' = 'chosen',
): Promise<unknown> {
  const context = {
    accountExtras: { afterDelete: [] },
    audit: {},
    log: pino({ level: 'silent' }),
    marketDecision: { by },
    marketSource: 'binance',
    sessions: { isAdmin: async () => true },
    now: () => Date.UTC(2024, 4, 1),
    settings: { dataDir: '/nowhere', candleMonthsMb: 1, ...settings },
    storage: { isFull: () => false },
    texts: { text: () => '', find: () => undefined },
    timers: {},
  } as unknown as Parameters<typeof candlesFeature>[0];
  const market = { loaded: true, pair: () => ({}), board: { asOf: Date.UTC(2024, 4, 1) } };
  const { handlers } = candlesFeature(context, { exchange: {}, market, background: { marketName: 'binance' } } as unknown as Parameters<
    typeof candlesFeature
  >[1]);
  // Of a month that is not there yet, so that nothing is asked of the network.
  const body = { symbol: 'BTCUSDT', interval: '1h', from: '2024-06', source: 'archives' };
  try {
    return await handlers.startCandleFetch!({ account: { id: 'a' }, body, language: 'en' } as never);
  } catch (error) {
    const { code, parameters } = error as AppError;
    return [code, ...(parameters.context === undefined ? [] : [parameters.context])];
  }
}

test.each([
  ['Binance itself', ask({}), ['invalid']],
  ['another address without archives of its own', ask({ exchangeRestUrl: REST }), ['not-possible-now', 'no_archives']],
  ['another address with archives', ask({ exchangeRestUrl: REST, exchangeArchiveUrl: REST }), ['invalid']],
  ['a market that nobody chose', ask({ exchangeArchiveUrl: REST }, 'default'), ['not-possible-now', 'no_market']],
])("archives are those of the market's own exchange: %s", async (_, found, wanted) => {
  expect(await found).toEqual(wanted);
});
