import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import { coinNames, isLeveraged, isStablePair, TAGS, tagsOfAsset, tagsOfPair } from './asset-tags.ts';

const DAY = 86_400_000;
const assets = new Set(['BTC', 'ETH', 'ADA', 'JUP', 'SYRUP', 'SUPER', 'UP']);
const isAsset = (code: string) => assets.has(code);

test('well-known assets are what they are', () => {
  expect(tagsOfAsset('USDC')).toEqual(['stablecoin']);
  expect(tagsOfAsset('BNB')).toEqual(['layer-1', 'exchange-token']);
  expect(tagsOfAsset('DOGE')).toContain('meme');
  expect(tagsOfAsset('WBETH')).toEqual(['liquid-staking', 'wrapped']);
  expect(tagsOfAsset('NOTLISTED')).toEqual([]);
});

test('every tag has a label', () => {
  expect(Object.keys(en.tags).sort()).toEqual([...TAGS].sort());
});

test.each([
  ['BTCUP', true],
  ['ETHDOWN', true],
  ['ADABEAR', true],
  ['BTC3L', true],
  ['JUP', false],
  ['SYRUP', false],
  ['SUPER', false],
  ['UP', false],
  ['BTC', false],
])('%s leveraged: %s', (code, expected) => {
  expect(isLeveraged(code, isAsset)).toBe(expected);
});

test('pairs of money are stable, pairs against money are not; new is a matter of thirty days', () => {
  expect([isStablePair('FDUSD', 'USDT'), isStablePair('EUR', 'USDT'), isStablePair('BTC', 'USDT')]).toEqual([true, true, false]);
  const btc = { baseAsset: 'BTC', quoteAsset: 'USDT' };
  expect(tagsOfPair(btc, 0, 29 * DAY, isAsset)).toEqual(['layer-1', 'new']);
  expect(tagsOfPair(btc, 0, 30 * DAY, isAsset)).toEqual(['layer-1']);
  expect(tagsOfPair(btc, Number.NaN, 0, isAsset)).toEqual(['layer-1']);
  expect(tagsOfPair({ baseAsset: 'USDC', quoteAsset: 'TRY' }, Number.NaN, 0, isAsset)).toEqual(['stablecoin', 'stable-pair']);
});

const INFO = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared/data/rest/exchangeInfo-spot-testnet-20240908.json');
const recorded = existsSync(INFO) ? readFileSync(INFO) : existsSync(`${INFO}.gz`) ? gunzipSync(readFileSync(`${INFO}.gz`)) : undefined;
test.skipIf(recorded === undefined)('most of a recorded exchange is classified (needs ../shared/data)', () => {
  const { symbols } = JSON.parse(recorded!.toString()) as { symbols: { baseAsset: string; status: string; quoteAsset: string }[] };
  const bases = new Set(symbols.filter((row) => row.status === 'TRADING' && row.quoteAsset === 'USDT').map((row) => row.baseAsset));
  const known = [...bases].filter((code) => tagsOfAsset(code).length > 0);
  expect(known.length / bases.size).toBeGreaterThan(0.6);
  expect([...bases].filter((code) => isLeveraged(code, (each) => bases.has(each)))).toEqual([]);
});

test.each([
  ['LDBTC', 'BTC'],
  ['LDUSDT', 'USDT'],
  ['LDLDO', 'LDO'],
  ['LDO', 'LDO'],
  ['LD', 'LD'],
  ['LDODD', 'LDODD'],
  ['BTC', 'BTC'],
  ['WBETH', 'WBETH'],
])('%s in an account is %s', (asset, coin) => {
  // One is called O, too: what is listed under its whole name is itself.
  const pairs = ['BTC', 'LDO', 'O', 'WBETH', 'ETH'].map((baseAsset) => ({ baseAsset, quoteAsset: 'USDT' }));
  expect(coinNames(pairs)(asset)).toBe(coin);
  expect(coinNames([])(asset)).toBe(asset);
});
