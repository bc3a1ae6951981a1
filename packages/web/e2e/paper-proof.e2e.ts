import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AutoTradeDetail } from '@pilotfish/core/auto-trades/auto-trades-contract';
import en from '@pilotfish/core/locales/en.json' with { type: 'json' };
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { auditPaperBots } from '@pilotfish/server/app/testing/paper-audit';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, ownStage, type Stage, settled } from './stage.ts';

// A bot on paper at the prices of an exchange that has no account of ours, clicked from the wallet to the audit: it buys,
// the streams are cut, the server restarts, and one of its two coins is paused and taken off the list.

const PICTURES = process.env.PILOTFISH_SCREENS;
const { form, byHand, tab } = en.autoTrades;

describe.runIf(CHROMIUM)('a bot on paper over a mirrored market', () => {
  let stage: Stage;
  let user: SignedInUser;
  beforeAll(async () => {
    stage = await ownStage({}, { exchange: 'binance' });
    await stage.server.register();
    user = await stage.server.register();
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
  });
  afterAll(() => stage?.close());

  const main = (page: Page) => page.getByRole('main');
  const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
  const field = (page: Page, name: string) => main(page).getByLabel(name, { exact: true });
  const dialog = (page: Page) => page.locator('dialog[open]');
  const picture = async (page: Page, name: string) => {
    expect([name, await axeViolations(page)]).toEqual([name, []]);
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `paper-${name}.png`), fullPage: true });
  };
  /** Another run of the server at the same address, as after an update. */
  const restart = () => stage.server.restart(undefined, { port: Number(new URL(stage.server.url).port) });
  const setStatus = (status: 'BREAK' | 'DELISTED') => stage.simulator.faults.apply({ kind: 'symbol', symbol: 'ETHUSDT', status });

  test('what its owner sees through cuts, a restart and a delisting; account, ledger and traces agree', async () => {
    const page = await (await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) })).newPage();
    const found = complaints(page);
    await page.goto('/auto-trade/wallets');
    await settled(page);
    await button(page, en.autoTrades.wallet.open).first().click();
    await dialog(page).getByLabel(en.autoTrades.wallet.name, { exact: true }).fill('Play');
    await dialog(page).getByRole('button', { name: en.autoTrades.wallet.open, exact: true }).click();
    await main(page).getByRole('heading', { name: 'Play' }).waitFor();

    await page.goto('/auto-trade/create');
    await settled(page);
    await field(page, form.name).fill('Both');
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) {
      await field(page, form.coins).fill(symbol);
      await button(page, symbol).first().click();
    }
    await button(page, en.ui.next).click();
    await field(page, form.perEntry).fill('200');
    await button(page, form.triggerKind.immediate).click();
    await main(page).getByText(form.trailing, { exact: true }).first().click();
    await main(page).getByRole('switch', { name: form.trailing }).click();
    await main(page).getByText(form.entryOrder, { exact: true }).first().click();
    await button(page, form.orderType.Market).click();
    const step = (name: keyof typeof form.step) =>
      main(page).getByRole('list', { name: form.steps }).getByRole('button', { name: form.step[name] }).click();
    await picture(page, 'form');
    await step('exit');
    await field(page, form.stopLoss).first().selectOption('percent');
    await field(page, form.stopPct).fill('15');
    await step('review');
    await button(page, form.save).click();
    await page.waitForURL('**/auto-trade/detail/*');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const get = async <Body>(path: string) => (await user.call<Body>(path)).body;
    const detail = () => get<AutoTradeDetail>(`/bff/v2/auto-trades/${id}/detail`);
    const stateOf = async (symbol: string) => (await detail()).positions.find((each) => each.symbol === symbol)?.state;
    await button(page, en.autoTrades.action.enable).click();
    await dialog(page).getByRole('button', { name: en.autoTrades.action.enable, exact: true }).click();

    // It buys both: what it holds, and why it still does.
    const chosen = (symbol: string) =>
      main(page)
        .getByRole('row')
        .getByRole('button', { name: symbol.slice(0, 3) });
    for (const symbol of ['BTCUSDT', 'ETHUSDT']) await chosen(symbol).filter({ hasText: en.positionStates.Open }).waitFor();
    await picture(page, 'bought');
    await button(page, tab.why).click();
    await main(page).getByText(en.why['take-profit']).first().waitFor();
    await picture(page, 'why');

    const cutAt = stage.simulator.clock.now();
    stage.simulator.faults.apply({ kind: 'streams', action: 'cut', of: 'market' });
    const heardAt = async () => Date.parse((await detail()).evaluations.find(({ symbol }) => symbol === 'BTCUSDT')?.at ?? '');
    await expect.poll(heardAt).toBeGreaterThan(cutAt);

    // Trading of the one pauses: the dialog counts no value by the price that stands.
    setStatus('BREAK');
    await restart();
    await main(page).getByText(en.waitsFor.trading).first().waitFor();
    await expect.poll(heardAt).toBeGreaterThan(cutAt);
    await button(page, tab.positions).click();
    await chosen('ETHUSDT').click();
    await main(page).getByText(en.autoTrades.notTraded.detail).waitFor();
    await button(page, byHand.action.sell).click();
    await dialog(page)
      .getByText(/cannot be sold now/)
      .waitFor();
    expect(
      await dialog(page)
        .getByText(/after the fee/)
        .count(),
    ).toBe(0);
    await picture(page, 'paused');
    await dialog(page).getByRole('button', { name: byHand.action.sell, exact: true }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await expect.poll(() => stateOf('ETHUSDT')).toBe('Open');

    // It leaves the list: what is held stays in sight, and the sale is refused with the reason.
    setStatus('DELISTED');
    await restart();
    await page.reload();
    await settled(page);
    await chosen('ETHUSDT').click();
    await main(page).getByText(en.autoTrades.notTraded.detail).waitFor();
    await main(page).getByText(en.autoTrades.noChart).waitFor();
    await picture(page, 'left');
    await button(page, byHand.action.sell).click();
    await dialog(page).getByRole('button', { name: byHand.action.sell, exact: true }).click();
    await dialog(page).getByText(en.errors['not-trading'].detail).waitFor();
    await picture(page, 'left-sale');
    await page.keyboard.press('Escape');
    await button(page, tab.why).click();
    await main(page).getByText(en.waitsFor.trading).first().waitFor();
    await picture(page, 'left-why');

    // Its owner takes it over, sells the other one and ends the bot.
    await button(page, tab.positions).click();
    await chosen('ETHUSDT').click();
    const { id: takenOver } = (await detail()).positions.find(({ symbol }) => symbol === 'ETHUSDT')!;
    await button(page, byHand.action.detach).click();
    await dialog(page).getByRole('button', { name: byHand.action.detach, exact: true }).click();
    await expect.poll(() => stateOf('ETHUSDT')).toBe('Detached');
    await button(page, en.autoTrades.action.disable).click();
    await dialog(page).getByRole('button', { name: en.autoTrades.action.disable, exact: true }).click();
    await chosen('BTCUSDT').click();
    await button(page, byHand.action.sell).click();
    await dialog(page).getByRole('button', { name: byHand.action.sell, exact: true }).click();
    await expect.poll(() => stateOf('BTCUSDT')).toBe('Closed');
    await picture(page, 'over');
    expect(found).toEqual([]);

    // The audit asks for orders of both, which takes a list that has both.
    stage.simulator.faults.clear();
    const [wallet] = await get<Wallet[]>('/bff/v2/wallets');
    const counts = await auditPaperBots({
      get,
      dataDir: stage.server.dataDir,
      exchange: stage.simulator,
      now: stage.server.now,
      autoTradeIds: [id],
      walletIds: [wallet!.id],
      symbols: ['BTCUSDT', 'ETHUSDT'],
      detached: new Set([takenOver]),
    });
    expect(counts).toMatchObject({ executed: 3, positions: 2 });
    await page.context().close();
  });
});
