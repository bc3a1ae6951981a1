import { once } from 'node:events';
import { request } from 'node:http';
import type { Problem } from '@pilotfish/core/http/problem-document';
import { until } from '@pilotfish/core/testing/until';
import type { ImportAnswer } from '@pilotfish/core/trade-import/trade-import-contract';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { zipOf } from '../src/trade-import/import-fixture.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Files over HTTP, as a browser sends them, and the gap between an account and its known trades closed by hand.

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
beforeAll(async () => {
  stage = await startExchangeStage(11);
  ({ simulator, server } = stage);
});
afterAll(async () => {
  await stage?.close();
});

function upload<Body = ImportAnswer>(user: SignedInUser, name: string, data: string | Uint8Array<ArrayBuffer>, query = '') {
  const body = new FormData();
  body.append('file', new Blob([data]), name);
  return user.call<Body>(`/bff/v2/import-trades/Binance${query}`, { method: 'POST', body });
}
const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const trade = (day: string, side: string, price: number, quantity: number) =>
  `2025-01-${day} 10:00:00,BTCUSDT,${side},${price},${quantity}BTC,${price * quantity}USDT,${(price * quantity) / 1000}USDT`;

describe('an export file', () => {
  test('is previewed, imported, shown as positions, and taken back', { tags: ['smoke'] }, async () => {
    const user = await server.register();
    const file = [HEADER, trade('01', 'BUY', 90_000, 0.5), trade('02', 'SELL', 95_000, 0.5), trade('03', 'BUY', 93_000, 0.1)].join('\n');
    const preview = await upload(user, 'trades.csv', file, '?preview=true');
    expect(preview.body).toMatchObject({ committed: false, counts: { imported: 3 } });
    const total = async (path: string) => (await user.call<{ items: { symbol: string; realised: string | null }[] }>(path)).body.items;
    expect(await total('/bff/v2/positions/closed')).toEqual([]);
    const done = await upload(user, 'trades.csv', file);
    expect(done.body.committed).toBe(true);
    expect(await total('/bff/v2/positions/closed')).toMatchObject([{ symbol: 'BTCUSDT', realised: '2407.5' }]);
    expect(await total('/bff/v2/positions/open')).toMatchObject([{ symbol: 'BTCUSDT' }]);
    const batches = (await user.call<{ id: string }[]>('/bff/v2/import-trades/Binance')).body;
    expect(batches).toMatchObject([{ fileName: 'trades.csv', format: 'trade-history' }]);
    const stranger = await server.register();
    expect((await stranger.call(`/bff/v2/import-trades/Binance/${batches[0]?.id}`, { method: 'DELETE' })).status).toBe(404);
    expect((await user.call(`/bff/v2/import-trades/Binance/${batches[0]?.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await total('/bff/v2/positions/closed')).toEqual([]);
  });

  test('a swap with one side is offered and carried over; taken back, the overview is as before', async () => {
    const user = await server.register();
    const rows = [
      '2024-01-02 10:00:00,Spot,Transaction Buy,MATIC,100',
      '2024-01-02 10:00:00,Spot,Transaction Spend,USDT,-100',
      '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100',
      '2024-10-01 10:00:00,Spot,Transaction Sold,POL,-100',
      '2024-10-01 10:00:00,Spot,Transaction Revenue,USDT,120',
    ];
    const file = ['User_ID,UTC_Time,Account,Operation,Coin,Change,Remark', ...rows.map((row) => `1,${row},`)].join('\n');
    expect((await upload(user, 'statement.csv', file)).body.warnings).toContainEqual(
      expect.objectContaining({ code: 'HALF_SWAP', asset: 'MATIC' }),
    );
    const looked = async () => {
      const paths = ['positions/overview', 'positions/monthly-overview', 'positions/closed', 'positions/open'];
      const answers = await Promise.all(paths.map(async (path) => (await user.call<object>(`/bff/v2/${path}`)).body));
      return answers.map((answer) => ({ ...answer, asOf: undefined }));
    };
    const before = await looked();
    const offered = (await user.call<{ items: { proposal: object }[] }>('/bff/v2/carry-overs')).body.items;
    expect(offered).toMatchObject([{ asset: 'MATIC', change: '-100', proposal: { fromQuantity: '100', asset: null } }]);
    const body = { ...offered[0]?.proposal, asset: 'POL', quantity: '100' };
    const refused = await user.call<Problem>('/bff/v2/carry-overs', { method: 'POST', body: { ...body, fromQuantity: '60' } });
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'fromQuantity', code: 'otherAmount', limit: '100' }] } });
    const carried = await user.call<{ batchId: string }>('/bff/v2/carry-overs', { method: 'POST', body });
    expect(carried.body).toMatchObject({ replaced: [{ asset: 'MATIC', change: '-100' }] });
    expect((await user.call('/bff/v2/positions/overview')).body).toMatchObject({ totals: [{ realised: '20', broken: 0 }] });
    expect((await upload(user, 'statement.csv', file)).body.counts).toMatchObject({ imported: 0, duplicate: 3 });
    const path = `/bff/v2/import-trades/Binance/${carried.body.batchId}`;
    const stranger = await server.register();
    expect((await stranger.call(path, { method: 'DELETE' })).status).toBe(404);
    expect((await user.call(path, { method: 'DELETE' })).status).toBe(204);
    expect(await looked()).toEqual(before);
  });

  test('one upload at a time per account; one that breaks off gives its place back', async () => {
    const [user, other] = [await server.register(), await server.register()];
    const slow = request(`${server.url}/bff/v2/import-trades/Binance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.session.accessToken}`, 'content-type': 'multipart/form-data; boundary=x' },
    });
    slow.on('error', () => undefined);
    // Told to go on, it has been taken in before the next one is sent.
    slow.setHeader('expect', '100-continue');
    slow.flushHeaders();
    await once(slow, 'continue');
    slow.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\nDate(UTC)');
    const file = [HEADER, trade('01', 'BUY', 90_000, 0.5)].join('\n');
    const second = () => upload<Problem>(user, 'b.csv', file, '?preview=true');
    expect(await second()).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    expect((await upload(other, 'b.csv', file, '?preview=true')).status).toBe(200);
    slow.destroy();
    await until('the place being free', async () => (await second()).status === 200, { time: stage.time });
  });

  test.each<[string, string, string | Uint8Array<ArrayBuffer>, string, number, object]>([
    ['nothing in it', 'a.csv', '', '', 400, { errors: [{ path: 'file', code: 'empty' }] }],
    ['a picture', 'a.csv', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), '', 400, { errors: [{ path: 'file', code: 'encoding' }] }],
    [
      'a bomb',
      'a.zip',
      new Uint8Array(zipOf([{ name: 'a.csv', data: Buffer.alloc(8_000_000) }])),
      '',
      400,
      { errors: [{ path: 'file', code: 'zipBomb' }] },
    ],
    ['a zone that is none', 'a.csv', HEADER, '?zone=CET', 400, { errors: [{ path: 'zone', code: 'badZone' }] }],
    ['a mapping that is none', 'a.csv', HEADER, '?mapping=x', 400, { errors: [{ path: 'mapping', code: 'badMapping' }] }],
    [
      'a mapping without a price',
      'a.csv',
      HEADER,
      `?mapping=${encodeURIComponent('{"a":"time"}')}`,
      400,
      { errors: [{ path: 'mapping', code: 'mappingMisses' }] },
    ],
    ['too large', 'a.csv', new Uint8Array(51 * 1024 * 1024).fill(97), '', 413, { code: 'payload-too-large' }],
  ])('%s is refused with a sentence', async (_, name, data, query, status, problem) => {
    const user = await server.register();
    const answer = await upload<Problem>(user, name, data, query);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(problem);
  });

  test('takes answers for more operations than an address has room for from the form', async () => {
    const user = await server.register();
    const names = Array.from({ length: 150 }, (_, index) => `Night Market Gift ${index} `.padEnd(100, 'x'));
    const file = [
      'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark',
      ...names.map((name) => `1,2025-01-01 10:00:00,Spot,${name},BTC,1,`),
    ];
    const answers = JSON.stringify(Object.fromEntries(names.map((name) => [name, 'reward'])));
    expect(answers.length).toBeGreaterThan(8000);
    const send = async (operations: string) => {
      const body = new FormData();
      body.append('operations', operations);
      body.append('file', new Blob([file.join('\n')]), 'statement.csv');
      return user.call<ImportAnswer & Problem>('/bff/v2/import-trades/Binance?preview=true', { method: 'POST', body });
    };
    expect((await send(answers)).body).toMatchObject({ needs: null, counts: { imported: 150, question: 0 } });
    expect(await send('x')).toMatchObject({ status: 400, body: { errors: [{ path: 'operations', code: 'badOperations' }] } });
    expect((await send(answers.padEnd(300 * 1024, ' '))).status).toBe(413);
  });

  test('a form without a boundary is refused, not an error of the server', async () => {
    const user = await server.register();
    const answer = await fetch(`${server.url}/bff/v2/import-trades/Binance`, {
      method: 'POST',
      headers: { authorization: `Bearer ${user.session.accessToken}`, 'content-type': 'multipart/form-data' },
      body: 'nothing',
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid', errors: [{ path: 'file', code: 'required' }] });
  });

  test('needs an account, an exchange that is known, and a file', async () => {
    const user = await server.register();
    expect((await upload(user, 'a.csv', HEADER, '?preview=true')).status).toBe(200);
    expect((await server.call('/bff/v2/import-trades/Binance', { method: 'POST', body: {} })).status).toBe(401);
    expect((await user.call('/bff/v2/import-trades/Kraken', { method: 'POST', body: {} })).status).toBe(400);
    expect((await user.call('/bff/v2/import-trades/Binance', { method: 'POST', body: {} })).status).toBe(400);
  });
});

describe('migration', () => {
  type Row = { asset: string; balance: string; known: string; difference: string };
  test('the list empties as what is missing is entered', { tags: ['smoke'] }, async () => {
    const user = await server.register();
    expect((await user.call<Problem>('/bff/v2/migration')).body.code).toBe('not-connected');
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { BTC: '0.5', USDT: '100' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    const list = async () => (await user.call<Row[]>('/bff/v2/migration')).body;
    // What the account began with the exchange tells of as deposits.
    await until('nothing being missing', async () => (await list()).length === 0, { time: stage.time });
    const tell = (body: object) =>
      user.call<Row & Problem>('/bff/v2/migration/trades', { body: { exchange: 'Binance', asset: 'ETH', ...body } });

    await upload(user, 'a.csv', `${HEADER}\n2025-01-01 10:00:00,ETHUSDT,BUY,2000,0.1ETH,200USDT,0USDT`);
    expect(await list()).toMatchObject([
      { asset: 'ETH', balance: '0', known: '0.1', difference: '-0.1' },
      { asset: 'USDT', difference: '200' },
    ]);
    const trades = [{ symbol: 'ETHUSDT', side: 'Sell', price: '2000', quantity: '0.1', at: '2025-01-02T00:00:00.000Z' }];
    expect((await tell({ trades, dryRun: true })).body).toMatchObject({ known: '0', difference: '0' });
    expect(await list()).toHaveLength(2);
    expect((await tell({ trades })).body).toMatchObject({ difference: '0' });
    expect(await list()).toEqual([]);
    // The same sentence again is no second sale.
    await tell({ trades });
    expect(await list()).toEqual([]);
  });

  test('an import and its undo are held against the account before they are answered', { tags: ['smoke'] }, async () => {
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '100' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    type Sync = { comparedAt: string | null; differences: { asset: string; difference: string }[] };
    const sync = async () => (await user.call<Sync>('/bff/v2/positions/sync')).body;
    await until('nothing being missing', async () => (await user.call<Row[]>('/bff/v2/migration')).body.length === 0, { time: stage.time });
    expect(await sync()).toMatchObject({ comparedAt: expect.any(String) as string, differences: [] });
    const overview = async () => {
      const answers = await Promise.all(['overview', 'monthly-overview'].map((path) => user.call(`/bff/v2/positions/${path}`)));
      return answers.map(({ status }) => status);
    };
    expect(await overview()).toEqual([200, 200]);

    // Money itself is bought, by a pair the held books have never met.
    const rows = [
      '2025-01-01 10:00:00,USDTTRY,BUY,40,100USDT,4000TRY,0TRY',
      '2025-01-01 11:00:00,SOLUSDT,BUY,50,1.5SOL,75USDT,0USDT',
      '2025-01-01 12:00:00,SOLUSDT,SELL,55,0.5SOL,27.5USDT,0USDT',
    ];
    await upload(user, 'b.csv', [HEADER, ...rows].join('\n'));
    expect((await sync()).differences).toMatchObject([
      { asset: 'SOL', difference: '-1' },
      { asset: 'TRY', difference: '4000' },
      { asset: 'USDT', difference: '-52.5' },
    ]);
    const [sol] = (await user.call<{ items: { symbol: string; broken: { code: string }[] }[] }>('/bff/v2/positions/open')).body.items;
    expect(sol?.broken.map(({ code }) => code)).toContain('BALANCE_MISMATCH');
    expect(await overview()).toEqual([200, 200]);
    // The coins have left since: what they are worth is not known, what a sale brought in is.
    const held = await until(
      'the pair being read',
      async () => {
        const { items } = (await user.call<{ items: Record<string, unknown>[] }>('/bff/v2/positions/open')).body;
        return items.every(({ broken }) => (broken as { code: string }[]).every(({ code }) => code !== 'GAP')) && items;
      },
      { time: stage.time },
    );
    const left = held.find(({ symbol }) => symbol === 'SOLUSDT');
    expect(left).toMatchObject({ averageCost: '50', realised: '2.5', unrealised: null, total: null, returnPct: null });

    const [batch] = (await user.call<{ id: string }[]>('/bff/v2/import-trades/Binance')).body;
    expect((await user.call(`/bff/v2/import-trades/Binance/${batch!.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await sync()).differences).toEqual([]);
    expect(await overview()).toEqual([200, 200]);
  });

  test('a cost that is told belongs to the deposit the exchange knows of, whichever comes first', async () => {
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { BTC: '0.5' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    const holding = { quantity: '0.5', cost: '20000', at: '2025-01-01T00:00:00.000Z' };
    expect((await user.call('/bff/v2/migration/trades', { body: { exchange: 'Binance', asset: 'BTC', holding } })).status).toBe(200);
    const row = await server.context.database.queries
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user.username)
      .executeTakeFirstOrThrow();
    const known = async () =>
      (await ledgerStore(server.context.database).entries(row.id)).map(({ kind, source, ...entry }) => ({
        kind,
        source,
        cost: 'cost' in entry ? entry.cost : null,
      }));
    await until('the deposit being read', async () => (await known()).some(({ source }) => source === 'api'), { time: stage.time });
    expect(await known()).toEqual([{ kind: 'transfer', source: 'api', cost: '20000' }]);
    expect((await user.call<Row[]>('/bff/v2/migration')).body).toEqual([]);
  });
  test('a cost that is told of a deposit from a file leaves it with its file: taken back, it goes', async () => {
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: { USDT: '100' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    const file = 'Date(UTC),Coin,Network,Amount,Address,TXID,Status\n2025-01-01 10:00:00,SOL,SOL,3,a,b,Completed';
    const { batchId } = (await upload(user, 'deposit.csv', file)).body;
    const row = await server.context.database.queries
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user.username)
      .executeTakeFirstOrThrow();
    const ledger = ledgerStore(server.context.database);
    const sol = () => ledger.entries(row.id, { assets: ['SOL'] });
    expect(await sol()).toMatchObject([{ source: 'deposit-history', cost: null }]);
    const holding = { quantity: '3', cost: '300', at: '2025-01-01T00:00:00.000Z' };
    expect((await user.call('/bff/v2/migration/trades', { body: { exchange: 'Binance', asset: 'SOL', holding } })).status).toBe(200);
    expect(await sol()).toMatchObject([{ source: 'deposit-history', cost: '300' }]);
    expect((await user.call(`/bff/v2/import-trades/Binance/${batchId}`, { method: 'DELETE' })).status).toBe(204);
    expect(await sol()).toEqual([]);
  });
  test.each([
    [{}, 'trades', 'nothing'],
    [
      { trades: [{ symbol: 'ETHUSDT', side: 'Buy', price: '1', quantity: '1', at: '2025-01-01T00:00:00.000Z' }] },
      'trades.0.symbol',
      'otherAsset',
    ],
    [{ trades: [{ symbol: 'BTCUSDT', side: 'Buy', price: '1', quantity: '1', at: '2999-01-01T00:00:00.000Z' }] }, 'trades.0.at', 'future'],
    [
      { trades: [{ symbol: 'BTCUSDT', side: 'Buy', price: '-1', quantity: '1', at: '2025-01-01T00:00:00.000Z' }] },
      'trades.0.price',
      'not_negative',
    ],
  ])('%j is refused at %s', async (body, path, code) => {
    const user = await server.register();
    const answer = await user.call<Problem>('/bff/v2/migration/trades', { body: { exchange: 'Binance', asset: 'BTC', ...body } });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ path, code }));
  });
});
