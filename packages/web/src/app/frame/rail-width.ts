import type { App } from '../../platform/app.ts';
import { createStore } from '../../platform/store.ts';

const KEY = 'rail';

/** Whether the rail shows labels beside its icons; `[` changes it. Kept on this device, and read by `index.html` before the first paint. */
export const railOf = (app: App) =>
  app.keep('rail', () => {
    const { storage } = app.browser;
    const wide = createStore(storage.get(KEY) === 'wide');
    return {
      wide,
      toggle: () => {
        wide.set(!wide.get());
        if (wide.get()) storage.set(KEY, 'wide');
        else storage.remove(KEY);
      },
    };
  });
