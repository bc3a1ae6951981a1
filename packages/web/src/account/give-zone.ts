import type { StoredPreferences } from '@pilotfish/core/account/account-contract';
import { zoneToOffer } from '@pilotfish/core/time/calendar-day';
import type { i18n } from 'i18next';
import type { App } from '../platform/app.ts';
import { applyTimeZone, deviceTimeZone } from '../ui/time-zone.ts';
import { showToast } from '../ui/toasts.ts';

/**
 * Gives an account that chose no time zone the one of this device, and says so. Where that fails the page shows UTC until it
 * is loaded again: the server cuts the days of such an account by it, and times of another zone would contradict them.
 */
export async function giveZone(app: App, texts: i18n): Promise<StoredPreferences | undefined> {
  const device = (app.browser.timeZone ?? deviceTimeZone)();
  if (device === 'UTC') return undefined;
  const timeZone = zoneToOffer(device);
  const stored =
    timeZone === undefined ? undefined : await app.client.setPreferences({ body: { timeZone } }, { quiet: true }).catch(() => undefined);
  if (stored === undefined) {
    applyTimeZone('UTC');
    app.queries.invalidateAll();
    return undefined;
  }
  showToast('info', texts.t('account.zoneTaken', { zone: timeZone })).catch(() => undefined);
  return stored;
}
