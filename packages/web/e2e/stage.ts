import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { CHROMIUM_FLAGS, findChromium } from '@pilotfish/core/testing/chromium';
import { type SignedInUser, startTestServer, type TestServer } from '@pilotfish/server/app/testing/test-server';
import { type Simulator, type SimulatorOptions, startSimulator } from '@pilotfish/simulator/app/simulator';
import { MARKET_START, testMarket } from '@pilotfish/simulator/testing/test-market';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Look, type Profiles, profilesOf } from './profiles.ts';

export type { Look } from './profiles.ts';

const WEB = fileURLToPath(new URL('../dist', import.meta.url));
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A Chromium of the system; the tests that need one say clearly when there is none. */
export const CHROMIUM = findChromium();
if (!CHROMIUM) console.warn('No Chromium found: the browser tests are skipped. Install one, or name it by CHROMIUM_PATH.');

export const DESKTOP: Look = { width: 1440, theme: 'dark', language: 'en' };

/** The whole product: a simulated exchange, the server, the built web app, and a browser. */
export type Stage = {
  readonly server: TestServer;
  readonly simulator: Simulator;
  readonly browser: Browser;
  /** A browser profile in which nothing is stored; signed in when a user is given. */
  context(look?: Look, user?: SignedInUser): Promise<BrowserContext>;
  /** A fresh profile with options of its own, at the time of the stage. */
  plainContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
};

type ServerOptions = NonNullable<Parameters<typeof startTestServer>[0]>;
type ServerSettings = ServerOptions['settings'] | ((simulator: Simulator) => ServerOptions['settings']);
type Home = Pick<Stage, 'server' | 'simulator' | 'browser'> & { readonly profiles: Profiles };

/** One browser for all files of a worker; a profile (context) keeps tests apart. It ends with the process. */
let launched: Promise<Browser> | undefined;
const browserOfWorker = () =>
  // The pages of a profile share its process.
  (launched ??= chromium.launch({ executablePath: CHROMIUM ?? '', args: [...CHROMIUM_FLAGS, '--process-per-site'] }));

/** Server and exchange that all files of a worker share; an account keeps tests apart. */
let shared: Promise<Home> | undefined;

/**
 * The market and both clocks begin at the same fixed moment, as on a day in January, and then run with the wall clock:
 * whatever the date of the run, every screen shows the same prices and dates.
 */
async function startHome(market: Partial<SimulatorOptions>, settings: ServerSettings, auth?: ServerOptions['auth']): Promise<Home> {
  const ahead = MARKET_START - Date.now();
  const simulator = await startSimulator({
    market: testMarket(3),
    limits: { weightPerMinute: 100_000 },
    now: () => Date.now() + ahead,
    ...market,
  });
  const server = await startTestServer({
    realClock: true,
    now: MARKET_START,
    ...(auth && { auth }),
    settings: {
      webFolder: WEB,
      exchangeRestUrl: simulator.origin,
      exchangeWsUrl: simulator.wsOrigin,
      ...(typeof settings === 'function' ? settings(simulator) : settings),
    },
  });
  const browser = await browserOfWorker();
  return { simulator, server: withoutCodes(server), browser, profiles: profilesOf(browser, server.url) };
}

/**
 * The same server, whose `signIn` opens a session without an authenticator code. Each code is accepted once, so a test
 * server moves its clock on by half a minute for the next one; after a few, a server that many files share takes the
 * streams of its exchange for silent, cuts them, and its pages wait for prices.
 */
function withoutCodes(server: TestServer): TestServer {
  const signIn: TestServer['signIn'] = async ({ username }) => {
    const { database, sessions } = server.context;
    const account = await database.queries
      .selectFrom('accounts')
      .select(['id', 'username'])
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    const origin = { address: '127.0.0.1', device: 'a browser of the tests', requestId: 'sign-in' };
    return database.transaction((queries) => sessions.open(queries, account, origin));
  };
  return Object.create(server, { signIn: { value: signIn } }) as TestServer;
}

/** Moves the clock of a page, or of every page of a profile, to that of the server: a session that it issues would be long over by the wall clock. */
const followClock = (pages: Page | BrowserContext, server: TestServer) =>
  pages.addInitScript(
    (ahead) => {
      const Wall = Date;
      const now = () => Wall.now() + ahead;
      const Shifted = function (this: unknown, ...given: []) {
        if (new.target === undefined) return new Wall(now()).toString();
        return given.length === 0 ? new Wall(now()) : new Wall(...given);
      };
      Shifted.prototype = Wall.prototype;
      // Not enumerable, as the browser's own: Playwright's clock copies what it can list over its own `now`.
      for (const [name, value] of Object.entries({ now, parse: Wall.parse, UTC: Wall.UTC }))
        Object.defineProperty(Shifted, name, { value, writable: true, configurable: true });
      globalThis.Date = Shifted as unknown as DateConstructor;
    },
    // From the wall clock as the browser has it, also where that of this process is faked.
    server.now() - (performance.timeOrigin + performance.now()),
  );

/** Before anything of a page is loaded: who is signed in, unless somebody has signed out there, and what was chosen. */
const seed = (page: Page, { theme, language }: Look, user: SignedInUser | undefined) =>
  page.addInitScript(
    ([chosenTheme, chosenLanguage, stored]) => {
      localStorage.setItem('theme', chosenTheme);
      localStorage.setItem('language', chosenLanguage);
      if (stored && !localStorage.getItem('user_jwt') && !sessionStorage.getItem('seeded')) localStorage.setItem('user_jwt', stored);
      sessionStorage.setItem('seeded', 'yes');
    },
    [theme, language, user ? JSON.stringify(user.session) : ''] as const,
  );

function stageAt({ server, simulator, browser, profiles }: Home, close: () => Promise<void>): Stage {
  const opened = new Set<BrowserContext>();
  return {
    server,
    simulator,
    browser,
    plainContext: async (options) => {
      const context = await browser.newContext({ baseURL: server.url, ...options });
      opened.add(context);
      await followClock(context, server);
      return context;
    },
    context: async (look = DESKTOP, user) => {
      const context = await profiles.take(look, async (page) => {
        await followClock(page, server);
        await seed(page, look, user);
      });
      opened.add(context);
      return context;
    },
    close: async () => {
      for (const context of opened) await context.close();
      await close();
    },
  };
}

/** The stage of a worker, with a few pairs: for files that keep to accounts of their own. */
export async function sharedStage(): Promise<Stage> {
  shared ??= startHome({}, {}).then(async (home) => {
    // The first account of a server is Admin, which no file may take its own for.
    await home.server.register({ username: 'admin-of-the-stage' });
    return home;
  });
  return stageAt(await shared, async () => undefined);
}

/** A stage for one file: about the whole instance, another market, faults, or how long sessions live. */
export async function ownStage(
  market: Partial<SimulatorOptions> = {},
  settings: ServerSettings = {},
  auth?: ServerOptions['auth'],
): Promise<Stage> {
  const home = await startHome(market, settings, auth);
  return stageAt(home, async () => {
    await home.profiles.close();
    await home.server.close();
    await home.simulator.close();
  });
}

/** Violations of accessibility rules on the page as it stands: rule, how many places, the first of them and what is wrong there. */
export async function axeViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    type Violation = { id: string; nodes: { html: string; any: { message: string }[] }[] };
    const { axe } = globalThis as unknown as { axe: { run(root: Document, options: object): Promise<{ violations: Violation[] }> } };
    const { violations } = await axe.run(document, { resultTypes: ['violations'] });
    return violations.map(
      ({ id, nodes }) => `${id} ×${nodes.length}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.any[0]?.message.slice(0, 200) ?? ''}`,
    );
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
  await page.locator('h1, main h2').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
}

/**
 * Runs something on a page of its own, which is closed afterwards and must not complain.
 * @param stage asked for when a page is opened: tests are described before there is one
 */
export function pagesOf(stage: () => Stage) {
  return async (path: string, run: (page: Page) => Promise<void>, as?: SignedInUser, look: Look = DESKTOP): Promise<void> => {
    const context = await stage().context(look, as && { ...as, session: await stage().server.signIn(as) });
    const page = await context.newPage();
    const found = complaints(page);
    try {
      await page.goto(path);
      await settled(page);
      await run(page);
      expect(found).toEqual([]);
    } finally {
      await context.close();
    }
  };
}
