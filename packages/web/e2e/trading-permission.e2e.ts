import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import { firstOf } from '@pilotfish/core/testing/tiers';
import { until } from '@pilotfish/core/testing/until';
import { realTimers } from '@pilotfish/core/time/timers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import { openExchange } from '@pilotfish/server/exchange/exchange';
import { signerFor } from '@pilotfish/server/exchange/signing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// Keys that may not trade: what trades live is there, disabled, and says why; it follows without a reload when the
// server learns of a change.

const PICTURES = process.env.PILOTFISH_SCREENS;

describe.runIf(CHROMIUM)('keys that may not trade', () => {
  let stage: Stage;
  let user: SignedInUser;
  let keys: { apiKey: string; apiSecret: string };
  let holding: AutoTrade;

  const mayTrade = (may: boolean) => stage.simulator.restrict(keys.apiKey, { enableSpotAndMarginTrading: may });
  /** As the page of the connection does when it is opened. */
  const lookAtKeys = () => user.call('/gateway/v2/account/connect/binance');
  const create = async (name: string, walletId: string, trigger: object) =>
    (
      await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: {
          name,
          walletId,
          coins: { symbols: ['BTCUSDT'] },
          entry: {
            size: { mode: 'fixed', value: '100' },
            trigger,
            trailing: { enabled: false },
            order: { type: 'Market' },
            maxSpreadPct: '5',
          },
          stopLoss: { mode: 'none' },
        },
      })
    ).body.autoTrade;

  beforeAll(async () => {
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    stage = await sharedStage();
    user = await stage.server.register();
    keys = await stage.simulator.createAccount({ balances: { USDT: '10000' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
    const wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Real', mode: 'live', initialBalance: '1000' } })).body;
    holding = await create('Holding', wallet.id, { kind: 'immediate' });
    await create('Idle', wallet.id, { kind: 'manual' });
    expect((await user.call(`/bff/v2/auto-trades/${holding.id}/enable`, { body: {} })).status).toBe(200);
    const { origin: rest, wsOrigin } = stage.simulator;
    const venue = openExchange({
      timers: realTimers,
      origins: { rest, stream: wsOrigin, api: wsOrigin } as never,
      now: stage.server.now,
      random: () => 0.5,
    });
    await venue.placeOrder(
      signerFor(keys.apiKey, keys.apiSecret),
      { symbol: 'ETHUSDT', side: 'BUY', type: 'LIMIT', timeInForce: 'GTC', price: '2000', quantity: '0.1' },
      { urgent: true, beforeSigning: () => undefined },
    );
    await venue.close();
    await until(
      'an open position',
      async () =>
        (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${holding.id}/detail`)).body.positions.some(({ state }) => state === 'Open'),
      { meanwhile: () => stage.simulator.clock.advance(1000) },
    );
  });
  beforeEach(async () => {
    await mayTrade(true);
    await lookAtKeys();
  });
  afterAll(() => stage?.close());

  const open = async (path: string, look: Look = DESKTOP) => {
    const context = await stage.context(look, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(path);
    await settled(page);
    return { context, page, found };
  };
  const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
  /** What a reader hears of why it is disabled. */
  const why = (control: Locator) =>
    control.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent ?? '');
  const picture = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `trading-${name}.png`), fullPage: true });
  };
  const untilEnabled = (control: Locator, is: boolean) => until(`the control to be ${is}`, async () => (await control.isEnabled()) === is);

  test('selling a position is disabled with its reason while the page is open, and possible again', async () => {
    const { context, page, found } = await open(`/auto-trade/detail/${holding.id}`);
    const sell = button(page, en.autoTrades.byHand.action.sell);
    await untilEnabled(sell, true);
    await mayTrade(false);
    await lookAtKeys();
    await untilEnabled(sell, false);
    expect(await why(sell)).toContain(en.errors['trading-disabled'].detail);
    await page.getByText(en.botReasons['trading-disabled']).waitFor();
    await picture(page, 'position');
    // The way out is one tap away; the page of the connection has the server ask the exchange.
    await mayTrade(true);
    await page.getByRole('main').getByRole('link', { name: en.routes.exchangeConnect }).first().click();
    await page
      .getByRole('heading', { name: en.exchangeConnection.fineTitle })
      .or(page.getByText('Binance', { exact: true }))
      .first()
      .waitFor();
    await page.goBack();
    await untilEnabled(sell, true);
    expect(found).toEqual([]);
    await context.close();
  });

  test.each(
    firstOf(1, [
      [DESKTOP, en],
      [{ width: 390, theme: 'light', language: 'tr' } as const, tr],
    ] as const),
  )('bots, orders and wallets at %o', async (look, texts) => {
    await mayTrade(false);
    await lookAtKeys();
    const reason = texts.errors['trading-disabled'].detail;
    const { context, page, found } = await open('/auto-trade', look);
    await button(page, texts.autoTrades.list.menuOf.replace('{{name}}', 'Idle')).click();
    const enable = page.getByRole('main').getByRole('menuitem', {
      name: texts.autoTrades.actionOf.replace('{{action}}', texts.autoTrades.action.enable).replace('{{name}}', 'Idle'),
    });
    expect([await enable.isEnabled(), await why(enable)]).toEqual([false, expect.stringContaining(reason)]);
    await picture(page, `bots-${look.width}`);

    await page.goto('/positions/orders');
    await settled(page);
    const cancel = page.getByRole('main').getByRole('button', { name: /ETH/ });
    expect([await cancel.isEnabled(), await why(cancel)]).toEqual([false, expect.stringContaining(reason)]);
    await picture(page, `orders-${look.width}`);

    await page.goto('/auto-trade/wallets');
    await settled(page);
    await button(page, texts.autoTrades.wallet.open).first().click();
    const live = page.locator('dialog[open] input[type=radio]').nth(1);
    expect([await live.isEnabled(), await why(live)]).toEqual([false, expect.stringContaining(reason)]);
    await expect.poll(() => page.locator('dialog[open] input[type=radio]').first().isEnabled()).toBe(true);
    await picture(page, `wallet-${look.width}`);
    expect(found).toEqual([]);
    await context.close();
  });
});
