/** @module-tag smoke */
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Session } from '@pilotfish/core/auth/auth-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { totpCode } from '@pilotfish/server/auth/totp';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, ownStage, type Stage, settled } from './stage.ts';

// A newcomer's first hour, clicked: register with an authenticator, connect a demo account, open a wallet, create a
// bot over recorded candles, watch it buy, see its protected cost rise and sell, sign out and in again.

const recorded = resolve(import.meta.dirname, '../../../../shared/data/klines');
const candles = existsSync(recorded) ? readdirSync(recorded).find((name) => name.startsWith('BTCUSDT-1m')) : undefined;
if (!candles) console.warn('No recorded candles beside the project: the story is told on the seeded market.');

/** How far the market goes between two looks, ms: less than an order of the bot waits for. */
const STEP_MS = 20_000;

const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true });

describe.runIf(CHROMIUM)('the first hour', () => {
  let folder: string;
  let stage: Stage;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pilotfish-story-'));
    if (candles) symlinkSync(join(recorded, candles), join(folder, candles));
    stage = await ownStage(candles ? { market: { kind: 'replay', folder } } : {});
  });
  afterAll(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('from registration to a finished trade', async () => {
    const context = await stage.context();
    const page = await context.newPage();
    const found = complaints(page);

    await page.goto('/auth/register');
    await page.getByLabel(en.auth.username, { exact: true }).fill('ada');
    await page.getByLabel(en.auth.email, { exact: true }).fill('ada@example.com');
    await page.getByLabel(en.auth.password, { exact: true }).fill('deep water and old wood');
    await page.getByRole('button', { name: en.auth.createAccount, exact: true }).click();
    await page.getByRole('heading', { name: en.auth.enrolTitle }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/auth/confirm-2fa');
    // The secret is read where a person would copy it from.
    const secret = ((await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{1,4})+$/).textContent()) ?? '').replaceAll(' ', '');
    expect(secret.length).toBeGreaterThanOrEqual(16);
    expect(await axeViolations(page)).toEqual([]);
    const type = async (code: string) => {
      await page.locator('input[inputmode=numeric]').first().focus();
      await page.keyboard.type(code);
    };
    await type('000000');
    await page.getByText(en.errors['wrong-code'].title).or(page.getByText(en.errors['wrong-code'].detail)).first().waitFor();
    await type(totpCode(secret, stage.server.now()));
    await page
      .getByText(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/)
      .nth(9)
      .waitFor();
    await expect.poll(() => page.getByText(/^[A-Za-z0-9]{5}-[A-Za-z0-9]{5}$/).count()).toBe(10);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel(en.auth.recovery.kept).check();
    await page.getByRole('button', { name: en.auth.recovery.continue, exact: true }).click();
    await page.waitForURL(`${stage.server.url}/`, { waitUntil: 'commit' });

    await page.goto('/user/exchange-connect');
    await button(page, en.exchangeConnection.demo).click();
    await button(page, en.exchangeConnection.connect).click();
    await page.getByText(en.exchangeConnection.connected, { exact: true }).first().waitFor();

    const session = await page.evaluate(() => JSON.parse(localStorage.getItem('user_jwt') ?? 'null') as Session);
    const call = async (path: string, body?: unknown) =>
      stage.server.call<Record<string, never>>(path, { token: session.accessToken, ...(body === undefined ? {} : { body }) });
    const wallet = await call('/bff/v2/wallets', { name: 'Main', mode: 'live', initialBalance: '5000' });
    const bot = await call('/bff/v2/auto-trades', {
      name: 'Dip',
      walletId: wallet.body.id,
      coins: { symbols: ['BTCUSDT'] },
      entry: {
        size: { mode: 'fixed', value: '1000' },
        trigger: { kind: 'drop', dropPct: '0.3', lookbackMin: 120 },
        trailing: { reboundPct: '0.1', maxChasePct: '2' },
        order: { type: 'Market' },
      },
      takeProfit: { levels: [{ gainPct: '3', sellPct: '100' }] },
      trailingCost: { enabled: true, armGainPct: '0.4', distancePct: '0.2', stepPct: '0.02' },
      stopLoss: { mode: 'percent', pct: '3' },
    });
    const { id } = (bot.body as unknown as { autoTrade: { id: string } }).autoTrade;

    await page.goto(`/auto-trade/detail/${id}`);
    await settled(page);
    await button(page, en.autoTrades.action.enable).click();
    await page
      .getByRole('dialog')
      .or(page.getByRole('alertdialog'))
      .getByRole('button', { name: en.autoTrades.action.enable, exact: true })
      .click();
    await page.getByText(en.botStates.Running, { exact: true }).first().waitFor();
    await page.goto(`/auto-trade/detail/${id}?tab=story`);
    // Live: nobody reloads while the bot buys, protects and sells. The market goes on by steps, each after the page was
    // looked at: a slow machine takes longer and sees the same market.
    for (const kind of ['Entry', 'Buy', 'CostMovedUp', 'Sell', 'Exit'] as const) {
      const line = page.getByRole('main').getByText(en.traceKinds[kind], { exact: true }).first();
      while (!(await line.isVisible())) await stage.simulator.clock.advance(STEP_MS);
    }
    expect(await axeViolations(page)).toEqual([]);
    expect(found).toEqual([]);
    await context.close();
  });
});
