import type { AutoTrade, AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { stopOf, walk } from './keyboard-walk.ts';
import { CHROMIUM, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// Trading without a mouse: nothing lies over where the focus is, and whatever is taken away, refused, closed or done, it
// stays beside what one was at.

const { form, action, target, wallet: walletTexts } = en.autoTrades;
const PAGES = [
  '/auto-trade',
  '/auto-trade/detail/BOT',
  '/auto-trade/detail/BOT?tab=story',
  '/auto-trade/wallets',
  '/auto-trade/filters',
  '/auto-trade/detail/BOT/backtest',
  '/positions/closed-positions',
  '/price-alerts?alert=BTC%20drops',
];
const STEPS = ['basics', 'entry', 'rebuys', 'exit', 'safety', 'review'] as const;

describe.runIf(CHROMIUM)('trading with the keyboard alone', () => {
  let stage: Stage;
  let user: SignedInUser;
  let wallet: Wallet;
  let bot: AutoTrade;
  let context: BrowserContext;
  let phone: BrowserContext;

  const create = async (name: string, coins: readonly string[]) =>
    (
      await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: {
          name,
          walletId: wallet.id,
          coins: { symbols: coins },
          entry: {
            size: { mode: 'fixed', value: '100' },
            trigger: { kind: 'immediate' },
            trailing: { enabled: false },
            order: { type: 'Market' },
            maxSpreadPct: '5',
          },
          rebuys: { levels: [{ dropPct: '20' }, { dropPct: '30' }] },
          takeProfit: { levels: [{ gainPct: '40', sellPct: '100' }] },
          stopLoss: { mode: 'none' },
        },
      })
    ).body.autoTrade;
  const isHolding = async () =>
    (await user.call<AutoTradeDetail>(`/bff/v2/auto-trades/${bot.id}/detail`)).body.positions.some(({ state }) => state === 'Open');

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '5000' } })).body;
    bot = await create('Held', ['BTCUSDT', 'ETHUSDT']);
    await user.call(`/bff/v2/auto-trades/${bot.id}/enable`, { method: 'POST', body: {} });
    await user.call('/bff/v2/price-alerts', { body: { symbol: 'BTCUSDT', condition: { kind: 'above', level: '900000' } } });
    await user.call('/bff/v2/coin-filters', { body: { name: 'Liquid', minAgeDays: 0, maxSpreadPct: '5' } });
    await user.call('/bff/v2/auto-trades/halt', { body: { scope: 'coin', symbol: 'ETHUSDT', hours: 24, reason: 'News' } });
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    phone = await stage.context({ width: 390, theme: 'dark', language: 'en' }, { ...user, session: await stage.server.signIn(user) });
  });
  // Each page listens to a stream, and a browser has six connections to a server.
  afterEach(async () => {
    for (const page of [...context.pages(), ...phone.pages()]) await page.close();
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const dialog = (page: Page) => page.locator('dialog[open]');
  const button = (within: Page | Locator, name: string | RegExp) => within.getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => main(page).getByLabel(name, { exact: true });
  const open = async (path: string, by = context) => {
    const page = await by.newPage();
    await page.goto(path.replace('BOT', bot.id));
    await settled(page);
    return page;
  };
  const toStep = async (page: Page, name: (typeof STEPS)[number]) => {
    await press(main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step[name] }));
    await main(page).getByRole('heading', { name: form.step[name], exact: true }).waitFor();
    await expectFocus(page, form.step[name]);
  };
  /** As a person does who has come there with the Tab key. */
  const press = async (what: Locator, key = 'Enter') => {
    await what.focus();
    await what.page().keyboard.press(key);
  };
  const focused = (page: Page) => page.locator(':focus');
  const nameOfFocused = (page: Page) =>
    focused(page)
      .evaluate((element) => {
        const label = (element as HTMLInputElement).labels?.[0]?.textContent;
        return element.getAttribute('aria-label') ?? label ?? element.textContent;
      })
      .catch(() => 'nothing');
  const expectFocus = (page: Page, name: string) => expect.poll(() => nameOfFocused(page)).toBe(name);

  describe.each([
    { size: 'phone', pages: PAGES, steps: STEPS },
    { size: 'desktop', pages: ['/auto-trade/detail/BOT'], steps: ['entry', 'exit'] },
  ] as const)('$size', ({ size, pages, steps }) => {
    const there = () => (size === 'phone' ? phone : context);
    const bothWays = async (page: Page) => [...(await walk(page, 'Tab')).wrong, ...(await walk(page, 'Shift+Tab')).wrong];

    test.each(pages)('every stop of %s is in sight, there and back', async (path) => {
      await expect.poll(isHolding).toBe(true);
      const page = await open(path, there());
      expect(await bothWays(page)).toEqual([]);
    });

    test('every stop of the form is in sight, there and back', async () => {
      const page = await open('/auto-trade/detail/BOT/edit', there());
      for (const step of steps) {
        await toStep(page, step);
        for (const folded of await main(page).locator('details > summary').all()) await folded.click();
        await settled(page);
        expect([step, await bothWays(page)]).toEqual([step, []]);
      }
    });
  });

  test('levels, conditions and coins: what is added is there to be written, what is taken out leaves its neighbour', async () => {
    const page = await open('/auto-trade/create');
    await field(page, form.coins).focus();
    for (const coin of ['btc', 'eth']) {
      await page.keyboard.type(coin);
      await button(main(page), `${coin.toUpperCase()}USDT`).first().waitFor();
      await page.keyboard.press('Enter');
    }
    await press(button(main(page), 'Remove BTCUSDT'));
    await expectFocus(page, 'Remove ETHUSDT');
    await page.keyboard.press('Enter');
    await expectFocus(page, form.coins);

    await toStep(page, 'rebuys');
    await press(button(main(page), form.rebuyKind.levels));
    for (const count of [2, 3]) {
      await press(button(main(page), form.addLevel));
      await expect
        .poll(() =>
          field(page, form.rebuyDrop)
            .nth(count - 1)
            .evaluate((input) => input === document.activeElement),
        )
        .toBe(true);
    }
    await press(button(main(page), 'Remove level 1'));
    await expectFocus(page, 'Remove level 1');
    await press(button(main(page), 'Remove level 2'));
    await expectFocus(page, form.addLevel);
    await press(button(main(page), 'Remove level 1'));
    await expectFocus(page, form.rebuyKind.none);

    await toStep(page, 'entry');
    await press(button(main(page), form.triggerKind.conditions));
    const { addRule, removeRule } = en.screener.builder;
    await press(button(main(page), addRule));
    await press(button(main(page), removeRule).last());
    await expectFocus(page, addRule);
  });

  test('Enter in the search for coins is not lost while the pairs are still on their way', async () => {
    const page = await context.newPage();
    let arrive = () => {};
    const asked = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(/\/bff\/v1\/pairs/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.goto('/auto-trade/create');
    // A coin that no draft of another test has chosen.
    await field(page, form.coins).fill('sol');
    await press(field(page, form.coins));
    arrive();
    await button(main(page), 'Remove SOLUSDT').waitFor();
    await expect.poll(() => field(page, form.coins).inputValue()).toBe('');
  });

  test('what is wrong in a bot leads to its field, also where frames are slow and all is known before the step is chosen', async () => {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const frame = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (then) => frame((time) => void setTimeout(() => then(time), 100));
    });
    await page.goto('/auto-trade/create');
    await settled(page);
    await field(page, form.name).fill('Wrong');
    await field(page, form.coins).fill('btc');
    await press(field(page, form.coins));
    // Without a coin there is no least amount that one could fall short of.
    await button(main(page), 'Remove BTCUSDT').waitFor();
    await toStep(page, 'entry');
    await field(page, form.perEntry).fill('1');
    await main(page).locator('[name="entry.size.value"][aria-invalid=true]').waitFor();
    await toStep(page, 'review');
    const problems = main(page).getByRole('alert').filter({ hasText: form.mustFix });
    await press(problems.getByRole('button').filter({ hasText: form.perEntry }).first());
    await expectFocus(page, form.perEntry);
  });

  test('a wallet: Escape gives the focus back, what is wrong takes it, and Enter twice opens one', async () => {
    const page = await open('/auto-trade/wallets');
    await press(button(main(page), walletTexts.open));
    await dialog(page).waitFor();
    await page.keyboard.press('Escape');
    await expectFocus(page, walletTexts.open);
    await page.keyboard.press('Enter');
    const name = dialog(page).getByLabel(walletTexts.name, { exact: true });
    await name.fill('');
    await press(button(dialog(page), walletTexts.open));
    await expectFocus(page, walletTexts.name);
    await expect.poll(() => name.getAttribute('aria-invalid')).toBe('true');
    await name.fill('By key');
    await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')]);
    await main(page).getByRole('heading', { name: 'By key' }).waitFor();
    const { body } = await user.call<Wallet[]>('/bff/v2/wallets');
    expect(body.filter((each) => each.name === 'By key')).toHaveLength(1);
    await expectFocus(page, walletTexts.open);
  });

  test('a target price: Escape, a refusal and success each leave the focus where it was', async () => {
    await expect.poll(isHolding).toBe(true);
    const page = await open('/auto-trade/detail/BOT');
    await press(main(page).getByRole('group', { name: en.autoTrades.cockpit.coins }).getByRole('button', { name: /^BTC / }));
    await press(button(main(page), target.set));
    await expectFocus(page, target.label);
    await page.keyboard.press('Escape');
    await expectFocus(page, target.set);
    await page.keyboard.press('Enter');
    await expectFocus(page, target.label);
    await page.keyboard.type('0');
    await page.keyboard.press('Enter');
    await main(page).getByRole('alert').first().waitFor();
    await expectFocus(page, target.label);
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('999999');
    await page.keyboard.press('Enter');
    await button(main(page), target.clear).waitFor();
    await expect.poll(() => nameOfFocused(page)).toMatch(/^999,999.* – change$/);
    await press(button(main(page), target.clear));
    await button(main(page), target.set).waitFor();
    await expect.poll(() => nameOfFocused(page)).toBe(target.set);
  });

  test('a button that is off for a moment, and then gone, leaves the focus beside it', async () => {
    const page = await open('/auto-trade');
    await page.evaluate(() => {
      const row = document.createElement('p');
      row.innerHTML = '<button>Beside</button><button>Quick</button>';
      document.getElementById('main')?.append(row);
    });
    const quick = button(main(page), 'Quick');
    await quick.focus();
    await page.keyboard.press('Shift');
    // On again as soon as the focus has been taken from it.
    await quick.evaluate(
      (it: HTMLButtonElement) =>
        new Promise<void>((lost) => {
          it.addEventListener('blur', () => {
            it.disabled = false;
            lost();
          });
          it.disabled = true;
        }),
    );
    await expectFocus(page, 'Quick');
    await quick.evaluate((it) => it.remove());
    await expectFocus(page, 'Beside');
  });

  test('a bot that is enabled and disabled keeps the focus among its buttons', async () => {
    const other = await create('Other', ['SOLUSDT']);
    const page = await open(`/auto-trade/detail/${other.id}`);
    const actions = new Set<string | null>(Object.values(action));
    for (const each of [action.enable, action.disable]) {
      await press(button(main(page), each));
      await press(button(dialog(page), each));
      // It stays until what it asked about is done.
      await dialog(page).waitFor({ state: 'detached' });
      await button(main(page), each).waitFor({ state: 'detached' });
      await expect.poll(async () => actions.has(await nameOfFocused(page))).toBe(true);
    }
  });

  test('the form of an alert: Enter sends it, and what is missing takes the focus', async () => {
    const page = await open('/price-alerts');
    await press(button(main(page), en.alerts.page.openForm));
    const pair = field(page, en.alerts.form.pair);
    await pair.fill('BTCUSDT');
    await press(pair);
    await expectFocus(page, en.alerts.parameter.level);
    await page.keyboard.type('950000');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await user.call<unknown[]>('/bff/v2/price-alerts')).body.length).toBe(2);
    await expect.poll(async () => (await stopOf(page))?.what ?? 'nothing').not.toBe('nothing');
  });

  test('a backtest is started, cancelled and started again', async () => {
    const page = await open('/auto-trade/detail/BOT/backtest');
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/v1/candles/**', async (route) => {
      await held;
      await route.abort();
    });
    const run = button(main(page), en.backtest.form.run);
    await press(run);
    await button(main(page), en.ui.cancel).waitFor();
    // On from where one was, not from the top of the page.
    await page.keyboard.press('Tab');
    await expectFocus(page, en.ui.cancel);
    await page.keyboard.press('Enter');
    await button(main(page), en.ui.cancel).waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        focused(page)
          .evaluate((element) => element.closest('form') !== null)
          .catch(() => false),
      )
      .toBe(true);
    release();
  });
});
