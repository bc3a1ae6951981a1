import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { attemptHash, MAX_ATTEMPT, positionIdOfOldOrder } from '@pilotfish/core/auto-trades/position/position-ids';
import type { StoredTrace } from '@pilotfish/core/auto-trades/trace';
import { add, type Decimal, decimal, isZero, subtract, toText, ZERO } from '@pilotfish/core/money/decimal';
import { grammarViolation } from '@pilotfish/core/testing/trace-grammar';
import { realTimers } from '@pilotfish/core/time/timers';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { expect } from 'vitest';
import { ExchangeError } from '../../exchange/exchange-error.ts';
import { exchangeRest } from '../../exchange/exchange-rest.ts';
import { accountPayload, type OrderPayload, ordersPayload } from '../../exchange/payloads.ts';
import { signerFor } from '../../exchange/signing.ts';
import { weightBudget } from '../../exchange/weight-budget.ts';

/** Reads one address of the server with a JSON answer. */
export type Get = <Body>(path: string) => Promise<Body>;

/** Every trace of a bot, oldest first. */
export async function tracesOf(get: Get, autoTradeId: string): Promise<StoredTrace[]> {
  const traces: StoredTrace[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await get<{ items: StoredTrace[]; total: number }>(
      `/bff/v2/auto-trades/${autoTradeId}/traces?pageSize=200&page=${page}`,
    );
    traces.push(...items);
    if (traces.length >= total) return traces.reverse();
  }
}

export type AuditCounts = { orders: number; executed: number; positions: number; traces: number; fills: number };

/**
 * Holds what bots say against what the exchange did, to the last digit: every story is whole and gapless, every order
 * at the exchange belongs to a position, what was executed is in the traces and nothing else is, the account holds
 * what the fills explain, and the wallets obey their identity. The bots must be flat.
 */
export async function auditBots(parts: {
  get: Get;
  origin: string;
  keys: { apiKey: string; apiSecret: string };
  autoTradeIds: readonly string[];
  walletIds: readonly string[];
  symbols: readonly string[];
  /** Positions that their owner took over: their stories have no end. */
  detached?: ReadonlySet<string>;
  /** What the account held at the beginning. */
  began: Readonly<Record<string, string>>;
}): Promise<AuditCounts> {
  const { get, keys } = parts;
  const rest = exchangeRest({
    timers: realTimers,
    origin: parts.origin,
    now: Date.now,
    budget: weightBudget({ timers: realTimers, limit: 10_000_000, now: Date.now }),
  });
  const signer = signerFor(keys.apiKey, keys.apiSecret);
  const counts: AuditCounts = { orders: 0, executed: 0, positions: 0, traces: 0, fills: 0 };
  const held = new Map<string, Decimal>(Object.entries(parts.began).map(([asset, amount]) => [asset, decimal(amount)]));
  const move = (asset: string, amount: Decimal, sign: 1 | -1) =>
    held.set(asset, (sign > 0 ? add : subtract)(held.get(asset) ?? ZERO, amount));
  const filled = new Map<string, Decimal>();
  const positions = new Set<string>();

  for (const id of parts.autoTradeIds) {
    const traces = await tracesOf(get, id);
    counts.traces += traces.length;
    expect(traces.map(({ seq }) => seq)).toEqual(traces.map((_, index) => index + 1));
    const stories = grouped(traces);
    for (const [positionId, rows] of stories) {
      positions.add(positionId);
      expect([positionId, grammarViolation(rows, !parts.detached?.has(positionId))]).toEqual([positionId, undefined]);
      expectWholeStory(rows);
    }
    for (const trace of traces) {
      if (trace.kind !== 'Buy' && trace.kind !== 'Sell') continue;
      counts.fills += 1;
      const after = trace.after as Record<string, string>;
      const sign = trace.kind === 'Buy' ? 1 : -1;
      const base = baseOf(trace.symbol);
      move(base, decimal(after.quantity!), sign);
      move('USDT', decimal(after.quoteQuantity!), sign > 0 ? -1 : 1);
      move(after.feeAsset!, decimal(after.fee!), -1);
      filled.set(trace.clientOrderId!, add(filled.get(trace.clientOrderId!) ?? ZERO, decimal(after.quantity!)));
    }
  }
  counts.positions = positions.size;

  const orders: OrderPayload[] = [];
  for (const symbol of parts.symbols) {
    for (let from = '0'; ; ) {
      const page = await patiently(() =>
        rest.request({
          method: 'GET',
          path: '/api/v3/allOrders',
          weight: 20,
          signer,
          parameters: { symbol, orderId: from, limit: 1000 },
          answer: ordersPayload,
        }),
      );
      orders.push(...page);
      if (page.length < 1000) break;
      from = String(BigInt(page.at(-1)!.orderId) + 1n);
    }
  }
  counts.orders = orders.length;
  const executed = orders.filter(({ executedQty }) => !isZero(decimal(executedQty)));
  counts.executed = executed.length;
  expect(new Set(orders.map(({ clientOrderId }) => clientOrderId)).size).toBe(orders.length);
  expect(orders.map(({ clientOrderId }) => clientOrderId).filter(isOfNone(positions))).toEqual([]);
  expect(Object.fromEntries(executed.map((order) => [order.clientOrderId, toText(decimal(order.executedQty))]))).toEqual(
    Object.fromEntries([...filled].map(([id, quantity]) => [id, toText(quantity)])),
  );
  expect(orders.filter(({ status }) => status === 'NEW' || status === 'PARTIALLY_FILLED')).toEqual([]);

  const account = await patiently(() =>
    rest.request({ method: 'GET', path: '/api/v3/account', weight: 20, signer, answer: accountPayload }),
  );
  const balances = new Map(account.balances.map(({ asset, free, locked }) => [asset, add(decimal(free), decimal(locked))]));
  for (const [asset, amount] of held) expect([asset, toText(balances.get(asset) ?? ZERO)]).toEqual([asset, toText(amount)]);
  for (const id of parts.walletIds) {
    const wallet = await get<Wallet>(`/bff/v2/wallets/${id}`);
    expect(walletBalances(wallet)).toBe(true);
    expect(wallet).toMatchObject({ reserved: '0' });
  }
  return counts;
}

/** Asks again where nothing answered in time: after days of market the lists are long, and the machine has other work. */
async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (tries === ASKED_AGAIN || !(error instanceof ExchangeError) || error.kind !== 'unreachable') throw error;
    }
  }
}
const ASKED_AGAIN = 5;

/** More than any position of a test takes. */
const MOST_STEPS = 300;

/** Whether an order id is that of no attempt of these positions. */
function isOfNone(positions: ReadonlySet<string>): (clientOrderId: string) => boolean {
  const hashes = new Set<string>();
  let step = 0;
  return (clientOrderId) => {
    const old = positionIdOfOldOrder(clientOrderId);
    if (old !== undefined) return !positions.has(old);
    const hash = clientOrderId.slice(-12);
    while (!hashes.has(hash) && step < MOST_STEPS) {
      step += 1;
      for (const id of positions) for (let attempt = 0; attempt <= MAX_ATTEMPT; attempt += 1) hashes.add(attemptHash(id, step, attempt));
    }
    return !hashes.has(hash);
  };
}

/** What was sold and bought adds up after every row, and the Exit row says what the Sell rows did. */
function expectWholeStory(rows: readonly StoredTrace[]): void {
  let realised = ZERO;
  for (const { kind, after } of rows) {
    if (kind === 'Sell') realised = add(realised, decimal(String(after.realised)));
    if (kind === 'Exit') expect(toText(decimal(String(after.realised)))).toBe(toText(realised));
  }
}

const grouped = (traces: readonly StoredTrace[]): Map<string, StoredTrace[]> => {
  const groups = new Map<string, StoredTrace[]>();
  for (const trace of traces) {
    const group = groups.get(trace.positionId);
    if (group === undefined) groups.set(trace.positionId, [trace]);
    else group.push(trace);
  }
  return groups;
};
const baseOf = (symbol: string): string => symbol.replace(/USDT$/, '');

/** Waits until bots hold nothing and have nothing in flight. Answers those that still do when the time is over. */
export async function untilFlat(get: Get, ids: readonly string[], patienceMs: number): Promise<string[]> {
  const end = Date.now() + patienceMs;
  let left = [...ids];
  while (Date.now() < end && left.length > 0) {
    const still: string[] = [];
    for (const id of left) if ((await get<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`)).openPositions > 0) still.push(id);
    left = still;
    if (left.length > 0) await new Promise((done) => setTimeout(done, 200));
  }
  return left;
}
