import type { App } from '../platform/app.ts';
import { followMarket } from '../platform/follow-market.ts';
import { keepFocus } from './focus-keeper.ts';

/** What runs on every page and is not needed to draw the first one. */
export function startLate(app: App): void {
  keepFocus(document);
  followMarket(app);
}
