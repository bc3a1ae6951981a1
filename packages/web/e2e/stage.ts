import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { type Simulator, type SimulatorOptions, startSimulator } from '@pilotfish/simulator/app/simulator';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const WEB = fileURLToPath(new URL('../dist', import.meta.url));
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A Chromium of the system; the tests that need one say clearly when there is none. */
export const CHROMIUM = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path !== undefined && existsSync(path),
);
if (!CHROMIUM) console.warn('No Chromium found: the browser tests are skipped. Install one, or name it by CHROMIUM_PATH.');

/** No traffic of the browser's own. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const;

export type Look = { width: number; theme: 'dark' | 'light'; language: 'en' | 'tr' };
export const DESKTOP: Look = { width: 1440, theme: 'dark', language: 'en' };

/** The whole product: a simulated exchange, the server, the built web app, and a browser. */
export type Stage = {
  readonly server: TestServer;
  readonly simulator: Simulator;
  readonly browser: Browser;
  /** A fresh browser profile; signed in when a user is given. */
  context(look?: Look, user?: SignedInUser): Promise<BrowserContext>;
  close(): Promise<void>;
};

/** @param settings of the server, beside those of the stage */
export async function openStage(
  market: Partial<SimulatorOptions> = {},
  settings: NonNullable<Parameters<typeof startTestServer>[0]>['settings'] = {},
): Promise<Stage> {
  const simulator = await startSimulator({ market: { kind: 'seeded', seed: 3 }, limits: { weightPerMinute: 100_000 }, ...market });
  const server = await startTestServer({
    realClock: true,
    settings: { webFolder: WEB, exchangeRestUrl: simulator.origin, exchangeWsUrl: simulator.wsOrigin, ...settings },
  });
  const browser = await chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [...BROWSER_FLAGS],
  });
  return {
    server,
    simulator,
    browser,
    context: async ({ width, theme, language } = DESKTOP, user) => {
      const context = await browser.newContext({
        baseURL: server.url,
        viewport: { width, height: width < 800 ? 844 : 900 },
        reducedMotion: 'reduce',
        locale: language === 'tr' ? 'tr-TR' : 'en-US',
        timezoneId: 'UTC',
      });
      context.setDefaultTimeout(15_000);
      const session = user && JSON.stringify(user.session);
      await context.addInitScript(
        ([chosenTheme, chosenLanguage, stored]) => {
          localStorage.setItem('theme', chosenTheme);
          localStorage.setItem('language', chosenLanguage);
          if (stored && !localStorage.getItem('user_jwt') && !sessionStorage.getItem('seeded')) localStorage.setItem('user_jwt', stored);
          sessionStorage.setItem('seeded', 'yes');
        },
        [theme, language, session ?? ''] as const,
      );
      return context;
    },
    close: async () => {
      await browser.close();
      await server.close();
      await simulator.close();
    },
  };
}

/** Violations of accessibility rules on the page as it stands: rule, how many places, the first of them. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html.slice(0, 160)}`);
  });
}

/** Collects what a page complains about; a clean page complains about nothing. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(`error: ${error.message.slice(0, 200)}`));
  page.on('console', (message) => {
    // Refused requests are shown by the screens themselves.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      found.push(`console: ${message.text().slice(0, 200)}`);
  });
  return found;
}

/** Waits until nothing on the page is a placeholder any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1, main h2').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}
