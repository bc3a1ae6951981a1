import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedInUser } from '@pilotfish/server/app/testing/test-server';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, DESKTOP, type Stage, settled, sharedStage } from './stage.ts';

const PICTURES = process.env.PILOTFISH_SCREENS;
const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const trade = (day: string, side: string, price: number, quantity: number) =>
  `2025-01-${day} 10:00:00,BTCUSDT,${side},${price},${quantity}BTC,${price * quantity}USDT,${(price * quantity) / 1000}USDT`;
const TRADES = [HEADER, trade('01', 'BUY', 90_000, 0.5), trade('02', 'SELL', 95_000, 0.5), trade('03', 'BUY', 93_000, 0.1)];

describe.runIf(CHROMIUM)('importing and explaining in the browser', () => {
  let stage: Stage;
  let user: SignedInUser;
  let context: BrowserContext;
  let page: Page;
  let found: string[];
  beforeAll(async () => {
    stage = await sharedStage();
    user = await stage.server.register();
    const { apiKey, apiSecret } = await stage.simulator.createAccount({ balances: { ETH: '2', USDT: '0' } });
    await user.call('/gateway/v2/account/connect/binance', { body: { clientId: apiKey, clientSecret: apiSecret } });
    context = await stage.context(DESKTOP, { ...user, session: await stage.server.signIn(user) });
    page = await context.newPage();
    found = complaints(page);
  });
  afterAll(() => stage?.close());
  afterEach(() => expect(found.splice(0)).toEqual([]));

  const main = () => page.getByRole('main');
  const give = (name: string, text: string) =>
    main()
      .locator('input[type=file]')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const clean = async (name: string) => {
    expect(await axeViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `import-${name}.png`), fullPage: true });
  };
  const closed = async () => (await user.call<{ total: number }>('/bff/v2/positions/closed')).body.total;

  test('a file is read, shown, imported, listed, and taken back after a question', { tags: ['smoke'] }, async () => {
    await page.goto('/positions/import');
    await settled(page);
    await give('trades.csv', TRADES.join('\n'));
    await main().getByRole('button', { name: 'Import 3 rows' }).waitFor();
    await expect.poll(() => main().getByRole('row').count()).toBe(4);
    expect(await closed()).toBe(0);
    await clean('preview');
    await main().getByRole('button', { name: 'Import 3 rows' }).click();
    await main().getByText('3 rows imported').waitFor();
    expect(await closed()).toBe(1);
    await main().getByRole('button', { name: 'Take back trades.csv' }).waitFor();
    await clean('done');
    // It is in the list, and the file is found again where it was left.
    const list = await context.newPage();
    await list.goto('/positions/closed-positions');
    await list.getByRole('rowheader', { name: /BTC/ }).waitFor();
    await list.close();
    await main().getByRole('link', { name: 'Orders', exact: true }).click();
    await main().getByText('No open orders').waitFor();
    await main().getByRole('link', { name: 'Import', exact: true }).click();
    await main().getByText('3 rows imported').waitFor();
    await main().getByRole('button', { name: 'Another file' }).click();
    // The same file again brings nothing.
    await give('again.csv', TRADES.join('\n'));
    await main().getByText('Everything in this file is already known. There is nothing to import.').waitFor();
    expect(
      await main()
        .getByRole('button', { name: /^Import 0/ })
        .isDisabled(),
    ).toBe(true);
    await clean('known');
    await main().getByRole('button', { name: 'Another file' }).click();
    await main().getByRole('button', { name: 'Take back trades.csv' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click();
    await main().getByText('No file has been imported yet.').waitFor();
    expect(await closed()).toBe(0);
  });

  test('a coin of which a swap has one side is carried over to what it became, and that is taken back', async () => {
    await page.goto('/positions/import');
    await settled(page);
    const rows = [
      '2024-01-02 10:00:00,Spot,Transaction Buy,MATIC,100',
      '2024-01-02 10:00:00,Spot,Transaction Spend,USDT,-100',
      '2024-09-13 08:00:00,Spot,Token Swap - Redenomination/Rebranding,MATIC,-100',
      '2024-10-01 10:00:00,Spot,Transaction Sold,POL,-100',
      '2024-10-01 10:00:00,Spot,Transaction Revenue,USDT,120',
    ];
    const header = 'User_ID,UTC_Time,Account,Operation,Coin,Change,Remark';
    await give('statement.csv', [header, ...rows.map((row) => `1,${row},`)].join('\n'));
    await main().getByText('MATIC: 100 left in a swap').waitFor();
    await main().getByRole('button', { name: 'Import 3 rows' }).click();
    await main().getByRole('button', { name: 'Carry over cost: 100 MATIC' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New coin', { exact: true }).fill('pol');
    await dialog.getByLabel('New coin quantity').fill('100');
    await clean('carry-over');
    await dialog.getByRole('button', { name: 'Carry over cost' }).click();
    await main().getByText('No swap has a missing side.').waitFor();
    const realised = async () => (await user.call<{ totals: { realised: string }[] }>('/bff/v2/positions/overview')).body.totals;
    expect(await realised()).toMatchObject([{ realised: '20' }]);
    await clean('carried-over');
    await main().getByRole('button', { name: 'Take back 100 MATIC → 100 POL' }).click();
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await main().getByRole('button', { name: 'Carry over cost: 100 MATIC' }).waitFor();
    await main().getByRole('button', { name: 'Take back statement.csv' }).click();
    await dialog.getByRole('button', { name: 'Take back' }).click();
    await main().getByText('No swap has a missing side.').waitFor();
  });

  test('a large file tells how far it is, while it is read and while it is stored', async () => {
    const start = Date.UTC(2024, 0, 1);
    const rows = Array.from({ length: 30_000 }, (_, index) => {
      const time = new Date(start + index * 60_000).toISOString().slice(0, 19).replace('T', ' ');
      return `${time},ETHUSDT,${index % 2 ? 'SELL' : 'BUY'},2000,0.01ETH,20USDT,0.02USDT`;
    });
    await page.goto('/positions/import');
    await settled(page);
    // Every text the place of the progress had, and every length of the bar.
    await page.evaluate(() => {
      const seen = { texts: [] as string[], shares: [] as number[] };
      Object.assign(globalThis, { progressSeen: seen });
      new MutationObserver(() => {
        const status = document.querySelector('main [role=status]')?.textContent;
        if (status && seen.texts.at(-1) !== status) seen.texts.push(status);
        const share = document.querySelector('main [role=progressbar]')?.getAttribute('aria-valuenow');
        if (share && seen.shares.at(-1) !== Number(share)) seen.shares.push(Number(share));
      }).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
    });
    const seen = () => page.evaluate(() => (globalThis as unknown as { progressSeen: { texts: string[]; shares: number[] } }).progressSeen);
    await give('large.csv', [HEADER, ...rows].join('\n'));
    await main().getByRole('button', { name: 'Import 30,000 rows' }).waitFor();
    const reading = (await seen()).texts.filter((text) => /[\d,]+ rows/.test(text));
    expect(new Set(reading).size).toBeGreaterThan(1);
    await main().getByRole('button', { name: 'Import 30,000 rows' }).click();
    await main().getByText('30,000 rows imported').waitFor();
    const { texts, shares } = await seen();
    const stored = texts.flatMap((text) => /([\d,]+) of 30,000/.exec(text)?.[1] ?? []).map((text) => Number(text.replaceAll(',', '')));
    expect(stored.length).toBeGreaterThan(1);
    expect(stored).toEqual(stored.toSorted((one, other) => one - other));
    expect(shares.length).toBeGreaterThan(1);
    await clean('large');
    // Taken back it is gone at once, however long its removal takes.
    await main().getByRole('button', { name: 'Take back', exact: true }).first().click();
    await main().getByText('Drop an export file here').waitFor();
    expect(await closed()).toBe(0);
  });

  test('a zone that nobody knows is asked for', async () => {
    await give('trades.csv', TRADES.join('\n').replace('Date(UTC)', 'Time'));
    await main().getByText('Which time zone does this file use?').waitFor();
    await expect.poll(() => main().getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true);
    await clean('zone');
    await main().getByRole('combobox', { name: 'Time zone' }).selectOption('UTC+3');
    await main().getByRole('button', { name: 'Continue' }).click();
    await main()
      .getByText(/Trade history · UTC\+3/)
      .waitFor();
    await main().getByRole('button', { name: 'Another file' }).click();
  });

  test('columns that nobody knows are mapped by hand', async () => {
    const rows = ['When (UTC),Market name,Way,Each,How many,Sum,Cost', '2025-01-01 10:00:00,BTCUSDT,BUY,90000,0.5,45000,45'];
    await give('own.csv', rows.join('\n'));
    await main().getByRole('status').getByText('What do the columns contain?').waitFor();
    const columns: [string, string][] = [
      ['Time *', 'When (UTC)'],
      ['Pair *', 'Market name'],
      ['Side *', 'Way'],
      ['Price *', 'Each'],
      ['Quantity *', 'How many'],
      ['Total *', 'Sum'],
      ['Fee', 'Cost'],
    ];
    await main()
      .getByText(/^Still missing: Time, Pair/)
      .waitFor();
    for (const [field, column] of columns) await main().getByRole('combobox', { name: field, exact: true }).selectOption(column);
    await main().getByText('Ready to read.').waitFor();
    await clean('mapping');
    await main().getByRole('button', { name: 'Continue' }).click();
    await main().getByRole('button', { name: 'Import 1 row' }).or(main().getByText('Which time zone')).first().waitFor();
    await main().getByRole('button', { name: 'Another file' }).click();
  });

  test('rows that cannot be read are told with their reason, and stored around only when that is said', async () => {
    const broken = [...TRADES, trade('04', 'HOLD', 1, 1), 'yesterday,BTCUSDT,BUY,1,1BTC,1USDT,0USDT'];
    await give('broken.csv', broken.join('\n'));
    const commit = main().getByRole('button', { name: 'Import 3 rows' });
    await commit.waitFor();
    await main().getByText('neither buy nor sell').waitFor();
    await main().getByText('the time cannot be read').waitFor();
    await expect.poll(() => commit.isDisabled()).toBe(true);
    await clean('partial');
    await main()
      .getByRole('switch', { name: /Skip 2 rows/ })
      .check();
    await commit.click();
    await main().getByText('3 rows imported').waitFor();
    await main().getByRole('button', { name: 'Take back', exact: true }).first().click();
    await main().getByText('Drop an export file here').waitFor();
  });

  test('a file that is none is refused in a sentence, and nothing is stored', async () => {
    await main()
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from([0x89, 0x50, 0x4e, 0x47]) });
    await main().getByRole('alert').getByText('The file was not read').waitFor();
    await main().getByText('Nothing was stored.').waitFor();
    await clean('refused');
    await main().getByRole('button', { name: 'Another file' }).click();
  });

  test('what the account holds less of than the trades tell is explained by a sale, and leaves the list', async () => {
    await page.goto('/positions/import');
    await settled(page);
    await give('ada.csv', [HEADER, '2025-01-03 10:00:00,ADAUSDT,BUY,0.4,500ADA,200USDT,0.2USDT'].join('\n'));
    await main().getByRole('button', { name: 'Import 1 row' }).click();
    await main().getByText('1 row imported').waitFor();
    await page.goto('/positions/migration?asset=ADA');
    await settled(page);
    await main().getByRole('heading', { name: 'ADA' }).waitFor();
    await main().getByRole('textbox', { name: 'Price' }).fill('0.5');
    await main().getByRole('button', { name: 'Preview' }).click();
    await main().getByText('Difference: −500 → none').waitFor();
    const assets = async () => (await user.call<{ asset: string }[]>('/bff/v2/migration')).body.map(({ asset }) => asset);
    expect(await assets()).toContain('ADA');
    await clean('gap');
    await main().getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('dialog').getByText('Realised').waitFor();
    await clean('built');
    await page.keyboard.press('Escape');
    await main().getByRole('heading', { name: 'ADA' }).waitFor({ state: 'detached' });
    expect(await assets()).not.toContain('ADA');
  });

  test('what came without a trade gets its cost', async () => {
    await page.goto('/positions/migration?asset=ETH');
    await settled(page);
    await main().getByRole('heading', { name: 'ETH' }).waitFor();
    await main().getByRole('textbox', { name: 'Quantity held' }).fill('2');
    await main().getByRole('textbox', { name: 'Total cost' }).fill('5000');
    await main().getByRole('button', { name: 'Preview' }).click();
    await main().getByText('After this').waitFor();
    await clean('cost');
    await main().getByRole('button', { name: 'Add', exact: true }).click();
    await main().getByText('After this').waitFor({ state: 'detached' });
    expect((await user.call<{ asset: string }[]>('/bff/v2/migration')).body.map(({ asset }) => asset)).not.toContain('ETH');
  });
});
