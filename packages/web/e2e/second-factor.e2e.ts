import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { firstOf } from '@pilotfish/core/testing/tiers';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, ownStage, type Stage, settled } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const LOOKS: readonly Look[] = [DESKTOP, { width: 390, theme: 'light', language: 'tr' }];

describe.runIf(CHROMIUM)('a second factor given too long ago', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await ownStage({}, { allowPrivateWebhooks: true });
    await stage.server.register();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const open = async (path: string, user: SignedInUser, look: Look): Promise<Page> => {
    const page = await (await stage.context(look, user)).newPage();
    await page.goto(path);
    await settled(page);
    return page;
  };

  test.each(firstOf(1, LOOKS))('is asked for over the screen, and the call goes on by itself: %o', async (look) => {
    const user = await stage.server.register();
    const page = await open('/user/notifications?tab=settings', user, look);
    const said = complaints(page);
    await stage.server.context.database.queries.updateTable('sessions').set({ second_factor_at: 0 }).execute();
    const address = page.locator('#webhook input').first();
    await address.fill('http://127.0.0.1:9/hook');
    await address.press('Enter');
    const dialog = page.getByRole('dialog').filter({ visible: true });
    const code = dialog.locator('input[autocomplete=one-time-code]');
    await code.waitFor();
    expect(await code.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await axeViolations(page)).toEqual([]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `second-factor-${look.width}.png`) });
    // Given up, nothing was saved and the person is still signed in; asked again, a wrong code keeps the question.
    await page.keyboard.press('Escape');
    await code.waitFor({ state: 'detached' });
    await page.locator('#webhook input[aria-invalid=true]').waitFor();
    await address.press('Enter');
    await code.fill('12345');
    await code.press('Enter');
    await dialog.getByText(look.language === 'tr' ? 'Altı rakam' : 'Six digits').waitFor();
    await code.fill(stage.server.nextCode(user.secretKey));
    await code.press('Enter');
    await page.locator('#webhook code').waitFor();
    await code.waitFor({ state: 'detached' });
    expect(said).toEqual([]);
  });

  test.each(firstOf(1, LOOKS))('after a password change the links and keys are shown, and end in one press: %o', async (look) => {
    const user = await stage.server.register();
    const keys = await stage.simulator.createAccount();
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: keys.apiKey, clientSecret: keys.apiSecret } });
    const page = await open('/user/security', user, look);
    const turkish = look.language === 'tr';
    await page.locator('input[autocomplete=current-password]').fill(user.password);
    await page.locator('input[autocomplete=new-password]').fill('another walking stick');
    await page.locator('input[autocomplete=new-password]').press('Enter');
    await page.getByText(turkish ? 'Bunları da denetleyin' : 'Check these, too').waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(turkish ? 'Bağlantılar ve anahtarlar' : 'Links and keys');
    await page
      .getByText(`…${keys.apiKey.slice(-4)}`)
      .first()
      .waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `connections-${look.width}.png`) });
    await page.getByRole('button', { name: turkish ? 'Tümünü sonlandır' : 'End all' }).click();
    await page.getByText(turkish ? 'Yok.' : 'None.').waitFor();
    expect((await user.call('/gateway/v2/account/connect/binance')).body).toMatchObject({ code: 'not-connected' });
  });
});
