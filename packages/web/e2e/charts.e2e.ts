import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { axeViolations, CHROMIUM, complaints, type Stage, settled, sharedStage } from './stage.ts';

describe.runIf(CHROMIUM)('the chart of a pair', () => {
  let stage: Stage;
  let page: Page;
  let found: string[];
  beforeAll(async () => {
    stage = await sharedStage();
    page = await (await stage.context()).newPage();
    found = complaints(page);
    await page.goto('/prices?pair=ETHUSDT');
    await settled(page);
    await page.locator('.chart-canvas canvas').first().waitFor();
  });
  afterAll(() => stage?.close());
  /** Where candles are: without the axes. */
  const area = () => page.locator('.chart-canvas td:nth-child(2)').first();
  const chart = () => page.getByRole('img', { name: /^ETHUSDT/ });
  // biome-ignore-start lint/performance/useDomNodeTextContent: textContent runs words together that stand apart
  const readout = () => page.locator('.chart-readout').innerText();
  const spoken = () => page.locator('.chart [aria-live=polite]').innerText();
  // biome-ignore-end lint/performance/useDomNodeTextContent: see above

  test('is described in a sentence with its first, last, lowest, highest and change', { tags: ['smoke'] }, async () => {
    await expect
      .poll(() => chart().getAttribute('aria-label'))
      .toMatch(/^ETHUSDT, 1h: from [\d,.]+ to [\d,.]+ \([+−]?[\d.]+%\), lowest [\d,.]+, highest [\d,.]+$/);
    // The licence of what draws it asks for the link.
    expect(await page.getByRole('link', { name: 'TradingView' }).getAttribute('href')).toBe('https://www.tradingview.com/');
    expect(await axeViolations(page)).toEqual([]);
  });
  test('arrows read one candle after the other, aloud and in the readout', async () => {
    await chart().focus();
    await page.keyboard.press('ArrowLeft');
    const first = await spoken();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction((before) => document.querySelector('.chart [aria-live=polite]')?.textContent !== before, first);
    expect(await spoken()).toMatch(/O [\d,.]+, H [\d,.]+, L [\d,.]+, C [\d,.]+/);
    const time = (await spoken()).split(/: O/)[0] ?? '';
    expect(await readout()).toContain(time);
    expect(await readout()).toMatch(/EMA 20\s+[\d,.]+/);
    expect(await readout()).toMatch(/RSI 14\s+[\d.]+/);
  });
  test('what is read stays what lies under the pointer when older candles come in before it', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hasAsked = false;
    const older = /candles\/ETHUSDT.*endTime=/;
    await page.route(older, async (route) => {
      hasAsked = true;
      await held;
      await route.continue();
    });
    const over = area();
    const box = (await over.boundingBox())!;
    // Not beyond the oldest: what then comes into sight would have everything looked up anew.
    await chart().focus();
    for (let step = 0; step < 100 && !hasAsked; step += 1) await page.keyboard.press('Shift+ArrowLeft');
    await page.mouse.move(box.x + box.width / 2, box.y + 60);
    // The averages may change, they begin earlier; the candle may not.
    const candle = async () => (await readout()).split(/\s+Vol\b/)[0];
    const before = await candle();
    const came = page.waitForResponse(older);
    release();
    await came;
    await page.getByText('Loading older candles').waitFor({ state: 'detached' });
    expect(await candle()).toBe(before);
    await page.unroute(older);
  });
  test('dragging to the right loads older candles', { tags: ['smoke'] }, async () => {
    let hasCome = false;
    const asked = page.waitForRequest((request) => /candles\/ETHUSDT.*endTime=/.test(request.url()));
    void asked.then(() => {
      hasCome = true;
    });
    const box = (await area().boundingBox())!;
    for (let drag = 0; drag < 40 && !hasCome; drag += 1) {
      await page.mouse.move(box.x + 20, box.y + 60);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width - 20, box.y + 60, { steps: 4 });
      await page.mouse.up();
    }
    const endTime = new URL((await asked).url()).searchParams.get('endTime') ?? '';
    expect(Date.parse(endTime)).toBeLessThan(stage.server.now() - 400 * 3_600_000);
  });
  test('the wheel zooms without scrolling the page, a double click goes back to the newest', async () => {
    const before = await page.evaluate(() => scrollY);
    const over = area();
    await over.hover();
    await page.mouse.wheel(0, -300);
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await over.dblclick();
  });
  test('as a table: no more than a hundred rows, newest first, and back', async () => {
    await page.getByRole('button', { name: 'Show as table' }).click();
    const rows = page.locator('.chart tbody tr');
    await expect.poll(() => rows.count()).toBeGreaterThan(20);
    await expect.poll(() => rows.count()).toBeLessThanOrEqual(100);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show as chart' }).click();
    await page.locator('.chart-canvas canvas').first().waitFor();
  });
  test('indicators come and go, and are remembered; the range stands in the address', async () => {
    await page.getByRole('button', { name: 'Indicators' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Bollinger 20, 2' }).click();
    await page.waitForFunction(() => document.querySelector('.chart-readout')?.textContent?.includes('Bollinger'));
    // Without a pane the candles have its room.
    const panes = () => page.locator('.chart-canvas tr').count();
    const withRsi = await panes();
    const heightOf = async () => (await page.locator('.chart-canvas').boundingBox())?.height;
    const whole = await heightOf();
    await page.getByRole('menuitemcheckbox', { name: 'RSI 14', exact: true }).click();
    await expect.poll(panes).toBeLessThan(withRsi);
    expect(await heightOf()).toBe(whole);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '1D', exact: true }).click();
    await page.waitForFunction(() => new URL(location.href).searchParams.get('range') === '1d');
    await page.reload();
    await settled(page);
    await page.locator('.chart-canvas canvas').first().waitFor();
    await page.getByRole('button', { name: 'Indicators' }).click();
    await expect.poll(() => page.getByRole('menuitemcheckbox', { name: 'Bollinger 20, 2' }).getAttribute('aria-checked')).toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('button', { name: '5m', exact: true }).getAttribute('aria-pressed')).toBe('true');
    await expect.poll(panes).toBeLessThan(withRsi);
  });
  test('a theme change only repaints it', async () => {
    const canvas = page.locator('.chart-canvas canvas').first();
    await canvas.evaluate((element) => element.setAttribute('data-same', ''));
    const pixels = () => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
    const dark = await pixels();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('combobox').fill('Switch to light');
    await page.keyboard.press('Enter');
    await page.waitForFunction(
      (before) => (document.querySelector('.chart-canvas canvas[data-same]') as HTMLCanvasElement | null)?.toDataURL() !== before,
      dark,
    );
    expect(found).toEqual([]);
  });

  test('a finger moves through time, two zoom, and the page still scrolls', async () => {
    const context = await stage.plainContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } });
    // Ticks would change the pixels, too.
    await context.route(/\/stream\b/, (route) => route.abort());
    const phone = await context.newPage();
    await phone.goto('/prices?pair=ETHUSDT');
    await settled(phone);
    const canvas = phone.locator('.chart-canvas canvas').first();
    await canvas.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const devtools = await context.newCDPSession(phone);
    const place = async () => (await canvas.boundingBox())!;
    /** Fingers from one place to another, in px from the middle of the chart. */
    const touch = async (...fingers: readonly (readonly [from: [number, number], to: [number, number]])[]) => {
      const { x, y, width, height } = await place();
      const at = (part: number) =>
        fingers.map(([from, to], id) => ({
          id,
          x: x + width / 2 + from[0] + (to[0] - from[0]) * part,
          y: y + height / 2 + from[1] + (to[1] - from[1]) * part,
        }));
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (let step = 1; step <= 8; step += 1)
        await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 8) });
      await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const pixels = () => canvas.evaluate((element) => (element as HTMLCanvasElement).toDataURL());
    const still = await pixels();
    await touch([
      [-60, 0],
      [60, 4],
    ]);
    await expect.poll(pixels).not.toBe(still);
    const panned = await pixels();
    await touch(
      [
        [-20, 0],
        [-80, 0],
      ],
      [
        [20, 0],
        [80, 0],
      ],
    );
    await expect.poll(pixels).not.toBe(panned);
    const { y } = await place();
    await touch([
      [0, 60],
      [0, -60],
    ]);
    await expect.poll(async () => (await place()).y).toBeLessThan(y - 30);
    await context.close();
  });
});
