/** @module-tag smoke */
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { add, decimal, multiply, subtract, sum, toText } from '@pilotfish/core/money/decimal';
import { grammarViolation } from '@pilotfish/core/testing/trace-grammar';
import { walletBalances } from '@pilotfish/core/wallets/wallet-book';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { BUYS_AT_ONCE, botStageOfEachTest } from './bot-stage.ts';

// Requests of people and answers of the exchange that cross each other. The market stands still unless it is moved.

const stage = botStageOfEachTest({
  balances: { USDT: '10000', BNB: '10' },
  wallet: '1000',
  config: { entry: { ...BUYS_AT_ONCE.entry, size: { mode: 'fixed', value: '400' } } },
  connected: false,
});
const { connect, settings, create, ask, detail, traces, kinds, walletNow, until, ordersAtExchange, accountAtExchange } = stage;

/** The account holds what the fills of these bots say, to the last digit; the wallet adds up. */
async function expectLedgerEqualsAccount(...bots: AutoTrade[]): Promise<void> {
  const assets = new Map([
    ['USDT', decimal('10000')],
    ['BNB', decimal('10')],
  ]);
  const move = (asset: string, amount: ReturnType<typeof decimal>, sign: typeof add) =>
    assets.set(asset, sign(assets.get(asset) ?? decimal('0'), amount));
  for (const bot of bots) {
    const rows = await traces(bot);
    for (const id of new Set(rows.map((row) => row.positionId)))
      expect(
        grammarViolation(
          rows.filter((row) => row.positionId === id),
          false,
        ),
      ).toBeUndefined();
    for (const { kind, after } of rows) {
      if (kind !== 'Buy' && kind !== 'Sell') continue;
      const { quantity, quoteQuantity, fee, feeAsset } = after as Record<string, string>;
      move('BTC', decimal(quantity!), kind === 'Buy' ? add : subtract);
      move('USDT', decimal(quoteQuantity!), kind === 'Buy' ? subtract : add);
      move(feeAsset!, decimal(fee!), subtract);
    }
  }
  const { balances } = await accountAtExchange();
  for (const [asset, amount] of assets) {
    const held = balances.find((balance) => balance.asset === asset);
    expect([asset, toText(held ? add(decimal(held.free), decimal(held.locked)) : decimal('0'))]).toEqual([asset, toText(amount)]);
  }
  const after = await walletNow();
  expect(walletBalances(after)).toBe(true);
}

const slowAnswer = (delayMs: number) => stage.simulator.faults.next({ method: 'POST', path: '/api/v3/order', times: 1, delayMs });

describe('people in a hurry', () => {
  beforeEach(() => connect());

  test('enabled five times at once, a bot enters once', async () => {
    const bot = await create();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => ask(bot, 'enable')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    expect(await ordersAtExchange()).toHaveLength(1);
    await expectLedgerEqualsAccount(bot);
  });

  test('a kill switch that falls while a bot is being enabled wins', async () => {
    const bot = await create();
    stage.simulator.faults.next({ method: 'GET', path: '/api/v3/ticker/24hr', times: 1, delayMs: 800 });
    const letGo = stage.time.hold();
    const enabling = ask(bot, 'enable');
    await stage.time.advance(200);
    const halted = await stage.user.call('/bff/v2/auto-trades/halt', { body: { scope: 'all', reason: 'now' } });
    expect(halted.body).toEqual({ halted: 1, liquidating: 0 });
    letGo();
    expect((await enabling).status).toBe(409);
    expect((await detail(bot)).state).toBe('Halted');
    await stage.pass(20_000);
    expect(await ordersAtExchange()).toHaveLength(0);
    await stage.server.restart();
    expect((await detail(bot)).state).toBe('Halted');
  });

  test('disabled while its entry is on the way, it enters no more and counts what was bought', async () => {
    const bot = await create();
    slowAnswer(600);
    await ask(bot, 'enable');
    await until('the entry', async () => (await kinds(bot)).includes('Entry'));
    await ask(bot, 'disable');
    await until('the order being known', async () => (await kinds(bot)).length > 1);
    await stage.pass(5000);
    await until('nothing being in flight', async () => (await walletNow()).reserved === '0');
    expect((await ordersAtExchange()).length).toBeLessThanOrEqual(1);
    await expectLedgerEqualsAccount(bot);
  });

  test('settings saved while an order is on the way lose no fill', async () => {
    const bot = await create();
    slowAnswer(600);
    await ask(bot, 'enable');
    await until('the entry', async () => (await kinds(bot)).includes('Entry'));
    const saved = await stage.user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'PUT', body: settings({ maxOpenPositions: 2 }) });
    expect(saved.status).toBe(200);
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    expect(await ordersAtExchange()).toHaveLength(1);
    expect((await detail(bot)).positions[0]).toMatchObject({ state: 'Open' });
    await expectLedgerEqualsAccount(bot);
  });

  test('deleted while its entry is on the way, it is refused or leaves nothing behind', async () => {
    const bot = await create();
    // The order must still be on its way when the first attempt comes.
    slowAnswer(2000);
    await ask(bot, 'enable');
    await until('the entry', async () => (await kinds(bot)).includes('Entry'));
    const deleted = await stage.user.call<{ code: string }>(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' });
    expect([deleted.status, deleted.body.code]).toEqual([409, 'order-in-flight']);
    await until('the buy', async () => (await kinds(bot)).includes('Buy'));
    const again = await stage.user.call<{ code: string }>(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' });
    expect([again.status, again.body.code]).toEqual([409, 'has-open-positions']);
    const detached = await stage.user.call(`/bff/v2/auto-trades/${bot.id}?detach=true`, { method: 'DELETE' });
    expect(detached.status).toBeLessThan(300);
    expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
  });

  test('two withdrawals at once take no more than there is', async () => {
    const take = () => stage.user.call(`/bff/v2/wallets/${stage.wallet.id}/add-balance`, { body: { amount: '-600' } });
    const answers = await Promise.all([take(), take(), take()]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await walletNow()).toMatchObject({ free: '400', withdrawals: '600' });
    await stage.server.restart();
    expect(await walletNow()).toMatchObject({ free: '400', withdrawals: '600' });
  });
});

describe('standing still', () => {
  beforeEach(() => connect());

  test('a new run begins with nothing of the last one, and enters under ids of its own', async () => {
    const bot = await create();
    await ask(bot, 'enable');
    await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
    await ask(bot, 'disable', { exits: 'freeze' });
    const refused = await ask(bot, 'reset');
    expect([refused.status, (refused.body as unknown as { code: string }).code]).toEqual([409, 'has-open-positions']);
    const reset = await ask(bot, 'reset', { detach: true });
    expect(reset.body).toMatchObject({ state: 'Disabled', runNo: 2, openPositions: 0 });
    expect(await walletNow()).toMatchObject({ reserved: '0', invested: '0' });
    await ask(bot, 'enable');
    const bought = async () => new Set((await traces(bot)).flatMap(({ kind, positionId }) => (kind === 'Buy' ? [positionId] : [])));
    await until('the second buy', async () => (await bought()).size === 2);
    expect(new Set((await ordersAtExchange()).map(({ clientOrderId }) => clientOrderId)).size).toBe(2);
    await expectLedgerEqualsAccount(bot);
  });

  test('a bot whose exchange is away can be disabled, and stays so when it is back', async () => {
    const bot = await create();
    await ask(bot, 'enable');
    await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
    stage.simulator.faults.next({ method: 'GET', path: '/api/v3/exchangeInfo', times: 1000, status: 503 });
    await stage.server.restart();
    const disabled = await ask(bot, 'disable');
    expect([disabled.status, disabled.body.state]).toEqual([200, 'Disabled']);
    stage.simulator.faults.clear();
    await until('the bot being back for its exits', async () => (await detail(bot)).evaluations.length > 0, 0);
    expect(await detail(bot)).toMatchObject({ state: 'Disabled', openPositions: 1 });
    await stage.pass(5000);
    expect(await ordersAtExchange()).toHaveLength(1);
  });
});

describe('budgets', () => {
  test('two additions at once promise no more than the account holds', async () => {
    await connect();
    const promise = () => stage.user.call(`/bff/v2/wallets/${stage.wallet.id}/add-balance`, { body: { amount: '6000' } });
    const open = (name: string) => stage.user.call('/bff/v2/wallets', { body: { name, mode: 'live', initialBalance: '6000' } });
    const answers = await Promise.all([promise(), open('Second'), promise(), open('Third')]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    const all = (await stage.user.call<Wallet[]>('/bff/v2/wallets')).body;
    expect(toText(sum(all.map(({ free }) => decimal(free))))).toBe('7000');
  });
});

describe('shared and third', () => {
  test('two bots on one wallet and one symbol spend it once', async () => {
    await connect();
    const one = await create();
    const other = await create({ name: 'Other' });
    const third = await create({ name: 'Third' });
    await Promise.all([one, other, third].map((bot) => ask(bot, 'enable')));
    await until('two of three having bought', async () => {
      const all = await Promise.all([one, other, third].map(kinds));
      return all.filter((each) => each.includes('Buy')).length === 2;
    });
    await stage.pass(10_000);
    expect(await ordersAtExchange()).toHaveLength(2);
    const after = await walletNow();
    expect(Number(after.free)).toBeGreaterThanOrEqual(0);
    await expectLedgerEqualsAccount(one, other, third);
  });

  test('a fee in BNB is part of the cost, at its worth', async () => {
    await connect(true);
    const bot = await create();
    await ask(bot, 'enable');
    await until('the position being open', async () => (await detail(bot)).positions[0]?.state === 'Open');
    const buys = (await traces(bot)).filter(({ kind }) => kind === 'Buy');
    expect(buys.length).toBeGreaterThan(0);
    for (const { after } of buys) {
      expect(after.feeAsset).toBe('BNB');
      // 0.1 % less a quarter, valued at the rate of the moment: the two pairs may stand a little apart.
      const part = Number(after.feeInQuote) / Number(after.quoteQuantity);
      expect(part).toBeGreaterThan(0.000_7);
      expect(part).toBeLessThan(0.000_8);
    }
    const cost = sum(buys.flatMap(({ after }) => [decimal(String(after.quoteQuantity)), decimal(String(after.feeInQuote))]));
    expect((await walletNow()).invested).toBe(toText(cost));
    const last = buys.at(-1)!.after;
    const value = multiply(decimal(String(last.averageCost)), decimal(String(last.position)));
    expect(Number(toText(value))).toBeCloseTo(Number(toText(cost)), 12);
    await expectLedgerEqualsAccount(bot);
  });
});
