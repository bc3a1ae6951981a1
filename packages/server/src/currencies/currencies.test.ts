import { inflateSync } from 'node:zlib';
import { currencyIconPath } from '@pilotfish/core/prices/currency';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFeatures } from '../app/features.ts';
import { startTestServer, type TestServer } from '../app/testing/test-server.ts';
import { currenciesFeature } from './currencies-routes.ts';
import { currencyIcon, ICON_SIZE } from './currency-icon.ts';

const pair = (baseAsset: string, quoteAsset: string, status: Pair['status'] = 'TRADING'): Pair => {
  const filters = {
    tickSize: '0.01',
    minPrice: '0',
    maxPrice: '0',
    stepSize: '0.01',
    minQty: '0',
    maxQty: '0',
    marketMaxQty: '0',
    minNotional: '0',
    maxNotional: '0',
    bidMultiplierUp: '0',
    bidMultiplierDown: '0',
    askMultiplierUp: '0',
    askMultiplierDown: '0',
    maxNumOrders: 0,
    maxNumAlgoOrders: 0,
  };
  return {
    symbol: `${baseAsset}${quoteAsset}`,
    baseAsset,
    quoteAsset,
    baseAssetPrecision: 8,
    quoteAssetPrecision: 6,
    pricePrecision: 2,
    quantityPrecision: 2,
    status,
    filters,
  };
};

let server: TestServer;
beforeAll(async () => {
  const pairs = [pair('ETH', 'BTC'), pair('BTC', 'USDT'), pair('OLD', 'USDT', 'BREAK'), pair('ETH', 'USDT')];
  server = await startTestServer({
    features: async (context) => [...(await accountFeatures(context)), currenciesFeature(context, { pairs: () => pairs })],
  });
});
afterAll(() => server.close());

test('assets come from the pairs, the primary currency first; what cannot be traded is off', async () => {
  const { body } = await server.call('/bff/v1/currencies');
  expect(body).toEqual([
    { code: 'USDT', name: 'Tether', precision: 6, icon: '/icons/currency/USDT.png', enabled: true, sort: 0 },
    { code: 'BTC', name: 'Bitcoin', precision: 8, icon: '/icons/currency/BTC.png', enabled: true, sort: 1 },
    { code: 'ETH', name: 'Ethereum', precision: 8, icon: '/icons/currency/ETH.png', enabled: true, sort: 2 },
    { code: 'OLD', name: 'OLD', precision: 8, icon: '/icons/currency/OLD.png', enabled: false, sort: 3 },
  ]);
});

describe('icons', () => {
  /** Pixels of one of our own PNGs: one IDAT, no filters. */
  const pixels = (png: Buffer) => {
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    return (x: number, y: number) => [...rows.subarray(y * (ICON_SIZE * 4 + 1) + 1 + x * 4, y * (ICON_SIZE * 4 + 1) + 5 + x * 4)];
  };

  test('are discs in a colour of their own with white letters', () => {
    const bitcoin = currencyIcon('BTC');
    expect(bitcoin.readUInt32BE(16)).toBe(64);
    const at = pixels(bitcoin);
    expect(at(0, 0)[3]).toBe(0);
    expect(at(32, 4)[3]).toBe(255);
    const white = Array.from({ length: 64 * 64 }, (_, index) => at(index % 64, Math.floor(index / 64))).filter(
      ([r, g, b]) => r === 255 && g === 255 && b === 255,
    );
    // Three letters of a 5 x 7 face, 2 x 2 pixels a cell: B 20, T 11, C 13 cells.
    expect(white).toHaveLength((20 + 11 + 13) * 4);
    expect(pixels(currencyIcon('ETH'))(32, 4)).not.toEqual(at(32, 4));
    expect(currencyIcon('btc').equals(bitcoin)).toBe(true);
  });

  test('are served for any code and nothing else', async () => {
    const icon = await fetch(`${server.url}/icons/currency/1000PEPE.png`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await icon.arrayBuffer()).equals(currencyIcon('1000PEPE'))).toBe(true);
    for (const name of ['BTC.svg', '..%2fpackage.json', `${'A'.repeat(21)}.png`, '%F0%9F%90%9F.png'])
      expect((await server.call(`/icons/currency/${name}`)).status, name).toBe(404);
  });

  test('are asked for again by their tag, and by no other path', async () => {
    const url = `${server.url}/icons/currency/BTC.png`;
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    expect(first.headers.get('cache-control')).toContain('max-age=300');
    const again = await fetch(url, { headers: { 'if-none-match': `W/${etag}, "other"` } });
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0]);
    expect((await fetch(url, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    // Upper and lower case are one asset; what no asset can be called has no picture.
    expect((await fetch(`${server.url}/icons/currency/btc.png`)).headers.get('etag')).toBe(etag);
    for (const name of [
      '.png',
      'BTC',
      'BTC.png.png',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e%2fBTC.png',
      'B%00TC.png',
      'B%E2%80%AETC.png',
      'B/TC.png',
    ])
      expect((await server.call(`/icons/currency/${name}`)).status, name).toBe(404);
  });

  test('are there for names of any letters', async () => {
    const answer = await fetch(server.url + currencyIconPath('币安人生'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});
