import {
  type AutoTradeContext,
  type AutoTradeEvent,
  type AutoTradeStateName,
  advanceAutoTrade,
  newAutoTradeContext,
} from '@pilotfish/core/auto-trades/auto-trade-machine';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import { pathsOfAPerson } from '@pilotfish/core/testing/auto-trade-paths';
import { type MachinePath, title } from '@pilotfish/core/testing/machine-paths';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, complaints, DESKTOP, openStage, type Stage, settled } from './stage.ts';

// The paths of the bot's machine, as far as a person can walk them, clicked in Chromium against the real server and
// the simulated exchange. After every click screen, server and machine must name the same state.

/** Events a person causes, and the button for each. */
const BUTTONS: Record<string, (event: AutoTradeEvent, context: AutoTradeContext) => string> = {
  'bot.enabled': (event, { mustAcknowledge }) =>
    mustAcknowledge && 'acknowledge' in event && event.acknowledge ? en.autoTrades.action.acknowledge : en.autoTrades.action.enable,
  'bot.disabled': (event) => ('exits' in event && event.exits === 'freeze' ? en.autoTrades.action.freeze : en.autoTrades.action.disable),
  'bot.halted': () => en.autoTrades.action.halt,
  'bot.reset': () => en.autoTrades.action.reset,
  'bot.deleted': () => en.autoTrades.action.delete,
};

const expected: Record<AutoTradeStateName, string> = {
  draft: 'Draft',
  disabled: 'Disabled',
  running: 'Running',
  paused: 'Paused',
  blocked: 'Blocked',
  halted: 'Halted',
  deleted: 'Deleted',
};

describe.runIf(CHROMIUM)('a bot’s life in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let wallet: Wallet;
  let count = 0;

  beforeAll(async () => {
    stage = await openStage();
    user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    wallet = (await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '1000' } })).body;
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
  });
  afterAll(() => stage?.close());

  async function create(): Promise<AutoTrade> {
    count += 1;
    const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
      body: {
        name: `Bot ${count}`,
        walletId: wallet.id,
        coins: { symbols: ['BTCUSDT'] },
        // A drop that does not come: the paths are about the bot, not about its positions.
        entry: { size: { mode: 'fixed', value: '100' }, trigger: { kind: 'drop', dropPct: '80', lookbackMin: 5 } },
        stopLoss: { mode: 'none' },
      },
    });
    return body.autoTrade;
  }

  async function click(page: Page, label: string): Promise<boolean> {
    const button = page.getByRole('main').getByRole('button', { name: label, exact: true });
    if ((await button.count()) === 0) return false;
    await button.click();
    await page.getByRole('dialog').or(page.getByRole('alertdialog')).getByRole('button', { name: label, exact: true }).click();
    return true;
  }

  test.each(pathsOfAPerson.map((path): [string, MachinePath] => [title(path), path]))('%s', async (_, path) => {
    const bot = await create();
    const page = await context.newPage();
    const found = complaints(page);
    try {
      await page.goto(`/auto-trade/detail/${bot.id}`);
      await settled(page);
      let state: AutoTradeStateName = 'draft';
      let machine = newAutoTradeContext;
      for (const { event } of path.steps.slice(1)) {
        const next = advanceAutoTrade(state, machine, event as AutoTradeEvent);
        const label = BUTTONS[event.type]?.(event as AutoTradeEvent, machine);
        if (label !== undefined) {
          const offered = await click(page, label);
          if (!offered) {
            // What the screen leaves out would change nothing a person can see: the state would stay as it is.
            const changes = next !== undefined && (next.state !== state || event.type === 'bot.reset');
            // Freezing is offered only when there is something to freeze; without positions it is disabling.
            const freezes = event.type === 'bot.disabled' && 'exits' in event && event.exits === 'freeze';
            expect([event.type, changes && !freezes]).toEqual([event.type, false]);
            if (!freezes || !changes) continue;
            await click(page, en.autoTrades.action.disable);
          }
        }
        if (next) ({ state, context: machine } = next);
        if (state === 'deleted') {
          await page.waitForURL('**/auto-trade');
          break;
        }
        await page
          .locator('h1')
          .locator('..')
          .getByText(en.botStates[expected[state] as 'Running'], { exact: true })
          .first()
          .waitFor();
        // Where the state stays what it was (a reset), the screen has shown it before the server heard of the click.
        const stored = async () => (await user.call<AutoTrade>(`/bff/v2/auto-trades/${bot.id}`)).body;
        await expect
          .poll(async () => {
            const { state: is, runNo } = await stored();
            return [is, runNo];
          })
          .toEqual([expected[state], machine.runNo]);
      }
      expect(found).toEqual([]);
    } finally {
      await page.close();
      await user.call(`/bff/v2/auto-trades/${bot.id}`, { method: 'DELETE' });
    }
  });
});
