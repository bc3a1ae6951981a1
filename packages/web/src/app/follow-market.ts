import type { App } from './app.ts';
import { createStore, type Store } from './store.ts';

/** True while the page that changes the market waits for the server: that page itself decides where to go afterwards. */
export const marketChangesHere = (app: App): Store<boolean> => app.keep('market changes here', () => createStore(false));

/**
 * Loads the whole page again once the server works with another market. Pairs, prices, drafts and lists in memory are
 * all of the market before; one of them that stayed would be shown under the new market's badge.
 */
export function followMarket(app: App): void {
  const changesHere = marketChangesHere(app);
  let begun: string | undefined;
  const look = () => {
    const present = app.config.getSnapshot().context.data?.exchange;
    if (present === undefined) return;
    begun ??= present;
    // Without the query of the address: it names pairs, filters and pages of the market before.
    if (present !== begun && !changesHere.get()) app.browser.load(app.browser.path());
  };
  app.config.subscribe(look);
  changesHere.subscribe(look);
  look();
}
