import { add, type Decimal, decimal, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import { digits } from '@pilotfish/core/money/figure';
import { addFlows, type TradeEntry } from '@pilotfish/core/positions/ledger-entry';
import {
  allowedPositionActions,
  NOTHING_SAID,
  type PositionEvent,
  positionMachine,
  restoredPosition,
} from '@pilotfish/core/positions/position-machine';
import type { ClosedPosition, OpenPosition, PositionTotals, SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { until as untilSeen } from '@pilotfish/core/testing/until';
import type { Simulator } from '@pilotfish/simulator/app/simulator';
import { createTestModel } from '@xstate/test';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SignedInUser, TestServer } from '../src/app/testing/test-server.ts';
import type { Exchange } from '../src/exchange/exchange.ts';
import { placedOrderPayload } from '../src/exchange/payloads.ts';
import { type Signer, signerFor } from '../src/exchange/signing.ts';
import { ledgerStore } from '../src/positions/ledger-store.ts';
import { type ExchangeStage, startExchangeStage } from './exchange-stage.ts';

// Two accounts trade at a simulated exchange that moves only when it is told to; whatever was lost, doubled or out of
// order on the way, the ledger says in the end what the exchange says, to the last digit.

const PAIRS = ['BTCUSDT', 'ETHUSDT', 'ETHBTC', 'SOLUSDT', 'BNBUSDT'] as const;
const START = { USDT: '100000', BNB: '5' };

let simulator: Simulator;
let server: TestServer;
let stage: ExchangeStage;
let venue: Exchange;

type Trader = { user: SignedInUser; signer: Signer; accountId: string };

let seed = 1;
const random = (): number => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

beforeEach(async () => {
  seed = 11;
  stage = await startExchangeStage(11);
  ({ simulator, server, venue } = stage);
});
afterEach(async () => {
  await stage?.close();
});

/** @param before happens at the exchange before the account is connected */
async function trader(
  burnBnb: boolean,
  balances: Record<string, string> = START,
  before?: (keys: { apiKey: string; apiSecret: string }) => Promise<unknown>,
): Promise<Trader> {
  const user = await server.register();
  const { apiKey, apiSecret } = await simulator.createAccount({ balances, burnBnb });
  await before?.({ apiKey, apiSecret });
  const connected = await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
  expect(connected.status).toBe(200);
  const row = await server.context.database.queries
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', user.username)
    .executeTakeFirstOrThrow();
  return { user, signer: signerFor(apiKey, apiSecret), accountId: row.id };
}

const until = <Value>(what: string, look: () => Promise<Value | undefined | false>, stepMs = 0) =>
  untilSeen(what, look, { time: stage.time, meanwhile: stepMs > 0 ? () => simulator.clock.advance(stepMs) : undefined });

const order = (signer: Signer, parameters: Record<string, string>) =>
  venue.placeOrder(signer, { type: 'MARKET', ...parameters }, { urgent: true, beforeSigning: () => undefined });
const buy = (who: Trader, symbol: string, quoteOrderQty: string) => order(who.signer, { symbol, side: 'BUY', quoteOrderQty });
const sell = (who: Trader, symbol: string, quantity: string) => order(who.signer, { symbol, side: 'SELL', quantity });

/** What the exchange holds. */
async function held(who: Trader): Promise<Map<string, string>> {
  const { balances } = await venue.account(who.signer);
  return texts(new Map(balances.map(({ asset, free, locked }) => [asset, add(decimal(free), decimal(locked))])));
}
const texts = (sums: Map<string, Decimal>) =>
  new Map(
    [...sums]
      .filter(([, value]) => value.units !== 0n)
      .map(([asset, value]) => [asset, toText(value)] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
const entries = async (who: Trader) => ledgerStore(server.context.database).entries(who.accountId);
async function explained(who: Trader): Promise<Map<string, string>> {
  const sums = new Map<string, Decimal>();
  for (const entry of await entries(who)) addFlows(sums, entry);
  return texts(sums);
}
const reconciled = async (who: Trader): Promise<boolean> =>
  JSON.stringify([...(await explained(who))]) === JSON.stringify([...(await held(who))]);

/** Buys and sells at random over several pairs, in parts as the book gives them. */
async function trade(who: Trader, orders: number): Promise<void> {
  for (let placed = 0; placed < orders; ) {
    const symbol = PAIRS[Math.floor(random() * PAIRS.length)]!;
    await simulator.clock.advance(1000 + Math.floor(random() * 20_000));
    try {
      if (random() < 0.6) await buy(who, symbol, symbol === 'ETHBTC' ? '0.01' : String(50 + Math.floor(random() * 500)));
      else {
        const base = symbol.replace(/USDT$|BTC$/, '');
        const { balances } = await venue.account(who.signer);
        const free = Number(balances.find(({ asset }) => asset === base)?.free ?? 0);
        await sell(who, symbol, (Math.floor(free * random() * 1000) / 1000).toFixed(3));
      }
      placed += 1;
    } catch (error) {
      // Too small, or not held: another one is tried.
      if (!/NOTIONAL|LOT_SIZE|insufficient|quantity|Notional|mandatory/i.test((error as Error).message)) throw error;
    }
  }
}

const synced = (who: Trader) =>
  until('the history being read', async () => {
    const { body } = await who.user.call<SyncStatus>('/bff/v2/positions/sync');
    return body.state === 'idle' && body;
  });
const open = async (who: Trader) =>
  (await who.user.call<{ items: OpenPosition[]; totals: PositionTotals[] }>('/bff/v2/positions/open')).body;
const closed = async (who: Trader, query = '') =>
  (await who.user.call<{ items: ClosedPosition[]; total: number }>(`/bff/v2/positions/closed?pageSize=200${query}`)).body;

describe('the ledger is the exchange account, to the last digit', () => {
  test('what a sale would bring is told with the commission of the account at its pair', async () => {
    const ann = await trader(true);
    await synced(ann);
    await buy(ann, 'BTCUSDT', '500');
    const rate = async () => {
      const [position] = (await open(ann)).items;
      return position?.exitFee && position.value ? Number(position.exitFee) / Number(position.value) : undefined;
    };
    // The account pays in BNB, which makes it three quarters of the standard 0.1 %.
    await until('the commission of the pair', async () => Math.abs(((await rate()) ?? 0) - 0.00075) < 1e-7, 1000);
  });

  test('what smart order routing filled is there with its fees, told by the list or by the stream', async () => {
    let apiKey = '';
    const route = async (side: 'BUY' | 'SELL', quantity: string) => {
      const body = JSON.stringify({ apiKey, symbol: 'BTCUSDT', side, quantity });
      const answer = await stage.time.during(fetch(`${simulator.origin}/sim/v1/sor`, { method: 'POST', body }));
      expect(answer.status).toBe(200);
      return placedOrderPayload.parse(await stage.time.during(answer.json()));
    };
    const ann = await trader(true, START, async (keys) => {
      apiKey = keys.apiKey;
      await route('BUY', '0.02');
      // The server knows that the pair is routed once it has read the pairs again.
      await stage.time.advance(15 * 60_000 + 1000);
    });
    await synced(ann);
    await until('the ledger', () => reconciled(ann), 1000);
    await buy(ann, 'BTCUSDT', '500');
    const { orderId, fills } = await route('SELL', '0.01');
    await until('the ledger after both', () => reconciled(ann), 1000);
    const trades = async () => (await entries(ann)).filter((entry): entry is TradeEntry => entry.kind === 'trade');
    const own = await trades();
    const routed = own.filter(({ tradeId }) => tradeId?.startsWith('sor-'));
    expect(new Set(routed.map(({ side, feeAsset }) => `${side} ${feeAsset}`))).toEqual(new Set(['Buy BNB', 'Sell BNB']));
    expect(own.length).toBeGreaterThan(routed.length);

    // Read again, each is known once; the outcome of such an order is whole, too.
    await ann.user.call('/bff/v2/positions/sync', { body: {} });
    await synced(ann);
    expect(await trades()).toHaveLength(own.length);
    const placed = await venue.order(ann.signer, { symbol: 'BTCUSDT', orderId });
    const executed = await venue.tradesOfOrder(ann.signer, placed);
    expect(executed.map(({ id, qty }) => [id, qty])).toEqual(fills.map(({ tradeId, qty }) => [tradeId, qty]));
  });

  test('two accounts trade at random, one pays its fees in BNB; fees are valued at their minute', { tags: ['smoke'] }, async () => {
    const [ann, bob] = [await trader(true), await trader(false)];
    await Promise.all([synced(ann), synced(bob)]);
    simulator.faults.apply({ kind: 'fill', share: 0.6, times: 5 });
    await trade(ann, 25);
    await trade(bob, 25);
    await until('the ledger of the first', () => reconciled(ann), 1000);
    await until('the ledger of the second', () => reconciled(bob), 1000);
    expect((await entries(ann)).some((entry) => entry.kind === 'trade' && entry.feeAsset === 'BNB')).toBe(true);
    // Minutes end, and every fee has its value.
    await simulator.clock.advance(90_000);
    await Promise.all([ann, bob].map((who) => who.user.call('/bff/v2/positions/sync', { body: {} })));
    await until('fees being valued', async () => {
      const all = [...(await entries(ann)), ...(await entries(bob))].filter((entry): entry is TradeEntry => entry.kind === 'trade');
      return all.every(
        (entry) =>
          entry.quoteRate !== null &&
          (entry.feeAsset === entry.baseAsset || entry.feeAsset === entry.quoteAsset || entry.feeInQuote !== null),
      );
    });
    // Nobody sees what is another's.
    const mine = (await open(ann)).items[0]!;
    for (const path of ['trades', 'transactions']) {
      expect((await bob.user.call(`/bff/v2/positions/${mine.id}/${path}`)).status).toBe(404);
      expect((await ann.user.call(`/bff/v2/positions/${mine.id}/${path}`)).status).toBe(200);
    }
  });
});

describe('nothing is lost on the way', () => {
  test('events twice, out of order and never; the answer is the same', { tags: ['smoke'] }, async () => {
    const who = await trader(false);
    await synced(who);
    simulator.faults.apply({ kind: 'events', action: 'duplicate', event: 'executionReport', times: 6 });
    await trade(who, 6);
    simulator.faults.apply({ kind: 'events', action: 'reorder', times: 6 });
    await trade(who, 6);
    await until('the ledger', () => reconciled(who), 1000);
    // A fill that is never told of shows in the balances, and is read.
    simulator.faults.apply({ kind: 'events', action: 'drop', event: 'executionReport', times: 4 });
    await buy(who, 'BTCUSDT', '300');
    await until('the lost fill', () => reconciled(who));
  });

  test('the stream is cut while somebody trades: the gap is read', { tags: ['smoke'] }, async () => {
    const who = await trader(true);
    await synced(who);
    await buy(who, 'BTCUSDT', '500');
    await until('the first fill', () => reconciled(who));
    simulator.faults.dropSockets();
    await buy(who, 'SOLUSDT', '200');
    await buy(who, 'BTCUSDT', '100');
    await until('what happened meanwhile', () => reconciled(who));
  });

  test('trades from before the connection are found, and a restart in the middle goes on where it was', { tags: ['smoke'] }, async () => {
    const user = await server.register();
    const { apiKey, apiSecret } = await simulator.createAccount({ balances: START });
    const early: Trader = { user, signer: signerFor(apiKey, apiSecret), accountId: '' };
    await trade(early, 15);
    // Answers come slowly, so that the restart falls into the reading.
    simulator.faults.next({ method: 'GET', path: '/api/v3/myTrades', times: 100, delayMs: 150 });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    const row = await server.context.database.queries
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user.username)
      .executeTakeFirstOrThrow();
    const who = { ...early, accountId: row.id };
    const running = await until('some of it being read', async () => {
      const { body } = await user.call<SyncStatus>('/bff/v2/positions/sync');
      return body.state === 'running' && body.done > 0 && body;
    });
    expect(running.total).toBeGreaterThan(running.done);
    await server.restart();
    await until('all of it', () => reconciled(who));
    const ids = (await entries(who)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

test('coins sold while nothing listened, by pairs that never traded before, are read once their balances differ', async () => {
  const who = await trader(false, { ...START, ETH: '1', SOL: '40' });
  await synced(who);
  await until('the balances being explained', () => reconciled(who));
  await server.restart(async () => {
    await simulator.clock.advance(5000);
    await sell(who, 'ETHUSDT', '1');
    await sell(who, 'SOLUSDT', '15');
  });
  await until('the sales being read', () => reconciled(who));
  await until('no balance being in doubt', async () => (await synced(who)).differences.length === 0);
});

test('deposits and withdrawals are read from the wallet, and explain what trades do not', { tags: ['smoke'] }, async () => {
  const who = await trader(false);
  await synced(who);
  await buy(who, 'SOLUSDT', '400');
  await until('the buy', () => reconciled(who), 1000);
  const { apiKey } = who.signer;
  for (const [asset, amount] of [
    ['USDT', '250.5'],
    ['SOL', '0.25'],
    ['USDT', '-100'],
  ]) {
    const reply = await fetch(`${simulator.origin}/sim/v1/deposits`, { method: 'POST', body: JSON.stringify({ apiKey, asset, amount }) });
    expect(reply.status).toBe(200);
  }
  await until('deposits being read', () => reconciled(who));
  const told = await until('the differences being gone', async () => {
    const { body } = await who.user.call<SyncStatus>('/bff/v2/positions/sync');
    return body.state === 'idle' && body.differences.length === 0 && body;
  });
  expect(told.error).toBeNull();
  // Nobody said what the quarter cost: the position says so, and is in no sum.
  const { items, totals } = await open(who);
  expect(items[0]).toMatchObject({ symbol: 'SOLUSDT', realised: null, averageCost: null, broken: [{ code: 'MISSING_COST' }] });
  expect(items[0]!.broken[0]!.detail).toContain('0.25 SOL');
  expect(totals).toMatchObject([{ count: 1, broken: 1, invested: '0' }]);
});

/** As its entries have it: open, with something held. */
const UNTOUCHED = { closedAt: null, closedBy: null, holds: true, laterOpen: false, reasons: [], calculating: false };

describe('what a person says of a position', () => {
  /** A position with one buy and half of it sold. */
  async function stage() {
    const who = await trader(false);
    await synced(who);
    await buy(who, 'SOLUSDT', '400');
    await until('the buy', () => reconciled(who), 1000);
    const position = await until('the position', async () => (await open(who)).items.find(({ symbol }) => symbol === 'SOLUSDT'));
    return { who, position };
  }
  const act = (who: Trader, path: string, body: unknown, method = 'POST') =>
    who.user.call<OpenPosition & ClosedPosition & { detail: string; errors: { path: string; limit: string }[] }>(
      `/bff/v2/positions/${path}`,
      { body, method },
    );

  test('a target price is a price of the pair, and is told with what it would bring', async () => {
    const { who, position } = await stage();
    const between = await act(who, `open/${position.id}/target-price`, { targetPrice: '999.123456789' }, 'PATCH');
    expect(between.status).toBe(422);
    expect(between.body.errors[0]).toMatchObject({ path: 'targetPrice', limit: expect.stringContaining(', ') });
    expect((await act(who, `open/${position.id}/target-price`, { targetPrice: '0' }, 'PATCH')).status).toBe(400);
    const set = await act(who, `open/${position.id}/target-price`, { targetPrice: '999' }, 'PATCH');
    expect(set.body).toMatchObject({ targetPrice: '999' });
    expect(Number(set.body.resultAtTarget)).toBeCloseTo(Number(position.quantity) * 999 * 0.999 - Number(position.cost), 6);
    const cleared = await act(who, `open/${position.id}/target-price`, { targetPrice: null }, 'PATCH');
    expect(cleared.body.targetPrice).toBeNull();
  });

  test('closed by hand and opened again; not while a later one is open; a calculation changes neither', async () => {
    const { who, position } = await stage();
    const gone = await act(who, `open/${position.id}/set-as-closed`, { remainder: 'at-cost' });
    expect(gone.body).toMatchObject({ id: position.id, closedBy: 'hand', realised: '0', quantity: '0' });
    expect((await act(who, `open/${position.id}/set-as-closed`, { remainder: 'at-cost' })).status).toBe(409);
    expect((await open(who)).items).toEqual([]);
    await act(who, `${position.id}/calculate`, undefined);
    expect((await closed(who)).items.map(({ id }) => id)).toEqual([position.id]);
    await simulator.clock.advance(5000);
    await buy(who, 'SOLUSDT', '100');
    const later = await until('the next position', async () => (await open(who)).items[0], 1000);
    expect(later).toMatchObject({ number: 2, broken: [] });
    expect((await act(who, `closed/${position.id}/set-as-open`, undefined)).status).toBe(409);
    // The later closing is taken back first.
    await act(who, `open/${later.id}/set-as-closed`, { remainder: 'at-market' });
    expect((await act(who, `closed/${position.id}/set-as-open`, undefined)).status).toBe(409);
    await act(who, `closed/${later.id}/set-as-open`, undefined);
    await sell(who, 'SOLUSDT', (Math.floor(Number(later.quantity) * 1000) / 1000).toFixed(3));
    await until('the sell', async () => (await open(who)).items.length === 0, 1000);
    const again = await act(who, `closed/${position.id}/set-as-open`, undefined);
    expect(again.body).toMatchObject({ id: position.id, broken: [] });
    // Nothing but the override is gone: the trades after it are its own now.
    expect(again.body.trades).toBeGreaterThan(position.trades + 1);
    expect((await open(who)).items).toMatchObject([{ id: position.id, quantity: again.body.quantity }]);
  });

  test('every path of its machine that a person can walk leads the server where it leads the machine', { tags: ['smoke'] }, async () => {
    const { who, position } = await stage();
    const closing = { at: 0, remainder: 'at-cost', price: '0' } as const;
    const events: readonly PositionEvent[] = [
      { type: 'target.set', price: '999' },
      { type: 'target.cleared' },
      { type: 'position.closed', closing },
      { type: 'position.reopened' },
      { type: 'position.marked', text: 'odd' },
      { type: 'position.mended' },
      { type: 'position.excluded' },
      { type: 'position.included' },
    ];
    // The value says it all: each combination of its regions is reached.
    const paths = createTestModel(positionMachine).getShortestPaths({
      fromState: restoredPosition({ ...UNTOUCHED, word: NOTHING_SAID }),
      events,
      serializeState: ({ value }) => JSON.stringify(value),
    });
    const reached = new Set(
      paths.flatMap(({ steps, state }) => [...steps.map((step) => step.state), state]).map(({ value }) => JSON.stringify(value)),
    );
    expect(reached.size).toBe(16);
    let now: OpenPosition | ClosedPosition = position;
    const ask = async (path: string, body: unknown, method = 'POST') => {
      const answer = await act(who, path.replace('ID', position.id), body, method);
      expect([path, answer.status]).toEqual([path, 200]);
      now = answer.body;
    };
    const driven: Record<string, () => Promise<void>> = {
      'target.set': () => ask('open/ID/target-price', { targetPrice: '999' }, 'PATCH'),
      'target.cleared': () => ask('open/ID/target-price', { targetPrice: null }, 'PATCH'),
      'position.closed': () => ask('open/ID/set-as-closed', undefined),
      'position.reopened': () => ask('closed/ID/set-as-open', undefined),
      'position.marked': () => ask('ID/set-as-broken', { broken: true, text: 'odd' }),
      'position.mended': () => ask('ID/set-as-broken', { broken: false }),
      'position.excluded': () => ask('ID/excluded-from-totals', { excluded: true }),
      'position.included': () => ask('ID/excluded-from-totals', { excluded: false }),
    };
    for (const path of paths) {
      await path.test({
        events: driven,
        states: {
          '*': (state) => expect([path.description, [...now.allowed]]).toEqual([path.description, allowedPositionActions(state)]),
        },
      });
      // Back to where the next path begins.
      if ('closedAt' in now) await ask('closed/ID/set-as-open', undefined);
      for (const event of ['target.cleared', 'position.mended', 'position.included']) await driven[event]?.();
    }
  });

  test('one that was sold out goes on with what is bought next, until that is taken back', { tags: ['smoke'] }, async () => {
    const { who, position } = await stage();
    await sell(who, 'SOLUSDT', (Math.floor(Number(position.quantity) * 1000) / 1000).toFixed(3));
    await until('the sale', async () => (await open(who)).items.length === 0, 1000);
    const [sold] = (await closed(who)).items;
    expect(sold).toMatchObject({ id: position.id, closedBy: 'sell', allowed: ['calculate', 'reopen', 'break', 'exclude'] });
    const reopened = await act(who, `closed/${position.id}/set-as-open`, undefined);
    expect(reopened.body).toMatchObject({ id: position.id, reopened: true, realised: sold!.realised });
    expect(reopened.body.allowed).toContain('split');
    // Nothing was bought since: closing it is taking that back.
    const back = await act(who, `open/${position.id}/set-as-closed`, undefined);
    expect(back.body).toMatchObject({ id: position.id, closedBy: 'sell', closedAt: sold!.closedAt, realised: sold!.realised });
    await act(who, `closed/${position.id}/set-as-open`, undefined);
    await simulator.clock.advance(5000);
    await buy(who, 'SOLUSDT', '100');
    const joined = await until('the next buy', async () => (await open(who)).items.find(({ trades }) => trades > sold!.trades), 1000);
    expect(joined).toMatchObject({ id: position.id, number: 1, broken: [], realised: sold!.realised });
    expect((await closed(who)).items).toEqual([]);
    const split = await act(who, `open/${position.id}/set-as-closed`, { remainder: 'split' });
    expect(split.body).toMatchObject({ id: position.id, closedBy: 'sell', trades: sold!.trades });
    expect((await open(who)).items).toMatchObject([{ number: 2, quantity: joined.quantity, reopened: false }]);
    const refused = await act(who, `closed/${position.id}/set-as-open`, undefined);
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('later position')]);
  });

  test('broken and left out: in no sum, but counted', async () => {
    const { who, position } = await stage();
    const whole = (await open(who)).totals[0]!;
    expect(whole).toMatchObject({ currency: 'USDT', count: 1, broken: 0, excluded: 0, invested: position.cost });
    const marked = await act(who, `${position.id}/set-as-broken`, { broken: true, text: 'the fee is wrong' });
    expect(marked.body.broken).toMatchObject([{ code: 'USER', detail: 'the fee is wrong' }]);
    expect((await open(who)).totals[0]).toMatchObject({ count: 1, broken: 1, invested: '0', value: '0' });
    await act(who, `${position.id}/set-as-broken`, { broken: false });
    await act(who, `${position.id}/excluded-from-totals`, { excluded: true });
    expect((await open(who)).totals[0]).toMatchObject({ count: 1, broken: 0, excluded: 1, invested: '0' });
    const overview = await who.user.call<{ excluded: { count: number; pnl: string } }>('/bff/v2/positions/overview');
    expect(overview.body.excluded).toMatchObject({ count: 1 });
    expect(Number(overview.body.excluded.pnl)).not.toBe(0);
  });

  test('a calculation mends a ledger that lost a fill and gained a wrong one, and says so', { tags: ['smoke'] }, async () => {
    const { who, position } = await stage();
    const ledger = ledgerStore(server.context.database);
    const before = await entries(who);
    const fill = before.find((entry): entry is TradeEntry => entry.kind === 'trade')!;
    // Behind the back of the running server, as an older version might have left it.
    await ledger.append(who.accountId, [{ ...fill, id: 'trade:SOLUSDT:1', tradeId: String(Number(fill.tradeId) + 1), price: '1' }], {
      replaces: before.length > 1 ? [before.at(-1)!.id] : [],
    });
    await server.restart();
    await server.context.database.queries.deleteFrom('sync_cursors').execute();
    await until('the position being there again', async () => (await open(who)).items.some(({ id }) => id === position.id));
    await act(who, `${position.id}/calculate`, undefined);
    await until('the ledger', () => reconciled(who));
    const [first, second] = [await act(who, `${position.id}/calculate`, undefined), await act(who, `${position.id}/calculate`, undefined)];
    expect(second.body).toEqual(first.body);
    expect(second.body).toMatchObject({ tradesAdded: 0, tradesRemoved: 0, broken: [] });
  });

  test('every day adds up to the total; trades and lines are paged', async () => {
    const { who, position } = await stage();
    await simulator.clock.advance(120_000);
    const days = await who.user.call<{ pnl: string; value: string }[]>(`/bff/v2/positions/open/${position.id}/daily-performance`);
    const sum = days.body.reduce((total, { pnl }) => add(total, decimal(pnl)), ZERO);
    // What it is worth less what it cost, gross of the exit fee, to the last digit.
    expect(toText(sum)).toBe(toText(subtract(decimal(days.body.at(-1)!.value), decimal(position.cost))));
    const trades = await who.user.call<{ items: unknown[]; total: number }>(`/bff/v2/positions/${position.id}/trades?pageSize=1`);
    expect(trades.body).toMatchObject({ total: position.trades, items: { length: 1 } });
    expect((await who.user.call(`/bff/v2/positions/${position.id}/trades?page=0`)).status).toBe(400);
    const lines = await who.user.call<{ items: { kind: string }[] }>(`/bff/v2/positions/${position.id}/transactions`);
    expect(lines.body.items.at(-1)).toMatchObject({ kind: 'buy' });
  });

  test('bounds the wrong way round are refused, both named', async () => {
    const { who, position } = await stage();
    await sell(who, 'SOLUSDT', (Math.floor(Number(position.quantity) * 1000) / 1000).toFixed(3));
    const gone = await until('the close', async () => (await closed(who)).items[0], 1000);
    const wrong = await who.user.call<{ errors: { path: string }[] }>('/bff/v2/positions/closed?excludedPnl.min=5&excludedPnl.max=-5');
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors.map(({ path }) => path)).toEqual(['excludedPnl.min', 'excludedPnl.max']);
    expect(
      (await closed(who, `&excludedPnl.min=${digits(gone.realised ?? '')}&excludedPnl.max=${digits(gone.realised ?? '')}`)).items,
    ).toEqual([]);
    expect((await closed(who, `&excludedPnl.max=-1000000`)).items).toHaveLength(1);
    const months = await who.user.call<{ closed: number; realised: string; currency: string }[]>('/bff/v2/positions/monthly-overview');
    expect(months.body).toMatchObject([{ currency: 'USDT', closed: 1, realised: gone.realised }]);
  });
});
