import { expect, test } from 'vitest';
import { BOT_ID, botConfig, positionSettings, walletBook } from '../../../testing/auto-trade-fixtures.ts';
import { btcusdt } from '../../../testing/pairs.ts';
import { afterMove, walletBalances } from '../../wallets/wallet-book.ts';
import { createAutoTradeEngine } from '../engine/auto-trade-engine.ts';
import { positionIdFor } from './position-ids.ts';
import { newPosition, type PositionContext } from './position-state.ts';
import { upgradedContext } from './position-upgrade.ts';

/** A context as the first shape stored it: half bought, all that was set aside still counted as reserved. */
function stored(): PositionContext {
  const fresh = newPosition(positionSettings(botConfig()), 1, positionIdFor(BOT_ID, 1, 'BTCUSDT', 1));
  const old: Record<string, unknown> = {
    ...fresh,
    reserved: '1001',
    quantity: '0.5',
    bought: '0.5',
    cost: '500',
    firstBuyPrice: '1000',
    openedAt: 5,
  };
  for (const name of [
    'version',
    'entryReserve',
    'entryQuote',
    'ladder',
    'rebuysDone',
    'lastBuyPrice',
    'lastBuyAt',
    'rebuyLow',
    'rebuyUntil',
    'rebuyRetryAt',
  ])
    delete old[name];
  for (const name of [
    'spent',
    'carriedQuantity',
    'carriedCost',
    'unvalued',
    'lateFees',
    'targetPrice',
    'resident',
    'residentRetryAt',
    'exitFacts',
    'triggerFacts',
    'refused',
  ])
    delete old[name];
  const order = {
    clientOrderId: `${fresh.positionId.replaceAll('-', '')}0010`,
    purpose: 'entry',
    side: 'Buy',
    type: 'Limit',
    quantity: '1',
    price: '1000',
    placedAt: 1,
    deadline: 60_001,
    attempt: 0,
    reprices: 0,
    orderId: '7',
    executed: '0.5',
    tradeIds: ['1'],
    cancelRequested: true,
    level: null,
  };
  return JSON.parse(JSON.stringify({ ...old, order, step: 1 })) as PositionContext;
}

test('what an older version stored goes on, and its reservation comes back whole', () => {
  const upgraded = upgradedContext(stored());
  expect(upgraded).toMatchObject({ version: 2, reserved: '501', spent: '500', ladder: [], resident: null, lastBuyPrice: '1000' });
  expect(upgradedContext(upgraded)).toBe(upgraded);
  const { refused, ...uncounted } = upgraded;
  expect([refused, upgradedContext(uncounted as PositionContext)]).toEqual([null, upgraded]);
  const wallet = walletBook();
  wallet.sums = afterMove(wallet.sums, { kind: 'reserve', amount: '1001' });
  wallet.sums = afterMove(wallet.sums, { kind: 'buy', amount: '500', reserved: '500' });
  const engine = createAutoTradeEngine({
    autoTradeId: BOT_ID,
    runNo: 1,
    mode: 'paper',
    config: botConfig(),
    configVersion: 1,
    pairs: [btcusdt],
    takerFee: '0.001',
    wallet,
    restored: [{ state: 'entryPending', context: stored() }],
    emit: () => {},
  });
  engine.observe('BTCUSDT', 10, 1000, 999.99, 1000.01);
  engine.order({ type: 'ended', clientOrderId: upgraded.order!.clientOrderId, status: 'CANCELED', code: null, at: 11 });
  expect(engine.inspect('BTCUSDT')?.state).toBe('open');
  expect(wallet.sums).toMatchObject({ reserved: '0', invested: '500', free: '9500' });
  expect(walletBalances(wallet.sums)).toBe(true);
});

test('a first price of 0, of a report that said nothing, is the average of what is held, and the stop counts from it', () => {
  const config = botConfig({ stopLoss: { mode: 'percent', pct: '5', basis: 'firstBuy' } });
  const fresh = newPosition(positionSettings(config), 1, positionIdFor(BOT_ID, 1, 'BTCUSDT', 1));
  const held = { ...fresh, quantity: '2', bought: '2', cost: '200', spent: '200', firstBuyPrice: '0', stopPrice: '0' };
  expect(upgradedContext(held)).toMatchObject({ firstBuyPrice: '100', stopPrice: '95' });
  const right = { ...held, firstBuyPrice: '101', stopPrice: '95.95' };
  expect(upgradedContext(right)).toBe(right);
});
