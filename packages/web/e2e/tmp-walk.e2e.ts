import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, ownStage, type Stage, settled } from './stage.ts';

describe.runIf(CHROMIUM)('walk', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await ownStage();
  });
  afterAll(() => stage?.close());
  test.each([1440, 390])('walk %d', async (width) => {
    const user = await stage.server.register({ username: `ada${width}` });
    const context = await stage.context({ ...DESKTOP, width }, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    let n = 0;
    const shot = async (name: string) => {
      await settled(page);
      n += 1;
      await page.screenshot({ path: `/tmp/fd/walk/${width}-${String(n).padStart(2, '0')}-${name}.png` });
    };
    const main = page.getByRole('main');
    const go = async (path: string, name: string) => {
      await page.goto(path);
      await shot(name);
    };
    await go('/', 'home-empty');
    await go('/user/exchange-connect', 'connect');
    await main.getByRole('button', { name: en.exchangeConnection.demo, exact: true }).click();
    await main.getByRole('button', { name: en.exchangeConnection.connect, exact: true }).click();
    await page.getByText(en.exchangeConnection.connected, { exact: true }).first().waitFor();
    await shot('connected');
    await go('/', 'home-connected');
    await go('/positions', 'positions');
    await go('/auto-trade/wallets', 'wallets');
    await main.getByRole('button', { name: en.autoTrades.wallet.open }).first().click();
    await shot('wallet-form');
    await page.getByRole('dialog').getByRole('button', { name: en.autoTrades.wallet.open }).click();
    await main.getByRole('article').first().waitFor();
    await shot('wallet-opened');
    await go('/', 'home-wallet');
    await go('/auto-trade', 'bots-empty');
    await go('/auto-trade/create?preset=cautious', 'create');
    const wallets = await user.call<{ id: string }[]>('/bff/v2/wallets');
    const bot = await user.call<{ autoTrade: { id: string } }>('/bff/v2/auto-trades', {
      body: {
        name: 'Dip', walletId: wallets.body[0]?.id, coins: { symbols: ['BTCUSDT'] },
        entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '0.3', lookbackMin: 120 }, trailing: { reboundPct: '0.1', maxChasePct: '2' }, order: { type: 'Market' } },
        takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] },
        stopLoss: { mode: 'percent', pct: '3' },
      },
    });
    expect(bot.status).toBeLessThan(300);
    await go(`/auto-trade/detail/${bot.body.autoTrade.id}`, 'bot-draft');
    await go('/', 'home-draft');
    await go('/price-alerts', 'alerts');
    await page.getByRole('combobox').or(page.getByRole('textbox')).first().fill('BTC > 200k');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(1500);
    await shot('alert-saved');
    await go('/user/notifications?tab=settings', 'channels');
    await go('/user/telegram-connect', 'telegram');
    await go('/positions/import', 'import');
    await go('/user/security', 'security');
    await go('/user/my-account', 'account');
    await user.call(`/bff/v2/auto-trades/${bot.body.autoTrade.id}/enable`, { body: { acknowledge: false } });
    await go(`/auto-trade/detail/${bot.body.autoTrade.id}`, 'bot-running');
    await go('/', 'home-running');
    await context.close();
  }, 120_000);
});
void (null as unknown as Page);
