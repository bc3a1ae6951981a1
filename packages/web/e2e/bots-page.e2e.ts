import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, openStage, type Stage, settled } from './stage.ts';

// The page of all bots asks the same few things however many bots there are.

const BOTS = 12;

describe.runIf(CHROMIUM)('the page of all bots', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage?.close());

  test('every card says what its bot waits for, and none asks for itself', async () => {
    const user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '9000' } });
    const ids: string[] = [];
    for (let number = 1; number <= BOTS; number += 1) {
      const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: {
          name: `Bot ${number}`,
          walletId: wallet.id,
          coins: { symbols: ['BTCUSDT'] },
          // Far below anything that comes: it watches.
          entry: { size: { mode: 'fixed', value: '200' }, trigger: { kind: 'drop', dropPct: '40', lookbackMin: 240 } },
          takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
          stopLoss: { mode: 'none' },
        },
      });
      ids.push(body.autoTrade.id);
      await user.call(`/bff/v2/auto-trades/${body.autoTrade.id}/enable`, { method: 'POST', body: {} });
    }
    const glances = async () =>
      (await user.call<{ id: string; next: { symbol: string } | null }[]>('/bff/v2/auto-trades/glances')).body.filter(({ next }) => next);
    await expect.poll(async () => (await glances()).map(({ id }) => id).sort(), { timeout: 60_000 }).toEqual([...ids].sort());

    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:bff|gateway)\//.test(pathname)) asked.push(pathname);
    });
    await page.goto('/auto-trade');
    await settled(page);
    const waiting = page.getByRole('main').getByRole('listitem').filter({ hasText: 'BTCUSDT:' });
    await expect.poll(() => waiting.count(), { timeout: 15_000 }).toBe(BOTS);
    expect(asked.filter((path) => ids.some((id) => path.includes(id)))).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/auto-trades/glances')).length).toBeLessThanOrEqual(3);
    await context.close();
  });
});
