import { type AutoTradeConfigInput, autoTradeConfigSchema } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { FilterGroup } from '@pilotfish/core/prices/screener-contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { marketFixture } from '../prices/market-fixture.ts';
import type { Prices } from '../prices/prices.ts';
import { botConditions } from './bot-conditions.ts';

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 0, 15, 12);
const ID = '01890000-0000-7000-8000-000000000001';
const oversold: FilterGroup = { match: 'all', rules: [{ key: 'rsi', timeframe: '1h', operation: 'lt', value: 30 }] };
const overbought: FilterGroup = { match: 'all', rules: [{ key: 'rsi', timeframe: '1h', operation: 'gt', value: 70 }] };
const bot = (over: Partial<AutoTradeConfigInput> = {}) => ({
  accountId: ID,
  symbols: ['BTCUSDT', 'ETHUSDT'],
  config: autoTradeConfigSchema.parse({
    name: 'Rules',
    walletId: ID,
    coins: { symbols: ['BTCUSDT', 'ETHUSDT'] },
    timeframe: '1h',
    entry: { trigger: { kind: 'conditions', rules: oversold } },
    stopLoss: { mode: 'none' },
    exit: { conditions: overbought },
    ...over,
  }),
});

let server: TestServer;
let prices: Prices;
beforeAll(async () => {
  const fixture = marketFixture(
    [
      { base: 'BTC', price: '100' },
      { base: 'ETH', price: '10' },
    ],
    NOON,
  );
  server = await startTestServer({
    now: NOON,
    features: async (context) => {
      prices = fixture.open(context, {});
      return [...(await accountFeatures(context)), ...prices.features];
    },
  });
});
afterAll(() => server.close());
const rsi = (symbol: string, value: number, openTime: number) =>
  prices.figures.setIndicators(symbol, '1h', { rsi: [value, value] }, openTime);
const judge = (at: number, judged = new Map<string, number>(), of = bot()) =>
  botConditions({ screener: prices.screener, figures: prices.figures }).judge(of, judged, at);

describe('at the close of a candle', () => {
  beforeEach(() => {
    rsi('BTCUSDT', 25, NOON - HOUR);
    rsi('ETHUSDT', 75, NOON - HOUR);
  });

  test('every coin is judged once, with what was looked at', async () => {
    const { close, verdicts } = await judge(NOON + 1000);
    expect(close).toBe(NOON);
    expect(verdicts.get('BTCUSDT')).toEqual({
      at: NOON + 1000,
      entry: true,
      exit: false,
      observed: { 'rsi.1h': '25' },
      validUntil: NOON + HOUR + 120_000,
    });
    expect(verdicts.get('ETHUSDT')).toMatchObject({ entry: false, exit: true });
    expect((await judge(NOON + 2000, new Map([['BTCUSDT', NOON]]))).verdicts.has('BTCUSDT')).toBe(false);
  });

  test('a coin whose candle is not there yet is waited for, and is unknown when it is late', async () => {
    rsi('BTCUSDT', 25, NOON - 2 * HOUR);
    expect([...(await judge(NOON + 1000)).verdicts.keys()]).toEqual(['ETHUSDT']);
    expect((await judge(NOON + 90_001)).verdicts.get('BTCUSDT')).toMatchObject({ entry: null, exit: null });
  });

  test('figures of a week and of volumes wait for the hours they are made of', async () => {
    const rules: FilterGroup = { match: 'all', rules: [{ key: 'volumeChange', operation: 'gt', value: 100 }] };
    const of = bot({ entry: { trigger: { kind: 'conditions', rules } }, exit: {} });
    rsi('BTCUSDT', 25, NOON - 2 * HOUR);
    expect([...(await judge(NOON + 1000, new Map(), of)).verdicts.keys()]).toEqual(['ETHUSDT']);
  });

  test('a coin that the exchange does not list is unknown, never false', async () => {
    const of = { ...bot(), symbols: ['GONEUSDT'] };
    expect((await judge(NOON + 90_001, new Map(), of)).verdicts.get('GONEUSDT')).toMatchObject({ entry: null, exit: null });
  });
});

test('a bot without conditions is not judged', async () => {
  const plain = bot({ entry: { trigger: { kind: 'immediate' } }, exit: {} });
  expect((await judge(NOON + 1000, new Map(), plain)).verdicts.size).toBe(0);
});
