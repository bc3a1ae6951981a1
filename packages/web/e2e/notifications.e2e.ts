import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BotApiServer, startBotApiServer } from '@pilotfish/server/app/testing/bot-api-server';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const PHONE: Look = { width: 390, theme: 'light', language: 'tr' };

describe.runIf(CHROMIUM)('being told', () => {
  let stage: Stage;
  let telegram: BotApiServer;
  beforeAll(async () => {
    telegram = await startBotApiServer();
    stage = await ownStage({}, { telegramBotToken: telegram.token, telegramApiRoot: telegram.url });
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(async () => {
    await stage?.close();
    await telegram?.close();
  });

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
  /** An alert that holds already: it fires as soon as it is there. */
  const fire = (user: SignedInUser, note: string) =>
    user.call('/bff/v2/price-alerts', {
      body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' }, fireIfTrue: true, note },
    });
  const bell = (page: Page, unread: number) =>
    page.getByRole('button', { name: unread === 0 ? /^(Notifications|Bildirimler)$/ : new RegExp(`, ${unread} (unread|okunmamış)$`) });

  test('the bell counts live, its panel shows the newest, and what is opened is read', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const page = await open('/prices', user);
    const found = complaints(page);
    // The sign-in of the browser is news of its own, from a device never seen before.
    const before = (await user.call<{ unread: number }>('/bff/v2/notifications')).body.unread;
    await bell(page, before).waitFor();
    await expect.poll(() => stage.server.context.stream.hasListeners('notifications')).toBe(true);
    // A toast goes again by itself: it is looked for from the beginning.
    const toast = page.getByRole('alert').filter({ hasText: 'BTCUSDT is above 1' }).waitFor();
    await fire(user, 'first');
    await Promise.all([toast, bell(page, before + 1).waitFor()]);
    await fire(user, 'second');
    await bell(page, before + 2).click();
    const panel = page.getByRole('dialog', { name: 'Notifications' });
    await panel.getByText('second').waitFor();
    await look(page, 'bell-open');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Notifications, /);
    await page.keyboard.press('Enter');
    await panel.getByRole('link', { name: 'BTCUSDT is above 1' }).first().click();
    await page.waitForURL('**/price-alerts?pair=BTCUSDT');
    await bell(page, before + 1).click();
    await panel.getByRole('button', { name: 'Mark all as read' }).click();
    await bell(page, 0).waitFor();
    await panel.getByRole('link', { name: 'Show all' }).click();
    await page.waitForURL('**/user/notifications');
    await settled(page);
    await page.getByRole('main').getByText('first').waitFor();
    await look(page, 'notifications-list');
    // The address says it first: the switch follows.
    await page.getByRole('switch', { name: 'Unread only' }).click();
    await page.getByText('No notifications yet').waitFor();
    expect(new URL(page.url()).search).toBe('?unread=true');
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('what happens while the stream is still on its way is told: after the first load, and from one screen to the next', async () => {
    const user = await stage.server.register();
    const session = await stage.server.signIn(user);
    const context = await stage.context(DESKTOP, { ...user, session });
    let open = () => {};
    let way = new Promise<void>((done) => (open = done));
    await context.route('**/bff/v2/stream*', async (route) => {
      await way;
      // Left for another one meanwhile.
      await route.continue().catch(() => undefined);
    });
    const page = await context.newPage();
    const unread = async () => (await user.call<{ unread: number }>('/bff/v2/notifications')).body.unread;
    const before = await unread();
    for (const [news, go] of [() => page.goto('/prices'), () => page.getByRole('link', { name: 'Positions' }).first().click()].entries()) {
      await go();
      await bell(page, before + news).waitFor();
      await page.waitForLoadState('load');
      await fire(user, `news ${news}`);
      await expect.poll(unread).toBe(before + news + 1);
      open();
      await bell(page, before + news + 1).waitFor();
      await expect.poll(() => stage.server.context.stream.hasListeners('notifications')).toBe(true);
      way = new Promise<void>((done) => (open = done));
    }
    open();
    await context.close();
  });

  test('what goes where is kept; a webhook is refused inside the house; quiet hours follow the reader', async () => {
    const user = await stage.server.register();
    const page = await open('/user/notifications?tab=settings', user);
    const found = complaints(page);
    await page.getByRole('checkbox', { name: 'Price alerts: Telegram' }).uncheck();
    const settings = async () =>
      (
        await user.call<{ kinds: { kind: string; channels: string[] }[]; quietHours: object; channels: object[] }>(
          '/bff/v2/notifications/settings',
        )
      ).body;
    await expect.poll(async () => (await settings()).kinds.find(({ kind }) => kind === 'price-alert')?.channels).not.toContain('telegram');
    await expect.poll(() => page.getByRole('rowheader', { name: 'Positions with a problem' }).count()).toBe(1);
    await page.getByRole('switch', { name: /^Hold messages/ }).check();
    await page.getByLabel('From', { exact: true }).fill('22:30');
    await page.getByLabel('To', { exact: true }).focus();
    await expect.poll(async () => (await settings()).quietHours).toMatchObject({ enabled: true, from: '22:30', timeZone: 'UTC' });
    await page.getByLabel('Address', { exact: true }).fill('http://127.0.0.1/hook');
    await page.getByRole('button', { name: 'Save address' }).click();
    await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor();
    await page.getByLabel('Address', { exact: true }).fill('https://example.com/hook');
    await page.getByRole('button', { name: 'Save address' }).click();
    await page.getByText('The key that signs the messages. It is shown only now.').waitFor();
    await page.getByText('Sends to example.com.').waitFor();
    await look(page, 'notifications-settings');
    await page.reload();
    await page.getByText('Sends to example.com.').waitFor();
    await expect.poll(() => page.getByText('It is shown only now.').count()).toBe(0);
    // What receives messages of a closed page is there, and the policy lets it run.
    expect(
      await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.register('/push-worker.js');
        await navigator.serviceWorker.ready;
        const { active } = registration;
        await registration.unregister();
        return active !== null;
      }),
    ).toBe(true);
    expect(found).toEqual([]);
    await page.context().close();
  });

  test('a chat is linked by the code and the way back, tested, and unlinked; on a phone, in Turkish', async () => {
    const user = await stage.server.register();
    const chat = telegram.chat(4711);
    const page = await open('/user/telegram-connect', user, PHONE);
    const found = complaints(page);
    await page.getByRole('img', { name: /karekod/ }).waitFor();
    const typed = (await page.locator('code').textContent()) ?? '';
    expect(typed).toMatch(/^\/start \S+/);
    await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/\d+:\d\d/);
    await look(page, 'telegram-connect');
    const met = await chat.say(typed);
    const code = /telegram-connect\?code=([\w-]+)/.exec(met.text)?.[1] ?? '';
    expect(code).not.toBe('');
    // The page that waits is told when the chat is linked in another tab.
    const other = await page.context().newPage();
    // What was asked beside it may be answered with what was before, and late.
    const linked = other.waitForResponse(
      (response) => response.request().method() === 'POST' && response.url().endsWith('/connect/telegram'),
    );
    await other.route('**/account/connect/telegram', async (route) => {
      if (route.request().method() !== 'GET') return route.continue();
      const reply = await route.fetch();
      await linked;
      return route.fulfill({ response: reply });
    });
    await other.goto(`/user/telegram-connect?code=${code}`);
    await other.getByRole('heading', { name: 'Bir sohbet bağlı' }).waitFor();
    expect(new URL(other.url()).search).toBe('');
    await page.getByRole('heading', { name: 'Bir sohbet bağlı' }).waitFor();
    await page.close();
    await look(other, 'telegram-connected');
    const arrives = chat.next();
    await other.getByRole('button', { name: 'Deneme gönder' }).click();
    expect((await arrives).text).not.toBe('');
    await other.getByRole('button', { name: 'Bağlantıyı kes' }).click();
    await other.getByRole('dialog').getByRole('button', { name: 'Bağlantıyı kes' }).click();
    await other.getByRole('img', { name: /karekod/ }).waitFor();
    await other.goto('/user/telegram-connect?code=wrong-code-of-nobody');
    await other.getByText('Sohbet bağlanamadı.').waitFor();
    expect(found).toEqual([]);
    await other.context().close();
  });
});
