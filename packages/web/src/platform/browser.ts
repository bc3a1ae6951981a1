import { BASE, OWN_KEYS } from './base-path.ts';

/** What the app takes from the browser, in one place, so that a test can hand it something else. Paths and keys are the app's own. */
export type Browser = {
  storage: KeyValueStore;
  /** For this tab alone, and gone with it. */
  tabStorage: KeyValueStore;
  fetch: typeof globalThis.fetch;
  now: () => number;
  /** Runs one at a time over all tabs of this browser. */
  lock: <Value>(run: () => Promise<Value>) => Promise<Value>;
  /** A full page load. */
  load: (url: string) => void;
  path: () => string;
  /** The zone of the device; that of the browser where it is left out. */
  timeZone?: () => string;
};

export type KeyValueStore = {
  get: (key: string) => string | null;
  set: (key: string, value: string) => void;
  remove: (key: string) => void;
  clear: () => void;
};

/** Local storage that never throws: private windows and full disks cost persistence, not the app. */
export function localStore(storage: () => Storage): KeyValueStore {
  const memory = new Map<string, string>();
  const attempt = <Value>(run: (storage: Storage) => Value, otherwise: () => Value): Value => {
    try {
      return run(storage());
    } catch {
      return otherwise();
    }
  };
  return {
    get: (key) =>
      attempt(
        (store) => store.getItem(OWN_KEYS + key) ?? memory.get(key) ?? null,
        () => memory.get(key) ?? null,
      ),
    set: (key, value) =>
      attempt(
        (store) => {
          store.setItem(OWN_KEYS + key, value);
          memory.delete(key);
        },
        () => void memory.set(key, value),
      ),
    remove: (key) => {
      memory.delete(key);
      attempt(
        (store) => store.removeItem(OWN_KEYS + key),
        () => undefined,
      );
    },
    clear: () => {
      memory.clear();
      attempt(
        (store) => {
          // At the root of a site nothing stands before a key: one that begins with a path is of an app below it.
          for (const key of Object.keys(store)) if (key.startsWith(OWN_KEYS) && (OWN_KEYS || key[0] !== '/')) store.removeItem(key);
        },
        () => undefined,
      );
    },
  };
}

const LOCK = 'pilotfish-session';

export const realBrowser = (): Browser => ({
  storage: localStore(() => window.localStorage),
  tabStorage: localStore(() => window.sessionStorage),
  fetch: window.fetch.bind(window),
  now: () => Date.now(),
  // Without Web Locks (an insecure origin) tabs are not kept apart; the server's rotation still is.
  lock: (run) => (navigator.locks ? navigator.locks.request(OWN_KEYS + LOCK, run) : run()) as ReturnType<typeof run>,
  load: (url) => window.location.assign(BASE + url),
  path: () => window.location.pathname.slice(BASE.length),
});
