import { decimal } from '@pilotfish/core/money/decimal';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, type TestContext, test, vi } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { ExchangeError } from '../exchange/exchange-error.ts';
import { withUnread } from '../exchange/exchange-rows.ts';
import type { MyTrade } from './fill-entries.ts';
import { historySync } from './history-sync.ts';
import type { Drifts } from './history-sync-gap.ts';
import { ledgerStore } from './ledger-store.ts';
import type { SyncProgress } from './sync-progress.ts';
import { syncStore } from './sync-store.ts';

const OWNER = '018f0000-0000-7000-8000-000000000001';
const PAIRS = ['BTCUSDT', 'ETHUSDT', 'GONEUSDT'].map((symbol) => ({ symbol, baseAsset: symbol.slice(0, -4), quoteAsset: 'USDT' }));
const trade = (symbol: string, id: number): MyTrade => ({
  symbol,
  id: String(id),
  orderId: String(id),
  price: '10',
  qty: '1',
  quoteQty: '10',
  commission: '0',
  commissionAsset: 'USDT',
  time: 1000 + id,
  isBuyer: true,
});

describeEachDialect('reading a history', (open) => {
  async function stage(context: TestContext) {
    const database = await open(context);
    const values = {
      id: OWNER,
      username: 'a',
      username_key: 'a',
      email: 'a',
      email_key: 'a',
      email_confirmed: 0,
      password_hash: '',
    } as const;
    await database.queries
      .insertInto('accounts')
      .values({
        ...values,
        phone: null,
        phone_confirmed: 0,
        two_factor_confirmed: 1,
        totp_secret: null,
        language: 'en',
        created_at: 0,
        updated_at: 0,
      })
      .execute();
    const ledger = ledgerStore(database);
    const history = new Map<string, MyTrade[]>([
      ['BTCUSDT', Array.from({ length: 2500 }, (_, n) => trade('BTCUSDT', n * 3 + 1))],
      ['ETHUSDT', [trade('ETHUSDT', 7)]],
    ]);
    const asked: string[] = [];
    /** The account by its present keys, by which keys each page of trades was asked for, and what comes before an answer. */
    const keys = {
      account: { signer: { apiKey: 'old' } as never, uid: '1' },
      asked: [] as string[],
      beforeAnswer: undefined as ((page: string) => void) | undefined,
      beforeAllocations: undefined as (() => void) | undefined,
    };
    const allocationsAsked: string[] = [];
    const allocations = new Map<string, (MyTrade & { allocationId: string })[]>();
    /** How much weight the pacer let through, and how many rows were valued. */
    const used = { weight: 0, valued: 0 };
    /** Ids of trades that cannot be read. */
    const odd = new Set<string>();
    /** Pairs whose rows cannot be read. */
    const unlisted = new Set<string>();
    const store = syncStore(database);
    const failures: ExchangeError[] = [];
    /** What the account holds beyond what the ledger explains, and its open orders; `during` comes when the pairs were read. */
    const held = {
      drifts: undefined as Drifts | undefined,
      orders: [] as { orderId: string; symbol: string; executedQty: string }[],
      failures: [] as ExchangeError[],
      during: undefined as (() => Promise<unknown>) | undefined,
      updatedBefore: undefined as number | undefined,
      whileLooking: undefined as (() => void) | undefined,
      now: 5000,
    };
    const told: SyncProgress[] = [];
    const make = (version?: string) =>
      historySync({
        exchange: {
          account: async () => ({ canTrade: true, balances: [{ asset: 'BTC', free: '1', locked: '0' }] }),
          openOrders: async () => held.orders,
          allocationsFrom: async (_signer: unknown, symbol: string, fromId: string) => {
            allocationsAsked.push(`${symbol} ${fromId}`);
            keys.beforeAllocations?.();
            return (allocations.get(symbol) ?? []).filter(({ allocationId }) => Number(allocationId) >= Number(fromId)).slice(0, 1000);
          },
          mayBeRouted: (symbol: string) => allocations.has(symbol),
          tradesFrom: async (signer: { apiKey: string }, symbol: string, fromId: string) => {
            asked.push(`${symbol} ${fromId}`);
            keys.asked.push(`${signer.apiKey} ${symbol} ${fromId}`);
            keys.beforeAnswer?.(keys.asked.at(-1)!);
            const failure = asked.length > 2 ? failures.shift() : undefined;
            if (failure !== undefined) throw failure;
            const trades = history.get(symbol);
            if (trades === undefined) throw new ExchangeError('refused', 'Invalid symbol.', { code: -1121 });
            const page = trades.filter(({ id }) => BigInt(id) >= BigInt(fromId)).slice(0, 1000);
            const unread = page
              .filter(({ id }) => odd.has(id))
              .map(({ id }) => ({ list: 'trades', name: id, field: 'qty', given: { id } }));
            return withUnread(
              page.filter(({ id }) => !odd.has(id)),
              unread,
            );
          },
        } as never,
        market: {
          loaded: true,
          pair: (symbol: string) => PAIRS.find((pair) => pair.symbol === symbol && !unlisted.has(symbol)),
          isUnread: (symbol: string) => unlisted.has(symbol),
          pairs: () => PAIRS.filter(({ symbol }) => !unlisted.has(symbol)),
        } as never,
        ledger,
        store: syncStore(database, version),
        valuer: {
          withValues: async (entries: never[]) => {
            used.valued += entries.length;
            return entries;
          },
          settle: async () => 0,
          later: () => undefined,
        } as never,
        pacer: {
          take: async (weight: number) => {
            used.weight += weight;
            return true;
          },
          pause: () => undefined,
          stop: () => undefined,
        },
        accountOf: async () => keys.account,
        readTransfers: async () => {
          const { during } = held;
          held.during = undefined;
          await during?.();
          return 0;
        },
        onOpenOrders: () => undefined,
        onProgress: (_, progress) => void told.push(progress),
        onFinished: async () => held.drifts,
        drifts: async () => {
          const failure = held.failures.shift();
          if (failure) throw failure;
          held.whileLooking?.();
          return held.drifts;
        },
        updatedBefore: () => held.updatedBefore,
        now: () => held.now,
        log: { warn: () => undefined, error: () => undefined, info: () => undefined } as never,
        timers: { ...realTimers, wait: async () => undefined },
      });
    return { ledger, history, held, keys, asked, allocations, allocationsAsked, used, failures, told, make, odd, unlisted, store };
  }
  const run = async (sync: ReturnType<typeof historySync>, wish?: Parameters<typeof sync.start>[1]) => {
    await sync.start(OWNER, wish);
    await sync.settled(OWNER);
    return sync.progress(OWNER);
  };

  test('page by page; what is new the next time, all of it when asked', async (context) => {
    const { ledger, history, asked, told, make } = await stage(context);
    const sync = make();
    expect(await run(sync)).toMatchObject({ state: 'idle', done: 1, total: 1, tradesFound: 2500, error: null });
    expect(asked).toEqual(['BTCUSDT 0', 'BTCUSDT 2999', 'BTCUSDT 5999']);
    expect(told.at(-1)).toMatchObject({ state: 'idle', tradesFound: 2500 });
    history.get('BTCUSDT')!.push(trade('BTCUSDT', 9000));
    expect(await run(sync)).toMatchObject({ tradesFound: 1 });
    expect(asked.at(-1)).toBe('BTCUSDT 7499');
    // Every pair of the exchange; what is there already is not there twice, and a pair that is gone is no failure.
    expect(await run(sync, { full: true })).toMatchObject({ state: 'idle', done: 3, tradesFound: 1 });
    expect(await ledger.entries(OWNER)).toHaveLength(2502);
  });

  test('allocations are read page by page from where they were left, by the pace of all readings, and valued once', async (context) => {
    const { ledger, allocations, allocationsAsked, history, used, make } = await stage(context);
    const allocation = (id: number) => ({ ...trade('BTCUSDT', id), id: `SOR-${id}`, allocationId: String(id) });
    history.set('BTCUSDT', []);
    allocations.set(
      'BTCUSDT',
      Array.from({ length: 1200 }, (_, n) => allocation(n)),
    );
    const sync = make();
    expect(await run(sync)).toMatchObject({ state: 'idle', tradesFound: 1200 });
    expect(allocationsAsked).toEqual(['BTCUSDT 0', 'BTCUSDT 1000']);
    // The account, its open orders, a page of trades, two of allocations.
    expect(used).toEqual({ weight: 20 + 80 + 20 + 2 * 20, valued: 1200 });
    allocations.get('BTCUSDT')!.push(allocation(1500));
    // In another process, too.
    expect(await run(make())).toMatchObject({ tradesFound: 1 });
    expect([allocationsAsked.slice(2), used.valued]).toEqual([['BTCUSDT 1200'], 1201]);
    expect(await run(sync, { full: true, symbols: ['BTCUSDT'] })).toMatchObject({ tradesFound: 0 });
    expect([allocationsAsked.slice(3), used.valued]).toEqual([['BTCUSDT 0', 'BTCUSDT 1000'], 1201]);
    expect(await ledger.entries(OWNER)).toHaveLength(1201);
  });

  test('a failure keeps what was read and says why; the next reading goes on from there, in another process too', async (context) => {
    const { ledger, asked, failures, make } = await stage(context);
    failures.push(new ExchangeError('refused', 'Invalid API-key.', { code: -2015 }));
    expect(await run(make())).toMatchObject({ state: 'failed', error: 'invalid-key', tradesFound: 2000 });
    expect(await ledger.entries(OWNER)).toHaveLength(2000);
    asked.length = 0;
    expect(await run(make())).toMatchObject({ state: 'idle', tradesFound: 500, error: null });
    expect(asked).toEqual(['BTCUSDT 5999']);
  });

  test('an exchange that does not answer is asked again, then it is a failure', async (context) => {
    const { failures, make } = await stage(context);
    failures.push(...Array.from({ length: 3 }, () => new ExchangeError('unreachable', 'away')));
    const sync = make();
    expect(await run(sync)).toMatchObject({ state: 'idle', tradesFound: 2500 });
    await sync.stop();
  });

  test('a trade that cannot be read costs itself, ends no page, is noted, and is read by the next version', async (context) => {
    const { ledger, asked, odd, store, make } = await stage(context);
    for (const id of ['4', '2998', '7498']) odd.add(id);
    expect(await run(make('1.0.0'))).toMatchObject({ state: 'idle', tradesFound: 2497 });
    expect(asked).toEqual(['BTCUSDT 0', 'BTCUSDT 2999', 'BTCUSDT 5999']);
    expect(await store.unread(OWNER, '1')).toEqual(['2998', '4', '7498'].map((name) => ({ list: 'trades BTCUSDT', name, field: 'qty' })));
    asked.length = 0;
    expect(await run(make('1.0.0'))).toMatchObject({ tradesFound: 0 });
    expect(asked).toEqual(['BTCUSDT 7499']);
    odd.delete('4');
    odd.delete('7498');
    expect(await run(make('1.0.1'))).toMatchObject({ tradesFound: 2 });
    expect(await store.unread(OWNER, '1')).toEqual([{ list: 'trades BTCUSDT', name: '2998', field: 'qty' }]);
    expect(await ledger.entries(OWNER)).toHaveLength(2499);
  });

  test('a pair whose row cannot be read is not read: its cursor stays, and it goes on from there', async (context) => {
    const { ledger, history, asked, unlisted, store, make } = await stage(context);
    const sync = make();
    await run(sync, { symbols: ['ETHUSDT'] });
    unlisted.add('ETHUSDT');
    history.get('ETHUSDT')!.push(trade('ETHUSDT', 9));
    asked.length = 0;
    expect(await run(sync)).toMatchObject({ state: 'idle', error: null, tradesFound: 0 });
    expect([asked, (await store.cursors(OWNER, '1')).get('ETHUSDT')]).toEqual([
      ['BTCUSDT 7499'],
      expect.objectContaining({ nextTradeId: '8', trades: 1, refused: false }),
    ]);
    unlisted.delete('ETHUSDT');
    expect(await run(sync)).toMatchObject({ tradesFound: 1 });
    expect(await ledger.entries(OWNER, { symbol: 'ETHUSDT' })).toHaveLength(2);
  });

  test('trades of a pair that cannot be told are noted, and read by the next version', async (context) => {
    const { ledger, history, store, make } = await stage(context);
    const odd = 'ÖDD';
    history.set(odd, [{ ...trade(odd, 3) }]);
    const sync = make('1.0.0');
    expect(await run(sync, { symbols: [odd], only: true })).toMatchObject({ state: 'idle', tradesFound: 0 });
    expect(await store.unread(OWNER, '1')).toEqual([{ list: `trades ${odd}`, name: `${odd} 3`, field: 'symbol' }]);
    history.set(odd, [{ ...trade('ETHUSDT', 3) }]);
    expect(await run(make('1.0.1'), { symbols: [odd], only: true })).toMatchObject({ tradesFound: 1 });
    expect([await store.unread(OWNER, '1'), (await ledger.entries(OWNER)).length]).toEqual([[], 1]);
  });

  test('an allocation of a pair that cannot be told is noted, and read by the next version', async (context) => {
    const { ledger, allocations, history, store, make } = await stage(context);
    const odd = 'ÖDD';
    history.set(odd, []);
    allocations.set(odd, [{ ...trade(odd, 3), allocationId: '3' }]);
    expect(await run(make('1.0.0'), { symbols: [odd], only: true })).toMatchObject({ state: 'idle', tradesFound: 0 });
    expect(await store.unread(OWNER, '1')).toEqual([{ list: `allocations ${odd}`, name: `${odd} 3`, field: 'symbol' }]);
    allocations.set(odd, [{ ...trade('ETHUSDT', 3), allocationId: '3' }]);
    expect(await run(make('1.0.1'), { symbols: [odd], only: true })).toMatchObject({ tradesFound: 1 });
    expect([await store.unread(OWNER, '1'), (await ledger.entries(OWNER)).length]).toEqual([[], 1]);
  });

  const holding = (BNB: string): Drifts => ({ drifts: new Map([['BNB', decimal(BNB)]]), unread: new Set() });
  test('a gap whose fills cancel out in a pair that a complete reading had just read has it read again', async (context) => {
    const { ledger, history, held, make } = await stage(context);
    const sync = make();
    held.drifts = holding('5');
    await run(sync);
    held.now = 100_000;
    held.during = async () => {
      // Bought and sold at one price, the fee in BNB.
      history.get('BTCUSDT')!.push(trade('BTCUSDT', 8000), { ...trade('BTCUSDT', 8001), isBuyer: false });
      held.drifts = holding('4.99');
      await sync.start(OWNER, { gapSince: 99_000 });
    };
    await run(sync);
    await vi.waitFor(async () => expect(await ledger.entries(OWNER)).toHaveLength(2502));
    await sync.stop();
  });

  test('an account that changed in a gap, with nothing to show for it, has everything read', async (context) => {
    const { asked, held, make } = await stage(context);
    const sync = make();
    held.drifts = { ...holding('5'), updatedAt: 7 };
    await run(sync);
    held.now = 100_000;
    held.updatedBefore = 7;
    asked.length = 0;
    await run(sync, { gapSince: 99_000 });
    expect(asked).toEqual([]);
    held.drifts = { ...held.drifts, updatedAt: 8 };
    await run(sync, { gapSince: 99_500 });
    expect(asked).toEqual(['BTCUSDT 7499']);
  });

  test('an account that trades while it is looked at after a gap has nothing read: its stream reported that', async (context) => {
    const { asked, held, make } = await stage(context);
    const sync = make();
    held.drifts = { ...holding('5'), updatedAt: 7 };
    await run(sync);
    held.now = 100_000;
    held.updatedBefore = 7;
    asked.length = 0;
    held.whileLooking = () => {
      held.drifts = { ...holding('5'), updatedAt: 8 };
      // An event of the account makes the last judgement unsure.
      held.updatedBefore = undefined;
    };
    await run(sync, { gapSince: 99_000 });
    expect(asked).toEqual([]);
  });

  test('an order that is gone after a gap has its pair read, also where the first look at the account failed', async (context) => {
    const { asked, held, make } = await stage(context);
    const sync = make();
    held.drifts = holding('5');
    held.orders = [{ orderId: '1', symbol: 'ETHUSDT', executedQty: '0' }];
    await run(sync);
    held.now = 100_000;
    held.orders = [];
    held.failures = Array.from({ length: 5 }, () => new ExchangeError('unreachable', 'away'));
    asked.length = 0;
    await expect(sync.start(OWNER, { gapSince: 99_000 })).rejects.toThrow();
    await run(sync, { gapSince: 99_000 });
    expect(asked).toEqual(['ETHUSDT 8']);
  });

  const NEW_KEYS = { signer: { apiKey: 'new' } as never, uid: '2' };
  test.for(['answers', 'refuses'])('new keys end the reading with the old ones, whose next page the exchange %s', async (how, context) => {
    const { ledger, keys, store, make } = await stage(context);
    const sync = make();
    let asking: Promise<unknown> | undefined;
    keys.beforeAnswer = (page) => {
      if (page !== 'old BTCUSDT 2999') return;
      keys.account = NEW_KEYS;
      sync.forget(OWNER);
      asking = sync.start(OWNER);
      if (how === 'refuses') throw new ExchangeError('refused', 'Invalid API-key.', { code: -2015 });
    };
    await run(sync);
    await asking;
    await sync.settled(OWNER);
    expect(keys.asked).toEqual(['old 0', 'old 2999', 'new 0', 'new 2999', 'new 5999'].map((each) => each.replace(' ', ' BTCUSDT ')));
    const cursorOf = async (uid: string) => (await store.cursors(OWNER, uid)).get('BTCUSDT');
    expect([await cursorOf('1'), await cursorOf('2')]).toMatchObject([
      { nextTradeId: '2999', readAt: null },
      { nextTradeId: '7499', readAt: 5000 },
    ]);
    expect(await sync.progress(OWNER)).toMatchObject({ state: 'idle', error: null });
    expect(await ledger.entries(OWNER)).toHaveLength(2500);
  });

  test('new keys leave a pair whose allocations were refused to the old ones to be read', async (context) => {
    const { allocations, allocationsAsked, keys, store, make } = await stage(context);
    allocations.set('ETHUSDT', []);
    const sync = make();
    keys.beforeAllocations = () => {
      keys.beforeAllocations = undefined;
      keys.account = NEW_KEYS;
      sync.forget(OWNER);
      throw new ExchangeError('refused', 'Invalid API-key.', { code: -2015 });
    };
    await run(sync, { symbols: ['ETHUSDT'], only: true });
    expect(await store.run(OWNER)).toMatchObject({ state: 'running', remaining: ['ETHUSDT'] });
    await run(sync, { symbols: [], only: true });
    expect(allocationsAsked).toEqual(['ETHUSDT 0', 'ETHUSDT 0']);
  });

  test('ids of trades keep every digit; what the cursor cannot hold is read again, and counted once', async (context) => {
    const { ledger, history, asked, make } = await stage(context);
    const long = (id: string): MyTrade => ({ ...trade('BTCUSDT', 1), id });
    history.set('BTCUSDT', [long('930001112223334401'), long('930001112223334417')]);
    const sync = make();
    expect(await run(sync)).toMatchObject({ tradesFound: 2 });
    expect(await run(sync)).toMatchObject({ tradesFound: 0 });
    expect(asked).toEqual(['BTCUSDT 0', `BTCUSDT ${Number.MAX_SAFE_INTEGER}`]);
    expect(await ledger.entries(OWNER)).toHaveLength(2);
  });

  test('asked for while one runs: it is one reading, with the pair named first', async (context) => {
    const { asked, make } = await stage(context);
    const sync = make();
    await Promise.all([sync.start(OWNER), sync.start(OWNER, { symbols: ['ETHUSDT'] }), sync.start(OWNER)]);
    await sync.settled(OWNER);
    expect((await sync.progress(OWNER)).state).toBe('idle');
    expect(asked.filter((each) => each === 'ETHUSDT 0').length).toBe(1);
    expect(asked.filter((each) => each === 'BTCUSDT 0').length).toBe(1);
  });
});
