import { add, type Decimal, decimal, toText } from '@pilotfish/core/money/decimal';
import { addFlows } from '@pilotfish/core/positions/ledger-entry';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import { RateLimits } from '@pilotfish/simulator/rest/rate-limits';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SignedInUser } from '../src/app/testing/test-server.ts';
import { type Signer, signerFor } from '../src/exchange/signing.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// After a cut the exchange is asked for what the gap can have touched, and nothing that was traded in it is missing.

type Trader = { readonly user: SignedInUser; readonly signer: Signer; readonly accountId: string };
const PAIRS = ['BTCUSDT', 'ETHUSDT', 'SOLUSDT', 'XRPUSDT', 'ADAUSDT', 'DOGEUSDT', 'AVAXUSDT', 'LINKUSDT'] as const;

let stage: ExchangeStage;
let requests: string[];

beforeEach(async () => {
  requests = [];
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    requests.push([pathname, searchParams.get('symbol') ?? []].flat().join(' '));
    return fetch(input, init);
  });
  stage = await startExchangeStage(23);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stage?.close();
});

const until = <Value>(what: string, look: () => Promise<Value | undefined | false>) => untilSeen(what, look, { time: stage.time });
const place = (who: Trader, parameters: Record<string, string>) =>
  stage.venue.placeOrder(who.signer, { type: 'MARKET', ...parameters }, { urgent: true, beforeSigning: () => undefined });
const buy = (who: Trader, symbol: string, quoteOrderQty = '100') => place(who, { symbol, side: 'BUY', quoteOrderQty });
/** A buy for so much USDT that rests so many percent below the market. */
async function rest(who: Trader, symbol: string, percent: number, worth = 50): Promise<void> {
  const { bid } = await stage.venue.moment(symbol);
  const pair = (await stage.venue.pairs()).find((each) => each.symbol === symbol)!;
  const price = (bid * (1 - percent / 100)).toFixed(decimal(pair.filters.tickSize).scale);
  const step = decimal(pair.filters.stepSize).scale;
  await place(who, { symbol, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price, quantity: (worth / bid).toFixed(step) });
}

const isExact = async (who: Trader): Promise<boolean> => {
  const held = new Map<string, Decimal>();
  for (const { asset, free, locked } of (await stage.venue.account(who.signer)).balances)
    held.set(asset, add(decimal(free), decimal(locked)));
  const explained = new Map<string, Decimal>();
  for (const entry of await ledgerStore(stage.server.context.database).entries(who.accountId)) addFlows(explained, entry);
  const texts = (sums: Map<string, Decimal>) =>
    inOrder([...sums].flatMap(([asset, sum]) => (sum.units === 0n ? [] : [`${asset} ${toText(sum)}`]))).join();
  return texts(held) === texts(explained);
};
const isIdle = async (who: Trader) => (await who.user.call<SyncStatus>('/bff/v2/positions/sync')).body.state === 'idle';

/** An account that has traded every pair, and whose history was read a while ago. */
async function trader(): Promise<Trader> {
  const user = await stage.server.register();
  const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { USDT: '100000', BNB: '5' }, burnBnb: true });
  const early = { user, signer: signerFor(apiKey, apiSecret), accountId: '' };
  for (const symbol of PAIRS) await buy(early, symbol);
  await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
  const { queries } = stage.server.context.database;
  const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', user.username).executeTakeFirstOrThrow();
  const who = { ...early, accountId: id };
  await until('the history', async () => (await isIdle(who)) && (await isExact(who)));
  await stage.time.advance(60_000);
  return who;
}

/** Cuts every connection, lets something happen meanwhile, and answers what the server asks about accounts afterwards. */
async function cut(whos: readonly Trader[], meanwhile: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const letGo = stage.time.hold();
  stage.simulator.faults.dropSockets();
  await meanwhile();
  requests.length = 0;
  letGo();
  await stage.time.advance(20_000);
  const asked = requests.filter((each) => /account$|openOrders|myTrades|myAllocations|sapi/.test(each));
  for (const who of whos) await until('every fill in the ledger', async () => (await isIdle(who)) && (await isExact(who)));
  return asked;
}
const inOrder = (texts: readonly string[]): string[] => [...texts].sort((one, other) => (one < other ? -1 : 1));
const tradesOf = (asked: readonly string[]): string[] =>
  inOrder(asked.flatMap((each) => (each.includes('myTrades') ? (each.split(' ')[1] ?? []) : [])));

test('a gap in which nothing happened costs two questions an account, however many pairs it has traded', { tags: ['smoke'] }, async () => {
  const [ann, bob] = [await trader(), await trader()];
  for (const symbol of PAIRS.slice(0, 5)) await rest(ann, symbol, 5);
  await stage.time.advance(20_000);
  const asked = await cut([ann, bob]);
  expect(inOrder(asked)).toEqual(['/api/v3/account', '/api/v3/account', '/api/v3/openOrders', '/api/v3/openOrders']);
});

test.each<[string, (who: Trader) => Promise<unknown>, string[]]>([
  ['a pair that was traded before', (who) => buy(who, 'SOLUSDT'), ['BNBUSDT', 'SOLUSDT']],
  ['a pair that was never traded', (who) => place(who, { symbol: 'ETHBTC', side: 'SELL', quantity: '0.01' }), ['BNBBTC', 'ETHBTC']],
])('a fill of an order placed elsewhere in the gap is found: %s', async (_, meanwhile, pairs) => {
  const who = await trader();
  const asked = await cut([who], () => meanwhile(who));
  expect(tradesOf(asked)).toEqual(pairs);
});

test.each([
  ['whole', 50, 0],
  ['in part', 90_000, 1],
])('an order that rested before the gap and was filled in it is found: %s', async (_, worth, left) => {
  const who = await trader();
  for (const symbol of ['ETHUSDT', 'ADAUSDT']) await rest(who, symbol, 20);
  await rest(who, 'XRPUSDT', 0.01, worth);
  await stage.time.advance(20_000);
  const standing = () => stage.venue.openOrders(who.signer, 'XRPUSDT');
  const asked = await cut([who], async () => {
    const isUntouched = async () => (await standing()).some(({ executedQty }) => Number(executedQty) === 0);
    for (let second = 0; (await isUntouched()) && second < 6000; second += 1) await stage.simulator.clock.advance(1000);
  });
  expect(await standing()).toHaveLength(left);
  expect(tradesOf(asked)).toEqual(['BNBUSDT', 'XRPUSDT']);
});

test('what was bought and sold again in one gap moves its fees alone: then everything is read', { tags: ['smoke'] }, async () => {
  const who = await trader();
  const asked = await cut([who], async () => {
    await place(who, { symbol: 'ETHUSDT', side: 'BUY', quantity: '0.05' });
    await place(who, { symbol: 'ETHUSDT', side: 'SELL', quantity: '0.05' });
  });
  expect(tradesOf(asked)).toContain('ETHUSDT');
});

test('a deposit in the gap is found by the list of deposits, and no pair is asked', async () => {
  const who = await trader();
  const asked = await cut([who], async () => {
    const body = JSON.stringify({ apiKey: who.signer.apiKey, asset: 'SOL', amount: '0.001' });
    expect((await fetch(`${stage.simulator.origin}/sim/v1/deposits`, { method: 'POST', body })).status).toBe(200);
  });
  expect(tradesOf(asked)).toEqual([]);
});

test('a cut within seconds of the first reading has everything read again: a report may have been lost with it', async () => {
  const who = await trader();
  await who.user.call('/bff/v2/positions/sync', { body: {} });
  await until('the reading', () => isIdle(who));
  const asked = await cut([who]);
  expect(PAIRS.filter((symbol) => !tradesOf(asked).includes(symbol))).toEqual([]);
});

test('during a ban the whole server sends nothing and opens no connection, and afterwards no fill is missing', async () => {
  const who = await trader();
  await rest(who, 'XRPUSDT', 0.01);
  await stage.time.advance(20_000);
  const handshakes = vi.spyOn(RateLimits.prototype, 'countConnection').mock.calls;
  // Another program at this address goes on after its 429 until the exchange bans the address for two minutes.
  const letGo = stage.time.hold();
  stage.simulator.faults.apply({ kind: 'limits', weightPerMinute: 1 });
  for (let asked = 0; asked < 30; asked += 1) await fetch(`${stage.simulator.origin}/api/v3/exchangeInfo`);
  stage.simulator.faults.clear();
  stage.simulator.faults.dropSockets();
  for (let minute = 0; minute < 60; minute += 1) await stage.simulator.clock.advance(60_000);
  requests.length = 0;
  letGo();
  await stage.time.advance(3000);
  const met = [handshakes.length, requests.length];
  expect(handshakes).not.toEqual([]);
  await stage.time.advance(115_000);
  expect([handshakes.length, requests.length]).toEqual(met);
  await stage.time.advance(20_000);
  expect(await stage.venue.openOrders(who.signer, 'XRPUSDT')).toEqual([]);
  await until('every fill in the ledger', async () => (await isIdle(who)) && (await isExact(who)));
});
