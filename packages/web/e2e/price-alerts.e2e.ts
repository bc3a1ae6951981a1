import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { ALERT_KINDS, type AlertKind } from '@pilotfish/core/price-alerts/alert-kinds';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'light', language: 'tr' };
const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 0, 5);
const QUIET = 60;
/** Flat at 100,000 and, ten minutes in, up to 103,000 where it stays. */
const PATH = Array.from({ length: 900 }, (_, minute) => 100_000 + Math.max(0, Math.min(3000, (minute - QUIET - 10) * 100)));

describe.runIf(CHROMIUM)('price alerts in the browser', () => {
  let folder: string;
  let stage: Stage;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pilotfish-web-alerts-'));
    const lines = PATH.map((price, n) => {
      const open = PATH[n - 1] ?? price;
      const at = BEGIN + n * MINUTE;
      return [
        at,
        open,
        Math.max(open, price),
        Math.min(open, price),
        price,
        50,
        at + MINUTE - 1,
        50 * price,
        100,
        25,
        25 * price,
        0,
      ].join();
    });
    writeFileSync(join(folder, 'BTCUSDT-1m-path.csv'), `${lines.join('\n')}\n`);
    stage = await ownStage({ market: { kind: 'replay', folder, start: BEGIN + QUIET * MINUTE }, paused: true });
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await stage?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (path: string, user: SignedInUser, look: Look = DESKTOP): Promise<Page> => {
    const session = await stage.server.signIn(user);
    user.session = session;
    const page = await (await stage.context(look, { ...user, session })).newPage();
    await page.goto(path);
    await settled(page);
    return page;
  };
  const look = async (page: Page, name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };
  /** Read beside the page, whose session is rotated under it. */
  const rows = async (user: SignedInUser) => {
    const account = await stage.server.context.database.queries
      .selectFrom('accounts')
      .select('id')
      .where('username', '=', user.username)
      .executeTakeFirstOrThrow();
    const found = await stage.server.context.database.queries
      .selectFrom('price_alerts')
      .selectAll()
      .where('account_id', '=', account.id)
      .execute();
    return found as unknown as Record<string, unknown>[];
  };

  test('a line is understood while it is typed, its errors are fixed by a press, and it fires live', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const page = await open('/price-alerts', user);
    const found = complaints(page);
    const line = page.getByLabel('New alert', { exact: true }).and(page.locator('input'));
    await line.fill('BTC grows 102k');
    await page.getByText('grows is not understood.').waitFor();
    await line.fill('BTC >');
    const create = page.getByRole('button', { name: 'Create alert' });
    await expect.poll(() => create.isDisabled()).toBe(true);
    await look(page, 'alerts-error');
    await page.getByRole('group', { name: 'Suggestions' }).getByRole('button').first().click();
    await expect.poll(() => line.inputValue()).toBe('BTC > 70k');
    // Passed long ago: said before it is saved.
    await page.getByText(/^Already true at \d+,\d+\.\d\d: it fires the next time it becomes true\.$/).waitFor();
    await look(page, 'alerts-already-true');
    await line.fill('BTC > 102k # sell some');
    await page.getByText('Alert: BTCUSDT is above 102,000').waitFor();
    await line.press('Enter');
    const row = page.getByRole('listitem', { name: 'BTCUSDT is above 102,000' });
    await row.waitFor();
    await row.getByText('Armed').waitFor();
    // The row may come by the stream before the answer to what was typed.
    await expect.poll(() => row.textContent()).toContain('↑ 2.00%');
    await expect.poll(() => line.inputValue()).toBe('');
    await look(page, 'alerts-armed');
    await expect
      .poll(async () => {
        await stage.simulator.clock.advance(MINUTE);
        return page.getByText('Alert: BTCUSDT is above 102,000').count();
      })
      .toBeGreaterThan(0);
    await row.getByText('Fired', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).waitFor();
    await look(page, 'alerts-fired');
    await page.getByRole('button', { name: 'History', exact: true }).click();
    await page.waitForURL('**tab=history**');
    // The alert's own row stands there until the history has come.
    const firing = page.getByRole('listitem').filter({ hasText: 'BTCUSDT is above 102,000' }).filter({ hasText: 'Sent' });
    await firing.waitFor();
    await expect.poll(() => firing.textContent()).toContain('sell some');
    await look(page, 'alerts-history');
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('the form makes every kind that there is', async () => {
    const user = await stage.server.register();
    const filter = await user.call<{ id: string }>('/bff/v2/coin-filters', { body: { name: 'Liquid', minAgeDays: 0, maxSpreadPct: '5' } });
    expect(filter.status).toBeLessThan(300);
    const page = await open('/price-alerts', user);
    const found = complaints(page);
    const kinds = Object.keys(ALERT_KINDS) as AlertKind[];
    for (const [done, kind] of kinds.entries()) {
      await page.getByRole('button', { name: 'All settings' }).click();
      await page.getByLabel('When', { exact: true }).selectOption(kind);
      const { subject, parameters } = ALERT_KINDS[kind] as { subject: string; parameters: Record<string, { type: string }> };
      if (subject === 'symbol' || subject === 'position') await page.getByLabel('Pair', { exact: true }).fill('BTCUSDT');
      if (subject === 'coinFilter') await page.getByLabel('Coin filter', { exact: true }).selectOption({ label: 'Liquid' });
      for (const [name, { type }] of Object.entries(parameters)) {
        if (type === 'choice') continue;
        await page
          .locator(`input[name=${name}]`)
          .fill(name === 'upper' ? '200000' : name === 'slowPeriod' || name === 'slow' ? '30' : name === 'deviations' ? '2' : '20');
      }
      if (done === 0) await look(page, 'alerts-form');
      await page.getByRole('button', { name: 'Create alert' }).last().click();
      // The form closes once the server has it.
      await page.getByRole('button', { name: 'All settings' }).waitFor();
      await expect.poll(async () => (await rows(user)).length).toBe(done + 1);
    }
    await page.getByRole('heading', { name: 'Bots' }).waitFor();
    await page.getByRole('heading', { name: 'All pairs' }).waitFor();
    await look(page, 'alerts-every-kind');
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('a missing field is told at its place, and both views are one draft', async () => {
    const user = await stage.server.register();
    const page = await open('/price-alerts?alert=BTC%20%3E%20150k', user);
    await page.getByText('Alert: BTCUSDT is above 150,000').waitFor();
    await page.getByRole('button', { name: 'All settings' }).click();
    await expect.poll(() => page.getByLabel('Price', { exact: true }).first().inputValue()).toBe('150000');
    await page.getByLabel('Price', { exact: true }).first().fill('160000');
    const line = page.getByLabel('New alert', { exact: true }).and(page.locator('input'));
    await expect.poll(() => line.inputValue()).toBe('BTCUSDT > 160000');
    await page.getByLabel('Price', { exact: true }).first().fill('');
    await page.getByRole('button', { name: 'Create alert' }).last().click();
    await page.getByText(en.validation.required).first().waitFor();
    expect(await rows(user)).toHaveLength(0);
    await line.fill('BTC < 50k');
    await expect.poll(() => page.getByLabel('When', { exact: true }).inputValue()).toBe('below');
    await page.getByRole('switch', { name: 'Quiet hours' }).check();
    await page.getByLabel('Repeat').selectOption('every');
    await look(page, 'alerts-form-quiet');
    await page.getByRole('button', { name: 'Create alert' }).last().click();
    await page.getByRole('listitem', { name: 'BTCUSDT is below 50,000' }).getByText('with quiet hours').waitFor();
    await page.context().close();
  });

  test('on a phone, in Turkish: rests, wakes, is switched off and on, edited and deleted', async () => {
    const user = await stage.server.register();
    const made = await user.call<PriceAlert>('/bff/v2/price-alerts', {
      body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '150000' }, note: 'yüksek' },
    });
    expect(made.status).toBe(201);
    const page = await open('/price-alerts', user, PHONE);
    const found = complaints(page);
    const row = page.getByRole('list').getByRole('listitem').filter({ hasText: '150,000' });
    await row.waitFor();
    await look(page, 'alerts-phone');
    await row.getByRole('button', { name: 'Ertele' }).click();
    await look(page, 'alerts-snooze-phone');
    await page.getByRole('dialog').getByRole('button', { name: '8 saat' }).click();
    await row.getByText('Ertelendi').waitFor();
    await row.getByRole('button', { name: 'Ertelemeyi bitir' }).click();
    await row.getByText('Kurulu').waitFor();
    await row.getByRole('button', { name: 'Kapat' }).click();
    await row.getByText('Kapalı', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Aç', exact: true }).click();
    await row.getByText('Kurulu').waitFor();
    await row.getByRole('button', { name: 'Düzenle' }).click();
    const dialog = page.getByRole('dialog').filter({ visible: true });
    await dialog.getByLabel('Not', { exact: true }).fill('daha yüksek');
    await look(page, 'alerts-edit-phone');
    await dialog.getByRole('button', { name: 'Kaydet' }).last().click();
    await row.getByText('daha yüksek').waitFor();
    await row.getByRole('button', { name: /^Sil/ }).click();
    await page.getByRole('dialog').filter({ visible: true }).getByRole('button', { name: 'Sil', exact: true }).click();
    await page.getByText('Henüz alarm yok').waitFor();
    expect(await rows(user)).toHaveLength(0);
    expect(found).toEqual([]);
    await page.context().close();
  });
});
