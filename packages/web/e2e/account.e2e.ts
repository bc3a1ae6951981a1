import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'light', language: 'tr' };

describe.runIf(CHROMIUM)('the own account', () => {
  let stage: Stage;
  let admin: SignedInUser;
  beforeAll(async () => {
    stage = await ownStage();
    admin = await stage.server.register();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const open = async (path: string, user: SignedInUser, look: Look = DESKTOP): Promise<Page> => {
    const session = await stage.server.signIn(user);
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
  const prove = async (page: Page, user: SignedInUser, button: string, code?: string) => {
    const dialog = page.getByRole('dialog').filter({ visible: true });
    await dialog.locator('input[autocomplete=current-password]').fill(user.password);
    if (code !== undefined) await dialog.locator('input[autocomplete=one-time-code]').fill(code);
    await dialog.getByRole('button', { name: button }).click();
  };

  test('preferences made on one device are found on the next', async () => {
    const user = await stage.server.register();
    const page = await open('/user/my-account', user);
    const found = complaints(page);
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
    await page.getByRole('button', { name: 'Compact' }).click();
    await page.getByRole('button', { name: 'Light', exact: true }).click();
    await page.getByLabel('Language').last().selectOption('tr');
    await page.getByRole('heading', { name: 'E-posta ve telefon' }).waitFor();
    await expect
      .poll(async () => (await user.call('/bff/v2/account/preferences')).body)
      .toMatchObject({ language: 'tr', theme: 'light', timeZone: 'Asia/Tokyo', density: 'compact' });
    await look(page, 'account-preferences');
    expect(found).toEqual([]);
    const other = await open('/user/my-account', user, { width: 390, theme: 'dark', language: 'en' });
    await other.getByRole('heading', { name: 'E-posta ve telefon' }).waitFor();
    expect(await other.evaluate(() => [document.documentElement.className.includes('light'), document.documentElement.lang])).toEqual([
      true,
      'tr',
    ]);
    expect(await other.evaluate(() => new Date(0).toLocaleTimeString('en-GB'))).toBe('09:00:00');
    await page.context().close();
    await other.context().close();
  });

  test('everything the account owns becomes a file', async () => {
    const user = await stage.server.register();
    const page = await open('/user/my-account', user);
    await page.getByText('0 of 5', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create the file' }).click();
    await prove(page, user, 'Confirm');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the file' }).click();
    expect((await saved).suggestedFilename()).toBe('pilotfish-account.json');
    await look(page, 'account-export');
    await page.context().close();
  });

  test('new recovery codes and another authenticator, each after a proof', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const page = await open('/user/security', user);
    await page.getByText('10 of 10 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'New recovery codes' }).click();
    await prove(page, user, 'Confirm', stage.server.nextCode(user.secretKey));
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
    await codes.first().waitFor();
    await expect.poll(() => codes.count()).toBe(10);
    await look(page, 'security-codes');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Continue' }).click();
    // The proof of a moment ago still holds.
    await page.getByRole('button', { name: 'Use another authenticator' }).click();
    const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '');
    await look(page, 'security-authenticator');
    await page.getByRole('dialog').locator('input').first().focus();
    await page.keyboard.type(stage.server.nextCode(secret));
    await codes.first().waitFor();
    await stage.server.signIn({ ...user, secretKey: secret });
    await page.context().close();
  });

  test('other devices are signed out together, and the log is filtered', async () => {
    const user = await stage.server.register();
    const others = [await stage.server.signIn(user), await stage.server.signIn(user)];
    const page = await open('/user/security', user, PHONE);
    await page.getByRole('button', { name: 'Diğerlerinin hepsinden çıkış yap' }).click();
    await expect.poll(async () => (await stage.server.call('/bff/v2/account', { token: others[0]?.accessToken })).status).toBe(401);
    await page.getByLabel('Konu').selectOption('account');
    await page.getByText('Eşleşen etkinlik yok.').waitFor();
    await look(page, 'security-phone');
    await page.context().close();
  });

  test('the account is left for good: with the name typed, by keyboard alone', async () => {
    const user = await stage.server.register();
    const page = await open('/user/my-account', user, PHONE);
    await page.getByRole('button', { name: 'Hesabı sil…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel(`Sürdürmek için ${user.username} yazın`).fill(user.username);
    await look(page, 'account-leave');
    await page.getByRole('button', { name: 'Kalıcı olarak sil' }).press('Enter');
    await prove(page, user, 'Onayla');
    await page.waitForURL('**/auth/login');
    expect(await page.evaluate(() => localStorage.getItem('user_jwt'))).toBeNull();
    expect(
      (await stage.server.call('/gateway/v1/account/login', { body: { username: user.username, password: user.password } })).status,
    ).toBe(400);
    await page.context().close();
  });

  test('the last Admin is told why not', async () => {
    const page = await open('/user/my-account', admin);
    await page.getByRole('button', { name: 'Delete account…' }).click();
    await page.getByLabel(`Type ${admin.username} to continue`).fill(admin.username);
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await prove(page, admin, 'Confirm');
    await page.getByRole('main').getByRole('alert').filter({ hasText: en.errors['last-admin'].detail }).waitFor();
    await page.context().close();
  });
});
