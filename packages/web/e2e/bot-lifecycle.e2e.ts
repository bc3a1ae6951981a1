import { allowedBotActions } from '@pilotfish/core/auto-trades/allowed-actions';
import { type AutoTrade, type BotAction, botAction } from '@pilotfish/core/auto-trades/auto-trades-contract';
import {
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  isFrozen,
  newAutoTradeContext,
} from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { actionOf, pathsOfAPerson, pathsOfEachButton } from '@pilotfish/core/testing/auto-trade-paths';
import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import { TIER } from '@pilotfish/core/testing/tiers';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, complaints, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// The paths of the bot's machine, as far as a person can walk them, clicked in Chromium against the real server and
// the simulated exchange. Before every press the screen offers what the machine allows; after it screen, server and
// machine must name the same state.

const expected: Record<AutoTradeStateName, string> = {
  draft: 'Draft',
  disabled: 'Disabled',
  running: 'Running',
  paused: 'Paused',
  blocked: 'Blocked',
  halted: 'Halted',
  deleted: 'Deleted',
};

/** What an action is called; a halted bot has no entries to pause. */
const labelsOf = (action: BotAction): string[] => [
  en.autoTrades.action[action],
  ...(action === 'disable' ? [en.autoTrades.disableHalted] : []),
];
const actionButton = (within: Page | Locator, action: BotAction): Locator =>
  labelsOf(action)
    .flatMap((name) => (['button', 'menuitem'] as const).map((role) => within.getByRole(role, { name, exact: true })))
    .reduce((one, other) => one.or(other));

const PICTURES = process.env.PILOTFISH_SCREENS;

describe.runIf(CHROMIUM)('a bot’s life in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let wallet: Wallet;
  let count = 0;

  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '100000' } })).body;
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
  });
  afterAll(() => stage?.close());

  /** @param buys at once, so that there is something to freeze; else a drop that does not come */
  async function create(buys: boolean): Promise<AutoTrade> {
    count += 1;
    const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: `Bot ${count}`,
        walletId: wallet.id,
        coins: { symbols: ['BTCUSDT'] },
        entry: {
          size: { mode: 'fixed', value: '20' },
          trigger: buys ? { kind: 'immediate' } : { kind: 'drop', dropPct: '80', lookbackMin: 5 },
          trailing: { enabled: false },
          order: { type: 'Market' },
        },
        stopLoss: { mode: 'none' },
      },
    });
    return body.autoTrade;
  }

  async function press(page: Page, action: BotAction): Promise<void> {
    const button = actionButton(page.getByRole('main'), action);
    // Some stand in the menu behind the dots.
    if ((await button.count()) === 0) await dots(page).click();
    await button.click();
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    const takenOver = dialog.getByRole('switch');
    if ((action === 'reset' || action === 'delete') && (await takenOver.count()) > 0) await takenOver.click();
    await actionButton(dialog, action).click();
  }

  const dots = (page: Page) => page.getByRole('main').getByRole('button', { name: en.autoTrades.cockpit.more, exact: true });
  /** The buttons of a bot that the screen offers, those of its menu too, once they are those its machine allows. */
  const offered = (page: Page, allowed: readonly BotAction[]) =>
    expect
      .poll(async () => {
        if ((await dots(page).getAttribute('aria-expanded')) !== 'true') await dots(page).click();
        const shown = await page.getByRole('main').getByRole('button').or(page.getByRole('menuitem')).allTextContents();
        return botAction.options.filter((action) => labelsOf(action).some((name) => shown.includes(name)));
      })
      .toEqual(allowed)
      // It would lie over what stands below.
      .then(() => page.keyboard.press('Escape'));

  const paths = TIER === 'deep' ? pathsOfAPerson : pathsOfEachButton;
  const pressed = new Set<BotAction>();
  test.each(paths.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    const holds = path.steps.some(({ event }) => 'exits' in event && event.exits === 'freeze');
    const bot = await create(holds);
    const stored = async () => (await user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`)).body;
    const page = await context.newPage();
    const found = complaints(page);
    try {
      await page.goto(`/auto-trade/detail/${bot.id}`);
      await settled(page);
      let state: AutoTradeStateName = 'disabled';
      let machine = newAutoTradeContext;
      for (const { event } of path.steps.slice(2)) {
        const action = actionOf(event as AutoTradeEvent, state, machine);
        const allowed = allowedBotActions(state, machine, (await stored()).openPositions > 0);
        await offered(page, allowed);
        // What is not offered is what the machine does not take, or what would change nothing.
        if (action === undefined || !allowed.includes(action)) continue;
        await press(page, action);
        pressed.add(action);
        const next = advanceAutoTrade(state, machine, event as AutoTradeEvent);
        if (next) ({ state, context: machine } = next);
        if (state === 'deleted') {
          await page.waitForURL('**/auto-trade');
          break;
        }
        await page
          .getByRole('main')
          .getByRole('region', { name: bot.name, exact: true })
          .getByText(en.botStates[expected[state] as 'Running'], { exact: true })
          .first()
          .waitFor();
        // Where the state stays what it was (a reset), the screen has shown it before the server heard of the press.
        await expect
          .poll(async () => {
            const { state: is, runNo, exits } = await stored();
            return [is, runNo, exits];
          })
          .toEqual([expected[state], machine.runNo, machine.exits]);
        if (holds && state === 'running') await expect.poll(async () => (await stored()).openPositions).toBe(1);
        const unguarded = isFrozen(state, machine) && (await stored()).openPositions > 0;
        await page.getByText(en.autoTrades.frozen.title).waitFor({ state: unguarded ? 'visible' : 'detached' });
        if (unguarded && PICTURES) await page.screenshot({ path: `${PICTURES}/bot-frozen.png` });
      }
      expect(found).toEqual([]);
    } finally {
      await page.close();
      await user.call(`/bff/v2/auto-trades/${bot.id}?detach=true`, { method: 'DELETE' });
    }
  });

  // A pause is lifted by hand only where a protection made it: that is another test's.
  test('everything that a person may press was pressed', () => {
    expect([...pressed].sort()).toEqual(botAction.options.filter((action) => action !== 'resume').sort());
  });
});
