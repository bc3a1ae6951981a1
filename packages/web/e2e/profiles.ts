import { patient } from '@pilotfish/core/testing/patience-factor';
import type { Browser, BrowserContext, Page } from 'playwright-core';

export type Look = { width: number; theme: 'dark' | 'light'; language: 'en' | 'tr' };

/** How long a page may take for what it should do at once: a test of a busy machine ends by what it saw, not by this. */
const PATIENCE_MS = patient(60_000);

/** Any small file of the app: a page of its site that runs nothing. */
const QUIET_PAGE = '/pilotfish.svg';

/** What a profile keeps for its next owner and cannot be taken back: such a one is not given on. */
const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket', 'setExtraHTTPHeaders', 'setOffline'];
const LASTING_OF_CLOCK = ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'];

/** Profiles (contexts) of one address, handed from test to test. */
export type Profiles = {
  /**
   * A profile with nothing stored in it. Its `close` closes its pages, empties it and gives it back.
   * @param prepare what each new page needs before anything of it is loaded
   */
  take(look: Look, prepare: (page: Page) => Promise<void>): Promise<BrowserContext>;
  close(): Promise<void>;
};

type Methods = Record<string, (...given: unknown[]) => unknown>;

/** Calls `heard` before each of these methods. */
function listen(target: object, names: readonly string[], heard: () => void): void {
  const methods = target as Methods;
  for (const name of names) {
    const method = methods[name];
    if (!method) throw new Error(`Playwright has no ${name} any more.`);
    methods[name] = (...given) => {
      heard();
      return method.apply(target, given);
    };
  }
}

/**
 * A new profile gets a process of its own, which reads and compiles the whole app again: half of what a page costs (six
 * pages took 34 CPU seconds, and 17.5 in one process). So profiles of the same look are handed on, and a quiet page keeps their process alive; with
 * `--process-per-site` every later page of the profile runs in it.
 */
export function profilesOf(browser: Browser, baseURL: string): Profiles {
  const free = new Map<string, { hand(prepare: (page: Page) => Promise<void>): BrowserContext }[]>();
  const ends = new Set<() => Promise<void>>();

  const open = async (look: Look, key: string) => {
    const context = await browser.newContext({
      baseURL,
      viewport: { width: look.width, height: look.width < 800 ? 844 : 900 },
      reducedMotion: 'reduce',
      locale: look.language === 'tr' ? 'tr-TR' : 'en-US',
      timezoneId: 'UTC',
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const [newPage, end] = [context.newPage.bind(context), context.close.bind(context)];
    ends.add(end);
    const keeper = await newPage();
    await keeper.goto(QUIET_PAGE);
    const devTools = await context.newCDPSession(keeper);

    let [isSpoilt, isFree] = [false, false];
    const spoil = () => {
      isSpoilt = true;
    };
    listen(context, LASTING, spoil);
    listen(context.clock, LASTING_OF_CLOCK, spoil);
    const profile = {
      hand(prepare: (page: Page) => Promise<void>): BrowserContext {
        isFree = false;
        context.newPage = async () => {
          const page = await newPage();
          await prepare(page);
          return page;
        };
        return context;
      },
    };
    context.close = async () => {
      if (isFree) return;
      isFree = true;
      if (isSpoilt || keeper.isClosed()) {
        ends.delete(end);
        return end();
      }
      for (const page of context.pages()) if (page !== keeper) await page.close();
      await context.clearPermissions();
      await devTools.send('Storage.clearDataForOrigin', { origin: new URL(baseURL).origin, storageTypes: 'all' });
      free.set(key, [...(free.get(key) ?? []), profile]);
    };
    return profile;
  };

  return {
    async take(look, prepare) {
      const key = JSON.stringify(look);
      return (free.get(key)?.pop() ?? (await open(look, key))).hand(prepare);
    },
    close: async () => {
      for (const end of ends) await end();
      ends.clear();
      free.clear();
    },
  };
}
