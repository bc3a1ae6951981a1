import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const SITE = 'https://home.example';
const KEYS = { p256dh: 'p', auth: 'a' };

class Registration extends EventTarget {
  active: unknown = null;
  installing: Registration | null = this;
  waiting = null;
  state = 'installing';
  readonly scope: string;
  subscription: string | undefined;
  constructor(path: string, subscription?: string) {
    super();
    this.scope = SITE + path;
    this.subscription = subscription;
    if (subscription !== undefined) this.become('activated');
  }
  become(state: string): void {
    this.state = state;
    if (state === 'activated') [this.active, this.installing] = [this, null];
    this.dispatchEvent(new Event('statechange'));
  }
  readonly pushManager = {
    getSubscription: async () =>
      this.subscription === undefined
        ? null
        : {
            endpoint: this.subscription,
            unsubscribe: async () => {
              this.subscription = undefined;
            },
          },
    subscribe: async () => {
      if (this.active === null) throw new Error('no active worker');
      this.subscription = `new one of ${this.scope}`;
      return { toJSON: () => ({ endpoint: this.subscription, keys: KEYS }) };
    },
  };
}

/** The workers of one origin: the one of the longest path counts for an address, as in a browser. */
let registrations: Registration[];
const registrationOf = (url: string) =>
  registrations
    .filter(({ scope }) => new URL(url, SITE).href.startsWith(scope))
    .sort((one, other) => other.scope.length - one.scope.length)[0];

beforeEach(() => {
  registrations = [];
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** The app below a path of the site, as it comes up there. */
async function appBelow(base: string) {
  vi.stubGlobal('document', { documentElement: { dataset: { base } } });
  vi.stubGlobal('window', { location: { href: `${SITE}${base}/user/notifications` } });
  const serviceWorker = {
    getRegistration: async (url: string) => registrationOf(url),
    register: async (url: string) => {
      const made = registrationOf(url);
      if (made?.scope === new URL('.', SITE + url).href) return made;
      registrations.push(new Registration(`${base}/`));
      return registrations.at(-1);
    },
    get ready() {
      return Promise.resolve(registrations.find(({ active, scope }) => active !== null && window.location.href.startsWith(scope)));
    },
  };
  vi.stubGlobal('navigator', { serviceWorker });
  const { realPushBrowser } = await import('./browser-push.ts');
  return realPushBrowser;
}

test.each(['', '/pilotfish'])('below "%s" the subscription of another app at this origin is never taken for the own one', async (base) => {
  const others = [new Registration('/', 'of the whole site'), new Registration('/pilotfish-too/', 'of a neighbour')].slice(
    base === '' ? 1 : 0,
  );
  registrations = [...others];
  const app = await appBelow(base);
  expect(await app.subscribed()).toBeUndefined();
  await app.unsubscribe();
  const subscribed = app.subscribe('AAAA');
  await vi.waitFor(() => expect(registrations).toHaveLength(others.length + 1));
  registrations.at(-1)?.become('activated');
  expect(await subscribed).toEqual({ endpoint: `new one of ${SITE}${base}/`, keys: KEYS });
  expect(await app.subscribed()).toBe(`new one of ${SITE}${base}/`);
  // Again, with the worker there.
  expect((await app.subscribe('AAAA')).endpoint).toBe(`new one of ${SITE}${base}/`);
  await app.unsubscribe();
  expect(await app.subscribed()).toBeUndefined();
  for (const other of others) expect(other.subscription).toMatch(/^of /);
});

test('a worker that cannot be installed is said so, instead of waiting for ever', async () => {
  const app = await appBelow('/pilotfish');
  const subscribed = app.subscribe('AAAA');
  await vi.waitFor(() => expect(registrations).toHaveLength(1));
  registrations[0]?.become('redundant');
  await expect(subscribed).rejects.toThrow('worker');
});
