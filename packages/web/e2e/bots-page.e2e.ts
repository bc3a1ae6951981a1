import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

// The page of all bots asks the same few things however many bots there are.

const BOTS = 12;

/** A bot that buys far below anything that comes: it watches. */
const watching = (name: string, walletId: string) => ({
  name,
  walletId,
  coins: { symbols: ['BTCUSDT'] },
  entry: { size: { mode: 'fixed', value: '200' }, trigger: { kind: 'drop', dropPct: '40', lookbackMin: 240 } },
  takeProfit: { levels: [{ gainPct: '50', sellPct: '100' }] },
  stopLoss: { mode: 'none' },
});

describe.runIf(CHROMIUM)('the page of all bots', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await sharedStage();
  });
  afterAll(() => stage?.close());

  test('every card says what its bot waits for, and none asks for itself', { tags: ['smoke'] }, async () => {
    const user = await stage.server.register();
    const keys = await user.call('/gateway/v2/account/connect/binance/demo', { method: 'POST' });
    await user.call('/gateway/v2/account/connect/binance', { body: keys.body });
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'Main', mode: 'paper', initialBalance: '9000' } });
    const ids: string[] = [];
    for (let number = 1; number <= BOTS; number += 1) {
      const { body } = await user.call<{ autoTrade: AutoTrade }>('/bff/v2/auto-trades', {
        body: watching(`Bot ${number}`, wallet.id),
      });
      ids.push(body.autoTrade.id);
      await user.call(`/bff/v2/auto-trades/${body.autoTrade.id}/enable`, { method: 'POST', body: {} });
    }
    const figures = async () =>
      (await user.call<{ id: string; next: { symbol: string } | null }[]>('/bff/v2/auto-trades/figures')).body.filter(({ next }) => next);
    await expect.poll(async () => (await figures()).map(({ id }) => id).sort()).toEqual([...ids].sort());

    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/(?:bff|gateway)\//.test(pathname)) asked.push(pathname);
    });
    await page.goto('/auto-trade');
    await settled(page);
    const waiting = page.getByRole('main').getByRole('listitem').filter({ hasText: 'BTC:' });
    await expect.poll(() => waiting.count()).toBe(BOTS);
    expect(asked.filter((path) => ids.some((id) => path.includes(id)))).toEqual([]);
    expect(asked.filter((path) => path.endsWith('/auto-trades/figures')).length).toBeLessThanOrEqual(3);
    await context.close();
  });

  test('names from right to left turn nothing beside them: in a list of links, in a sentence', async () => {
    const user = await stage.server.register();
    const { body: wallet } = await user.call<Wallet>('/bff/v2/wallets', { body: { name: 'ארנק', mode: 'paper', initialBalance: '900' } });
    for (const name of ['אלף', 'בית'])
      expect((await user.call('/bff/v2/auto-trades', { body: watching(name, wallet.id) })).status).toBe(200);
    const context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    const page = await context.newPage();
    await page.goto('/auto-trade/wallets');
    await settled(page);
    const main = page.getByRole('main');
    const [first, second] = await Promise.all(
      ['אלף', 'בית'].map(async (name) => {
        const link = main.getByRole('link', { name, exact: true });
        return { x: (await link.boundingBox())!.x, at: await link.evaluate((element) => element.parentElement!.textContent.includes(',')) };
      }),
    );
    // The one that comes first in the list stands first: without isolation two such names and the comma are one run.
    const [left, right] = first!.at ? [second!, first!] : [first!, second!];
    expect(left.x).toBeLessThan(right.x);
    await main.getByRole('button', { name: 'Add or take: \u2068ארנק\u2069' }).click();
    const field = page.locator('dialog[open]').getByLabel('Note', { exact: false });
    await expect.poll(() => field.getAttribute('dir')).toBe('auto');
    await context.close();
  });
});
