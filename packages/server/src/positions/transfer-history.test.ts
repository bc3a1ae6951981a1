import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SwapEntry } from '@pilotfish/core/positions/ledger-entry';
import { realTimers } from '@pilotfish/core/time/timers';
import { entriesOf } from '@pilotfish/core/trade-import/draft-entries';
import { expect, type TestContext, test } from 'vitest';
import type * as z from 'zod';
import { openDatabase } from '../database/database.ts';
import { openExchange } from '../exchange/exchange.ts';
import { signerFor } from '../exchange/signing.ts';
import { account, NOW, OWNER } from './ledger-fixture.ts';
import { ledgerStore } from './ledger-store.ts';
import { syncStore } from './sync-store.ts';
import { transferHistory } from './transfer-history.ts';

test('new units that a swap of the ledger tells of are not counted again when the exchange lists them', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-transfers-'));
  const database = await (await openDatabase({ dataDir })).forMarket('simulated');
  context.onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await account(database);
  const ledger = ledgerStore(database);
  const given = { fromAsset: 'ETH', fromQuantity: '2', asset: 'ETH', quantity: '200' };
  const swap: SwapEntry = { kind: 'swap', id: 'swap:ETH', at: NOW - 3_600_000, ...given, source: 'user' };
  await ledger.append(OWNER, [swap]);
  const dividend = (id: number, asset: string, amount: string) => ({ id, divTime: NOW - 1_800_000, asset, amount, direction: 1 });
  const answers: Record<string, unknown> = {
    '/sapi/v1/asset/assetDividend': { rows: [dividend(1, 'ETH', '198'), dividend(2, 'BNB', '1')] },
    '/sapi/v1/convert/tradeFlow': { list: [] },
    '/sapi/v1/asset/dribblet': { userAssetDribblets: [] },
  };
  const isNew = ({ startTime }: { startTime: number }) => startTime > NOW - 300 * 86_400_000;
  const history = transferHistory({
    exchange: {
      hasWallet: true,
      rest: {
        request: async ({ path, parameters, answer }: { path: string; parameters: { startTime: number }; answer: z.ZodType }) =>
          answer.parse((path.endsWith('Dividend') && !isNew(parameters) ? { rows: [] } : answers[path]) ?? []),
      },
    } as never,
    store: syncStore(database),
    ledger,
    market: { pairs: () => [], asOf: NOW } as never,
    rates: { load: async () => () => undefined },
    pacer: { take: async () => true } as never,
    log: { info: () => undefined } as never,
    timers: { wait: async () => undefined } as never,
  });
  await history.read(OWNER, { signer: {}, uid: 1 } as never);
  expect((await ledger.entries(OWNER)).map(({ id }) => id)).toEqual(['swap:ETH', 'dividend:2']);
});

const DAY = 86_400_000;
/** Beyond what a reading from a cursor looks at again. */
const AT = NOW - 40 * DAY;

/** The wallet's lists as the exchange writes them, read into a ledger; each list only in the window that `AT` is in. */
async function reading(
  context: TestContext,
  answers: Record<string, string | ((from: number, to: number) => string)>,
  version = '1.0.0',
  hasWallet = true,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'pilotfish-transfers-'));
  const database = await (await openDatabase({ dataDir })).forMarket('simulated');
  context.onTestFinished(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  await account(database);
  const ledger = ledgerStore(database);
  const unread: string[] = [];
  const asked: string[] = [];
  const exchange = openExchange({
    hasWallet,
    timers: realTimers,
    origins: { rest: 'http://exchange.test', stream: 'ws://exchange.test', api: 'ws://exchange.test' } as never,
    now: () => NOW,
    random: () => 0,
    onUnread: (rows) => void unread.push(...rows.map(({ list, name, field }) => `${list} ${name}: ${field}`)),
    fetch: async (input) => {
      const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
      if (pathname === '/api/v3/time') return new Response(`{"serverTime":${NOW}}`);
      const path = pathname.split('/').at(-1)!;
      asked.push(path);
      const [from, to] = [Number(searchParams.get('startTime') ?? 0), Number(searchParams.get('endTime') ?? NOW)];
      const empty = { assetDividend: '{"rows":[]}', tradeFlow: '{"list":null}', dribblet: '{}' }[path] ?? '[]';
      const answer = answers[path];
      if (typeof answer === 'function') return new Response(answer(from, to));
      return new Response(from < AT && AT <= to ? (answer ?? empty) : empty);
    },
  });
  const make = (of = version) =>
    transferHistory({
      exchange,
      store: syncStore(database, of),
      ledger,
      market: { pairs: () => [], asOf: NOW } as never,
      rates: { load: async () => () => undefined },
      pacer: { take: async () => true } as never,
      log: { info: () => undefined } as never,
      timers: { wait: async () => undefined } as never,
    });
  const read = (of?: string) => make(of).read(OWNER, { signer: signerFor('key-key-key-key-key', 'secret-secret'), uid: '1' });
  const moves = async () =>
    (await ledger.entries(OWNER)).map((entry) => {
      if (entry.kind === 'transfer') return `${entry.id} ${entry.transfer} ${entry.asset} ${entry.change}`;
      return entry.kind === 'trade' ? `${entry.id} ${entry.side} ${entry.baseAsset} ${entry.quantity}` : entry.id;
    });
  return { database, ledger, read, moves, unread, asked, answers, store: syncStore(database, version) };
}
const conversion = (orderId: string, from: string, fromAmount: string, toAmount: string) =>
  `{"quoteId":"q","orderId":${orderId},"orderStatus":"SUCCESS","fromAsset":"${from}","fromAmount":"${fromAmount}","toAsset":"USDT","toAmount":"${toAmount}","ratio":"1","inverseRatio":"1","createTime":${AT}}`;
const TWO = `{"list":[${conversion('930001112223334401', 'AAA', '5', '50')},${conversion('930001112223334417', 'BBB', '7', '35')}],"moreData":false}`;

test('two conversions whose ids are one as doubles are two', async (context) => {
  const { read, moves } = await reading(context, { tradeFlow: TWO });
  expect(await read()).toBe(2);
  expect(await moves()).toEqual(['convert:930001112223334401 Sell AAA 5', 'convert:930001112223334417 Sell BBB 7']);
  expect(await read()).toBe(0);
});

test('a conversion that was stored by its rounded id is found again, and the one that was lost to it is read', async (context) => {
  const { ledger, database, read, moves } = await reading(context, { tradeFlow: TWO });
  const [first] = entriesOf(
    {
      kind: 'conversion',
      row: 0,
      at: AT,
      from: { asset: 'AAA', quantity: '5' },
      to: { asset: 'USDT', quantity: '50' },
    },
    'convert:930001112223334400',
    { source: 'api', primary: 'USDT', pairs: new Map(), rateAt: () => undefined },
  );
  await ledger.append(OWNER, [first!]);
  // As an earlier version left it: read up to now.
  await database.queries
    .insertInto('transfer_cursors')
    .values({ account_id: OWNER, uid: '1', kind: 'conversions', read_to: NOW })
    .execute();
  expect(await read()).toBe(1);
  expect(await moves()).toEqual(['convert:930001112223334400 Sell AAA 5', 'convert:930001112223334417 Sell BBB 7']);
  expect(await read()).toBe(0);
});

test('the side of a conversion that is nothing is none; dust that is worth nothing goes away; of nothing for nothing no word', async (context) => {
  const { read, moves, unread } = await reading(context, {
    tradeFlow: `{"list":[${conversion('77', 'CCC', '0', '1')},${conversion('78', 'CCC', '0', '0')}]}`,
    dribblet: `{"total":1,"userAssetDribblets":[{"operateTime":${AT},"totalTransferedAmount":"0","totalServiceChargeAmount":"0","transId":5,"userAssetDribbletDetails":[{"transId":5,"serviceChargeAmount":"0","amount":"0.00000001","operateTime":${AT},"transferedAmount":"0","fromAsset":"DDD"}]}]}`,
  });
  await read();
  expect(await moves()).toEqual(['convert:77:2 conversion USDT 1', 'dust:5:DDD conversion DDD -0.00000001']);
  expect(unread).toEqual([]);
});

test('an amount with an exponent is read exactly, and a withdrawal without the time of its end', async (context) => {
  const { read, moves } = await reading(context, {
    assetDividend: `{"rows":[{"id":11,"amount":"0.00000042","asset":"BNB","divTime":${AT},"enInfo":"x","tranId":1},{"id":12,"amount":"4.2E-7","asset":"BNB","divTime":${AT + 1000},"enInfo":"x","tranId":2}],"total":2}`,
    history: `[{"id":"w1","amount":"1","transactionFee":"0.1","coin":"USDT","status":6,"applyTime":"${new Date(AT).toISOString().slice(0, 19).replace('T', ' ')}","completeTime":null}]`,
  });
  await read();
  expect((await moves()).sort()).toEqual([
    'dividend:11 reward BNB 0.00000042',
    'dividend:12 reward BNB 0.00000042',
    'withdrawal:w1 withdrawal USDT -1.1',
  ]);
});

test('a row that cannot be read is left out and noted, and read by the next version', async (context) => {
  const odd = conversion('77', 'CCC', '1', '1').replace('"1"', '{"amount":"1"}');
  const { read, moves, unread, store, asked, answers } = await reading(context, {
    tradeFlow: `{"list":[${odd},${conversion('78', 'DDD', '2', '3')}]}`,
    dribblet: `{"userAssetDribblets":[{"operateTime":5},{"operateTime":${AT},"userAssetDribbletDetails":[{"transId":6,"fromAsset":"EEE"}]}]}`,
    hisrec: `[{"id":"d1","amount":"1","coin":null,"status":1,"insertTime":${AT}}]`,
  });
  await read();
  expect(await moves()).toEqual(['convert:78 Sell DDD 2']);
  expect(await store.unread(OWNER, '1')).toEqual([
    { list: 'conversions', name: '77', field: 'fromAmount' },
    { list: 'deposits', name: 'd1', field: 'coin' },
    { list: 'dust', name: '5', field: 'userAssetDribbletDetails' },
    { list: 'dust', name: '6 EEE', field: 'amount' },
  ]);
  expect(unread).toContain('conversions 77: fromAmount');
  // It stays noted where it is not read again, and nothing is read from the beginning for it.
  asked.length = 0;
  await read();
  expect(asked.filter((path) => path === 'tradeFlow')).toHaveLength(1);
  expect(await store.unread(OWNER, '1')).toHaveLength(4);
  Object.assign(answers, {
    tradeFlow: `{"list":[${conversion('77', 'CCC', '1', '1')},${conversion('78', 'DDD', '2', '3')}]}`,
    dribblet: '{}',
  });
  await read('1.0.1');
  expect(await moves()).toEqual(['convert:77 Sell CCC 1', 'convert:78 Sell DDD 2']);
  expect((await store.unread(OWNER, '1')).map(({ list }) => list)).toEqual(['deposits']);
});

test('a span with more conversions than a list holds is read by halves, each once', async (context) => {
  const many = Array.from({ length: 9 }, (_, n) => ({ id: String(100 + n), at: AT + n * 1000 }));
  const { read, moves } = await reading(context, {
    tradeFlow: (from, to) => {
      const within = many.filter(({ at }) => from <= at && at <= to);
      const list = within.slice(0, 2).map(({ id, at }) => conversion(id, 'AAA', '1', '2').replace(String(AT), String(at)));
      return `{"list":[${list.join()}],"moreData":${within.length > 2}}`;
    },
  });
  expect(await read()).toBe(9);
  expect(await moves()).toEqual(many.map(({ id }) => `convert:${id} Sell AAA 1`));
  expect(await read()).toBe(0);
});

const dustOf = (transId: number, at: number, targetAsset?: string) =>
  `{"operateTime":${at},"transId":${transId},"userAssetDribbletDetails":[{"transId":${transId},"serviceChargeAmount":"0","amount":"3","operateTime":${at},"transferedAmount":"2","fromAsset":"DDD"${targetAsset === undefined ? '' : `,"targetAsset":${targetAsset}`}}]}`;

test('dust became what it says, not always BNB; what was stored as BNB gives way', async (context) => {
  const { ledger, read, moves } = await reading(context, {
    dribblet: `{"total":3,"userAssetDribblets":[${dustOf(1, AT, '"USDT"')},${dustOf(2, AT, 'null')},${dustOf(3, AT)}]}`,
  });
  const side = (id: string, asset: string, change: string) =>
    ({ kind: 'transfer', id, at: AT, asset, change, transfer: 'conversion', cost: null, source: 'api' }) as const;
  await ledger.append(OWNER, [side('dust:1:DDD', 'DDD', '-3'), side('dust:1:DDD:2', 'BNB', '2')]);
  await read();
  expect(await moves()).toEqual([
    'dust:1:DDD:USDT Sell DDD 3',
    'dust:2:DDD conversion DDD -3',
    'dust:2:DDD:2 conversion BNB 2',
    'dust:3:DDD conversion DDD -3',
    'dust:3:DDD:2 conversion BNB 2',
  ]);
  expect(await read()).toBe(0);
});

test('dust beyond the hundred records that the exchange sends is asked for, too', async (context) => {
  const all = Array.from({ length: 230 }, (_, n) => ({ id: n + 1, at: AT - Math.floor(n / 3) * 1000 }));
  const { read, moves, asked } = await reading(context, {
    dribblet: (from, to) => {
      // It takes no end without a beginning, and ninety days at most.
      if (from === 0 || to - from > 90 * DAY) return '{"code":-1128,"msg":"Combination of optional parameters invalid."}';
      const sent = all.filter(({ at }) => from <= at && at <= to).slice(0, 100);
      return `{"total":${all.length},"userAssetDribblets":[${sent.map(({ id, at }) => dustOf(id, at, '"USDT"')).join()}]}`;
    },
  });
  expect(await read()).toBe(230);
  expect(await moves()).toHaveLength(230);
  const questions = asked.filter((path) => path === 'dribblet').length;
  asked.length = 0;
  expect(await read()).toBe(0);
  // One span a time; the one that holds them took two questions more.
  expect(questions).toBeGreaterThan(asked.filter((path) => path === 'dribblet').length);
});

test('an exchange without a wallet is not asked for its lists', async (context) => {
  const { read, asked } = await reading(context, {}, '1.0.0', false);
  expect(await read()).toBe(0);
  expect(asked).toEqual([]);
});
