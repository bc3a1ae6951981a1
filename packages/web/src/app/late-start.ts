import type { App } from './app.ts';
import { keepFocus } from './focus-keeper.ts';
import { followMarket } from './follow-market.ts';

/** What runs on every page and is not needed to draw the first one. */
export function startLate(app: App): void {
  keepFocus(document);
  followMarket(app);
}
