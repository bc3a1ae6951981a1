import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const LOOKS: Look[] = [1440, 390].flatMap((width) =>
  (['dark', 'light'] as const).flatMap((theme) => (['en', 'tr'] as const).map((language) => ({ width, theme, language }))),
);

describe.runIf(CHROMIUM)('management', () => {
  let stage: Stage;
  let admin: SignedInUser;
  let user: SignedInUser;
  let page: Page;
  beforeAll(async () => {
    stage = await ownStage();
    admin = await stage.server.register({ username: 'root' });
    user = await stage.server.register({ username: 'ayse' });
    page = await (await stage.context(DESKTOP, admin)).newPage();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());
  const go = async (path: string) => {
    await page.goto(path);
    await settled(page);
  };

  test('begins with the figures of the instance', async () => {
    const found = complaints(page);
    await go('/management');
    const figure = (name: string) => page.locator('dl > div', { hasText: name }).locator('dd').textContent();
    expect(await figure('Users')).toBe('2');
    expect(await figure('Database')).toMatch(/MB$/);
    await stage.server.register();
    await expect.poll(() => figure('Users')).toBe('3');
    await expect.poll(() => figure('Time since last market data')).toMatch(/ms$/);
    expect(found).toEqual([]);
  });

  test('a text changed here is seen by a guest and by another user within five seconds, without a reload', {
    tags: ['smoke'],
  }, async () => {
    const guest = await (await stage.context()).newPage();
    await guest.goto('/auth/login');
    await settled(guest);
    const other = await (await stage.context({ ...DESKTOP, language: 'tr' }, user)).newPage();
    await other.goto('/prices');
    await settled(other);
    // Both listen by now: what a page opens for this alone waits until the page stands.
    await expect.poll(() => stage.server.context.stream.clientCount()).toBeGreaterThanOrEqual(2);
    await go('/management/localization-resources?filter=nav.prices');
    await page.getByRole('button', { name: 'Edit: nav.prices' }).click();
    await page.getByRole('dialog').getByLabel('English').fill('Rates');
    await page.getByRole('dialog').getByLabel('Türkçe').fill('Kurlar');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByRole('link', { name: 'Kurlar' }).first().waitFor();
    await page.getByRole('link', { name: 'Rates' }).first().waitFor();
    await go('/management/localization-resources?filter=auth.signIn');
    await page.getByRole('button', { name: 'Edit: auth.signIn', exact: true }).click();
    await page.getByRole('dialog').getByLabel('English').fill('Come in');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await guest.getByRole('button', { name: 'Come in' }).waitFor();
    // Taken back, the words of the product return.
    await page.getByRole('button', { name: 'Edit: auth.signIn', exact: true }).click();
    await page.getByRole('button', { name: 'Restore the original' }).click();
    await guest.getByRole('button', { name: 'Sign in' }).waitFor();
    await guest.context().close();
    await other.context().close();
  });

  test('settings hold at once: a notice for everybody, and a closed door', async () => {
    const guest = await (await stage.context()).newPage();
    await go('/management/app-settings');
    await page.getByLabel('Notice in English').fill('Back at noon');
    await page.getByLabel('New accounts', { exact: true }).selectOption('closed');
    await page.getByRole('button', { name: 'Save' }).click();
    await guest.goto('/auth/register');
    await guest.getByText('Back at noon').waitFor();
    await guest.getByText('New accounts need an invitation').waitFor();
    await page.getByRole('button', { name: /Reset to Open/ }).click();
    await page.getByRole('button', { name: /Reset to –: Notice in English/ }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await stage.server.call('/bff/v1/app-config')).body)
      .toMatchObject({ registration: 'open', notice: null });
    await guest.context().close();
  });

  test('currencies are renamed and tagged', async () => {
    await go('/management/currencies?search=btc');
    await page.getByRole('button', { name: 'Edit: BTC', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Gold of the net');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Gold of the net' }).waitFor();
    await page.getByRole('button', { name: 'Add a tag' }).click();
    const dialog = page.getByRole('dialog').filter({ visible: true });
    await dialog.getByLabel('Key').fill('our-picks');
    await dialog.getByLabel('English').fill('Our picks');
    await dialog.getByLabel('Türkçe').fill('Seçtiklerimiz');
    await dialog.getByLabel('Currencies').fill('btc eth');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Our picks').waitFor();
    const tags = await stage.server.call<{ key: string }[]>('/bff/v1/tags');
    expect(tags.body.map(({ key }) => key)).toContain('our-picks');
  });

  test('a user is made Admin, loses it, and is deleted with the name typed', async () => {
    await go('/management/users?search=ayse');
    const turn = async () => {
      await page.getByRole('button', { name: 'Roles: ayse' }).click();
      const dialog = page.getByRole('dialog', { name: 'Roles of ayse' });
      await dialog.getByRole('switch', { name: 'Admin' }).click();
      await dialog.getByRole('button', { name: 'Set roles' }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const row = page.getByRole('row', { name: /ayse@/ });
    await turn();
    await row.getByText('Admin', { exact: true }).waitFor();
    await turn();
    await expect.poll(() => row.getByText('Admin', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Delete: ayse' }).click();
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await page.getByLabel('Type ayse to continue').fill('ayse');
    await remove.click();
    await page.getByText('No user matches.').waitFor();
    await go('/management?area=admin');
    await page.getByText('User deleted').first().waitFor();
  });

  test('a role is made, given, changed and deleted; it takes effect, and who loses what is said first', async () => {
    const trader = await stage.server.register({ username: 'deniz' });
    const alert = () =>
      trader.call('/bff/v2/price-alerts', {
        body: { symbol: 'BTCUSDT', condition: { kind: 'crosses', direction: 'up', level: '999999' } },
      });
    await go('/management/users?search=deniz');
    await page.getByRole('button', { name: 'Add a role' }).click();
    const added = page.getByRole('dialog', { name: 'Add a role' });
    await added.getByLabel('Name').fill('Analyst');
    await added.getByRole('switch', { name: 'Trade import' }).click();
    await added.getByRole('button', { name: 'Save' }).click();
    const list = page.getByRole('list', { name: 'Roles' });
    await list.getByText('Analyst', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Roles: deniz' }).click();
    const given = page.getByRole('dialog', { name: 'Roles of deniz' });
    await given.getByRole('switch', { name: 'Analyst' }).click();
    await given.getByRole('button', { name: 'Set roles' }).click();
    await page
      .getByRole('row', { name: /deniz@/ })
      .getByText('Analyst')
      .waitFor();
    trader.session = await stage.server.signIn(trader);
    expect(await alert()).toMatchObject({ status: 422, body: { code: 'not-permitted' } });

    await page.getByRole('button', { name: 'Edit: Analyst' }).click();
    const changed = page.getByRole('dialog', { name: 'Change Analyst' });
    await changed.getByText('Users with this role: 1').waitFor();
    await changed.getByLabel('Name').fill('Watcher');
    await changed.getByRole('switch', { name: 'Price alerts' }).click();
    await changed.getByRole('button', { name: 'Save' }).click();
    await list.getByText('Watcher', { exact: true }).waitFor();
    expect((await alert()).status).toBe(201);

    await page.getByRole('button', { name: 'Edit: Watcher' }).click();
    await page.getByRole('dialog', { name: 'Change Watcher' }).getByRole('button', { name: 'Delete' }).click();
    const removed = page.getByRole('dialog', { name: 'Delete Watcher' });
    await removed.getByText(/deniz.*may then also: .?Live trading, Bots and wallets, Exchange connection/).waitFor();
    await removed.getByRole('button', { name: 'Delete role' }).click();
    await expect.poll(() => list.getByText('Watcher').count()).toBe(0);
    await page.getByRole('button', { name: 'Roles: deniz' }).waitFor();
  });

  test('new accounts get the role that is set for them, and what it refuses is disabled with its reason', async () => {
    await admin.call('/bff/v2/admin/roles', { body: { name: 'Beginner', permissions: ['price-alerts'] } });
    await go('/management/app-settings');
    await page.getByLabel('Role of new accounts').selectOption('Beginner');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => page.getByText('not saved yet').count()).toBe(0);
    const beginner = await stage.server.register();
    const theirs = await (await stage.context(DESKTOP, beginner)).newPage();
    for (const [path, control] of [
      ['/auto-trade', 'New bot'],
      ['/auto-trade/wallets', 'Open a wallet'],
      ['/positions/import', 'Choose a file'],
    ] as const) {
      await theirs.goto(path);
      await settled(theirs);
      const withheld = theirs.getByRole('button', { name: control }).first();
      await withheld.waitFor();
      expect(await withheld.isDisabled()).toBe(true);
      expect(await theirs.locator(`#${await withheld.getAttribute('aria-describedby')}`).textContent()).toContain(
        'Your roles do not allow you',
      );
      expect(await axeViolations(theirs)).toEqual([]);
      if (PICTURES) await theirs.screenshot({ path: join(PICTURES, `role-${control}.png`) });
    }
    await theirs.goto('/price-alerts');
    await settled(theirs);
    expect(await theirs.getByText(/Your roles do not allow you/).count()).toBe(0);
    await theirs.context().close();
    await admin.call('/bff/v2/admin/app-settings', { method: 'PUT', body: { values: { 'registration.role': null } } });
  });

  test('is for Admins: nobody else finds the way, and a role taken away ends it with a 403', async () => {
    const guest = await stage.server.register();
    const visitor = await (await stage.context(DESKTOP, guest)).newPage();
    await visitor.goto('/management/users');
    await visitor.waitForURL((url) => url.pathname === '/');
    await expect.poll(() => visitor.getByRole('link', { name: 'Management' }).count()).toBe(0);
    await visitor.context().close();
    const second = await stage.server.register();
    const { queries } = stage.server.context.database;
    const { id } = await queries.selectFrom('accounts').select('id').where('username', '=', second.username).executeTakeFirstOrThrow();
    await queries.insertInto('account_roles').values({ account_id: id, role: 'Admin', granted_at: 1 }).execute();
    const demoted = await (await stage.context(DESKTOP, second)).newPage();
    await demoted.goto('/management/users');
    await demoted.getByRole('cell', { name: 'root', exact: false }).first().waitFor();
    await queries.deleteFrom('account_roles').where('account_id', '=', id).execute();
    await demoted.getByRole('link', { name: 'Overview' }).click();
    // By the error catalogue: all local storage cleared, and to the root.
    await demoted.waitForURL((url) => url.pathname === '/');
    expect(await demoted.evaluate(() => localStorage.getItem('user_jwt'))).toBeNull();
    await demoted.context().close();
  });

  test.each(LOOKS)('looks right everywhere ($width, $theme, $language)', async (look) => {
    const session = await stage.server.signIn(admin);
    const view = await (await stage.context(look, { ...admin, session })).newPage();
    for (const path of ['', '/users', '/localization-resources', '/currencies', '/app-settings']) {
      await view.goto(`/management${path}`);
      await settled(view);
      expect([path, await axeViolations(view)]).toEqual([path, []]);
      expect([path, await view.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([path, 0]);
      if (PICTURES) {
        const name = `management${path.replace('/', '-')}-${look.width}-${look.theme}-${look.language}.png`;
        await view.screenshot({ path: join(PICTURES, name), fullPage: true });
      }
    }
    await view.context().close();
  });
});
