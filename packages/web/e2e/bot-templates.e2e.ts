import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { BotTemplate } from '@pilotfish/core/auto-trades/bot-templates-contract';
import { botSettingsOf } from '@pilotfish/core/auto-trades/config/bot-settings';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import tr from '@pilotfish/core/locales/tr.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Look, type Stage, settled, sharedStage } from './stage.ts';

// A bot kept as a template, another bot that starts from it, and nobody else who sees it.

/** A git-ignored folder to look at, e.g. `screens`. */
const PICTURES = process.env.PILOTFISH_SCREENS;
const { list, form, templates } = en.autoTrades;

describe.runIf(CHROMIUM)('templates of bots', () => {
  let stage: Stage;
  let user: SignedInUser;
  let bot: AutoTrade;
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '9000' } });
    const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: 'Dip',
        walletId: wallet.id,
        coins: { symbols: ['BTCUSDT'] },
        maxOpenPositions: 7,
        entry: { size: { mode: 'fixed', value: '200' }, trigger: { kind: 'drop', dropPct: '40', lookbackMin: 240 } },
        stopLoss: { mode: 'percent', pct: '30' },
      },
    });
    bot = body.autoTrade;
  });
  afterAll(() => stage?.close());

  const open = async (look: Look, address: string, who = user) => {
    const context = await stage.context(look, { ...who, session: await stage.server.signIn(who) });
    const page = await context.newPage();
    const found = complaints(page);
    await page.goto(address);
    await settled(page);
    return { context, page, found };
  };
  const main = (page: Page) => page.getByRole('main');
  const dialog = (page: Page) => page.locator('dialog[open]');
  const stored = async (who = user) => (await who.call<BotTemplate[]>('/bff/v2/auto-trades/templates')).body;
  const picture = (page: Page, name: string) => (PICTURES ? page.screenshot({ path: join(PICTURES, `templates-${name}.png`) }) : undefined);
  const namedIn = (name: string) => name.replace('{{name}}', 'Ladder');

  test('a bot is saved as one, a bot of another coin starts from it, then it is renamed and deleted', { tags: ['smoke'] }, async () => {
    const { context, page, found } = await open(DESKTOP, '/auto-trade');
    await main(page)
      .getByRole('button', { name: list.menuOf.replace('{{name}}', 'Dip') })
      .click();
    await main(page)
      .getByRole('menuitem', { name: `${templates.save}: Dip` })
      .click();
    const name = dialog(page).getByRole('textbox', { name: templates.name });
    expect(await name.inputValue()).toBe('Dip');
    await name.fill('Ladder');
    expect(await axeViolations(page)).toEqual([]);
    await picture(page, 'save');
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
    const entry = main(page).getByRole('link', { name: 'Ladder' });
    await entry.waitFor();
    expect(await stored()).toMatchObject([{ name: 'Ladder', settings: { maxOpenPositions: 7 } }]);

    await entry.click();
    await page.waitForURL('**/auto-trade/create?template=*');
    await main(page).getByText(namedIn(templates.from)).waitFor();
    const field = (label: string) => main(page).getByLabel(label, { exact: true });
    expect(await field(form.maxOpen).inputValue()).toBe('7');
    await field(form.name).fill('Ether');
    await field(form.coins).fill('eth');
    await main(page).getByRole('button', { name: 'ETHUSDT', exact: true }).first().click();
    await settled(page);
    await picture(page, 'form');
    await main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step.review }).click();
    await main(page).getByText(form.disabledTitle).waitFor();
    await main(page).getByRole('button', { name: form.save }).click();
    await page.waitForURL('**/auto-trade/detail/*');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const made = (await user.call<AutoTrade>(`/bff/v2/auto-trades/${id}`)).body;
    expect(made.config).toEqual({ ...bot.config, name: 'Ether', coins: { symbols: ['ETHUSDT'], coinFilterIds: [] } });

    await page.goto('/auto-trade');
    await settled(page);
    await main(page)
      .getByRole('button', { name: namedIn(list.menuOf) })
      .click();
    await main(page).getByRole('menuitem', { name: templates.rename, exact: true }).click();
    await dialog(page).getByRole('textbox', { name: templates.name }).fill('Steps');
    await dialog(page).getByRole('button', { name: templates.rename }).click();
    await main(page).getByRole('link', { name: 'Steps' }).waitFor();
    await main(page)
      .getByRole('button', { name: list.menuOf.replace('{{name}}', 'Steps') })
      .click();
    await main(page).getByRole('menuitem', { name: templates.delete, exact: true }).click();
    await picture(page, 'delete');
    await dialog(page).getByRole('button', { name: templates.delete }).click();
    await main(page).getByRole('link', { name: 'Steps' }).waitFor({ state: 'detached' });
    expect(await stored()).toEqual([]);
    expect(found).toEqual([]);
    await context.close();
  });

  test("another account does not see it, and its address says that it is gone; from the bot's page and the form it is kept, too", async () => {
    const { context, page } = await open(DESKTOP, `/auto-trade/detail/${bot.id}`);
    await main(page).getByRole('button', { name: en.autoTrades.cockpit.more }).click();
    await main(page).getByRole('menuitem', { name: templates.save }).click();
    await dialog(page).getByRole('button', { name: templates.submit }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await page.goto(`/auto-trade/detail/${bot.id}/edit`);
    await settled(page);
    for (const folded of await main(page).locator('details > summary').all()) await folded.click();
    await main(page).getByLabel(form.maxOpen, { exact: true }).fill('5');
    await main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step.review }).click();
    await main(page).getByRole('button', { name: templates.save }).click();
    // The name is taken: replacing is said before it is done.
    await dialog(page).getByText(templates.exists).waitFor();
    await dialog(page).getByRole('button', { name: templates.replace }).click();
    await dialog(page).waitFor({ state: 'detached' });
    const [template, ...more] = await stored();
    expect([template?.name, template?.settings?.maxOpenPositions, more]).toEqual(['Dip', 5, []]);
    await context.close();

    const other = await stage.server.register();
    await other.call('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '900' } });
    expect(await stored(other)).toEqual([]);
    const theirs = await open(DESKTOP, `/auto-trade/create?template=${template?.id}`, other);
    await main(theirs.page).getByText(templates.gone).waitFor();
    expect(await main(theirs.page).getByLabel(form.maxOpen, { exact: true }).inputValue()).toBe('3');
    await theirs.context.close();
  });

  test.each<Look>([DESKTOP, { width: 1440, theme: 'light', language: 'en' }, { width: 390, theme: 'light', language: 'tr' }])(
    'own templates at $width in $theme and $language: first, in one column of a phone, and axe is content',
    async (look) => {
      const texts = look.language === 'tr' ? tr : en;
      const viewer = await stage.server.register();
      for (const name of ['SOL ladder', 'A name that is as long as a name of a template may be, whole'])
        expect((await viewer.call('/bff/v2/auto-trades/templates', { body: { name, settings: botSettingsOf(bot.config) } })).status).toBe(
          201,
        );
      const torn = await viewer.call<BotTemplate>('/bff/v2/auto-trades/templates', {
        body: { name: 'Torn', settings: botSettingsOf(bot.config) },
      });
      await stage.server.context.database.queries
        .updateTable('bot_templates')
        .set({ settings: '{' })
        .where('id', '=', torn.body.id)
        .execute();
      const { context, page, found } = await open(look, '/auto-trade', viewer);
      const panel = main(page).getByRole('listitem').filter({ hasText: texts.autoTrades.templates.yours });
      await expect.poll(() => panel.count()).toBe(3);
      const start = main(page).getByRole('heading', { name: texts.autoTrades.list.startFrom });
      await start.scrollIntoViewIfNeeded();
      await picture(page, `${look.width}-${look.theme}`);
      expect(await axeViolations(page)).toEqual([]);
      const menu = main(page).getByRole('button', { name: texts.autoTrades.list.menuOf.replace('{{name}}', 'SOL ladder') });
      if (look.width < 768) {
        const box = await menu.boundingBox();
        expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      }
      // With the keyboard alone: the menu, the question, and back to where it was asked.
      await menu.focus();
      await page.keyboard.press('Enter');
      await page.locator('[role=menu]:focus').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await dialog(page).getByText(texts.autoTrades.templates.deleteLead).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => menu.evaluate((element) => element === document.activeElement)).toBe(true);
      expect(found).toEqual([]);
      await context.close();
    },
  );
});
