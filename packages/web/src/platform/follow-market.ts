import type { App } from './app.ts';
import { marketChanges } from './remote.ts';

/** Loads the whole page again, at `to`, without a toast for what that cuts off. */
export function loadAgain(app: App, to: string): void {
  marketChanges.set(true);
  app.browser.load(to);
}

/**
 * Loads the whole page again once the server works with another market. Pairs, prices, drafts and lists in memory are
 * all of the market before; one of them that stayed would be shown under the new market's badge.
 */
export function followMarket(app: App): void {
  let begun: string | undefined;
  const look = () => {
    const present = app.config.getSnapshot().context.data?.exchange;
    if (present === undefined) return;
    begun ??= present;
    // The page that changes the market decides itself where to go. The query of the address stays behind: it names
    // pairs, filters and pages of the market before.
    if (present === begun || marketChanges.get()) return;
    begun = present;
    loadAgain(app, app.browser.path());
  };
  app.config.subscribe(look);
  marketChanges.subscribe(look);
  look();
}
