/** @module-tag smoke */
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { digits } from '@pilotfish/core/money/figure';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { until } from '@pilotfish/core/testing/until';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Pipe } from './pipe.ts';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// The chat's words as commands, over a bot that holds something on a simulated exchange.

let simulator: Stage['simulator'];
let server: Stage['server'];
let telegram: Stage['telegram'];
let account: Account;
let user: SignedInUser;
let pipe: Pipe;

beforeAll(async () => {
  ({ simulator, server, telegram } = await openStage());
  account = await openAccount();
  ({ user, pipe } = account);
});
afterAll(() => account?.close());

/** Moves the market until it is so. */
const untilMoved = <Value>(what: string, look: () => Promise<Value | undefined | false>) =>
  until(what, look, { meanwhile: () => simulator.clock.advance(1_000) });
const bots = async () => (await user.call<AutoTrade[]>('/bff/v2/auto-trades')).body;

test('before there is anything', async () => {
  expect(await pipe.json(['status'])).toEqual({ botsByState: {}, openPositions: 0, realisedToday: [], trouble: [] });
  expect(await pipe.json(['pnl'])).toEqual([]);
  expect(await pipe.json(['balance'])).toMatchObject({ account: null, wallets: [] });
  expect(await pipe.json(['overview'])).toMatchObject({ equity: null, needs: { items: [] }, next: { items: [] }, activity: { items: [] } });
  expect(await pipe.json(['performance'])).toMatchObject({ mode: 'live', exits: 0, net: '0' });
  expect((await pipe.run(['pnl', 'century'])).exit).toBe(2);
  expect(await pipe.run(['sell', 'BTC', '--yes'])).toMatchObject({ exit: 7, stdout: '' });
  expect((await pipe.run(['snooze'])).exit).toBe(7);
  expect((await pipe.run(['mute'])).exit).not.toBe(0);
  expect((await pipe.run(['status'], { env: { PILOTFISH_TOKEN: '' } })).exit).toBe(4);
});

test('a position is sold after a question, and what it made is told', async () => {
  const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
  const made = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
    body: {
      name: 'Dip',
      walletId: wallet.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '100' },
        trigger: { kind: 'immediate' },
        trailing: { enabled: false },
        order: { type: 'Market' },
        maxSpreadPct: '5',
      },
      takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
      stopLoss: { mode: 'none' },
    },
  });
  const { id } = made.body.autoTrade;
  await user.call(`/bff/v2/auto-trades/${id}/enable`, { method: 'POST', body: {} });
  await untilMoved('the purchase', async () => (await bots())[0]?.openPositions === 1);
  await user.call(`/bff/v2/auto-trades/${id}/disable`, { method: 'POST', body: { exits: 'continue' } });
  expect(await pipe.json(['status'])).toMatchObject({ botsByState: { Disabled: 1 }, openPositions: 1 });
  expect(await pipe.json(['balance'])).toMatchObject({ wallets: [{ name: 'Main' }] });
  expect((await pipe.run(['sell', 'btc'])).exit).toBe(2);
  const asked = account.open(['sell', 'btc'], { columns: 120 });
  await asked.see(/Dip sells all its BTCUSDT[\s\S]*a result of[\s\S]*Sell\?/);
  asked.type('n\r');
  expect((await asked.ended()).exitCode).not.toBe(0);
  expect((await bots())[0]?.openPositions).toBe(1);
  expect((await pipe.run(['sell', 'btc', '--yes'])).exit).toBe(0);
  await untilMoved('the sale', async () => (await bots())[0]?.openPositions === 0);
  const [result] = await until('the result', async () => {
    const rows = await pipe.json<{ source: string; amount: string; currency: string }[]>(['pnl', 'week']);
    return rows.length > 0 && rows;
  });
  expect(result).toMatchObject({ source: 'paperBots', currency: 'USDT', amount: (await bots())[0]!.realised });
  expect((await pipe.run(['pnl', 'gün', '--lang', 'tr'])).stdout).toContain('USDT');
  const earned = await pipe.run(['performance', '--mode', 'paper', '--bot', 'dip', '--csv', '--fields', 'kind,name,exits,net']);
  expect(earned.stdout.split('\r\n')).toContain(`reason,by hand,1,${digits((await bots())[0]!.realised)}`);
});

test('a coin is paused, everything is stopped: only when it is meant', async () => {
  expect((await pipe.run(['pause', 'ETH', '30'])).exit).toBe(2);
  expect((await pipe.run(['pause', 'ETH', 'soon', '--yes'])).exit).toBe(2);
  expect((await pipe.run(['pause', 'NOSUCHCOIN', '30', '--yes'])).exit).toBe(7);
  expect(await pipe.run(['pause', 'ETH', '30', '--yes'])).toMatchObject({ exit: 0, stderr: expect.stringContaining('ETHUSDT') });
  expect((await pipe.json<{ symbol: string; until: string }[]>(['bots', 'halts'])).map(({ symbol }) => symbol)).toEqual(['ETHUSDT']);
  expect((await pipe.run(['stopall'])).exit).toBe(2);
  expect((await bots())[0]?.state).toBe('Disabled');
  expect((await pipe.run(['stopall', '--yes'])).exit).toBe(0);
  expect((await bots())[0]?.state).toBe('Halted');
  expect(await pipe.json(['status'])).toMatchObject({ trouble: [{ name: 'Dip', state: 'Halted' }] });
});

test('the alert that fired last rests; the chat is silent, and speaks again', async () => {
  const body = { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' }, fireIfTrue: true };
  const { id } = (await user.call<PriceAlert>('/bff/v2/price-alerts', { body })).body;
  await untilMoved('the firing', async () => (await pipe.json<unknown[]>(['alerts', 'history'])).length === 1);
  expect((await pipe.json<PriceAlert>(['snooze'])).id).toBe(id);
  expect((await pipe.json<PriceAlert>(['snooze', 'BTCUSDT', 'off'])).snoozedUntil).toBeNull();
  const { link } = (await user.call<{ link: string }>('/gateway/v2/account/connect/telegram')).body;
  const chat = telegram.chat(7);
  const met = await chat.say(`/start ${new URL(link).searchParams.get('start') ?? ''}`);
  const code = /telegram-connect\?code=([\w-]+)/.exec(met.text)?.[1] ?? '';
  expect((await pipe.run(['telegram', 'connect', code])).exit).toBe(0);
  const mutedUntil = async () => (await pipe.json<{ mutedUntil: string | null }>(['telegram', 'status'])).mutedUntil;
  expect((await pipe.run(['mute', '2h'])).exit).toBe(0);
  expect(Date.parse((await mutedUntil()) ?? '') - server.now()).toBeGreaterThan(119 * 60_000);
  expect((await pipe.run(['mute', 'soon'])).exit).toBe(2);
  expect((await pipe.run(['mute', 'off'])).exit).toBe(0);
  expect(await mutedUntil()).toBeNull();
});
