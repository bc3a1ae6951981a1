import { NOTIFICATION_KINDS } from '@pilotfish/core/notifications/notification-kinds';
import type { Notification as Told } from '@pilotfish/core/notifications/notifications-contract';
import { BASE } from '../platform/base-path.ts';
import { showToast } from '../ui/toasts.ts';

/** What a toast is shown of: what is urgent, and alerts that somebody asked for. */
const isLoud = ({ kind }: Told): boolean => NOTIFICATION_KINDS[kind].urgent || kind === 'price-alert' || kind === 'price-alert-digest';

/** News of the moment: a toast while the page is looked at, a notification of the browser while it is not and may. */
export function announce(item: Told): void {
  if (!isLoud(item) || item.kind === 'test') return;
  if (document.visibilityState === 'visible') {
    void showToast(NOTIFICATION_KINDS[item.kind].urgent ? 'warning' : 'info', item.title);
    return;
  }
  if (!('Notification' in window) || window.Notification.permission !== 'granted') return;
  try {
    const shown = new window.Notification(item.title, { body: item.text, tag: item.id, icon: `${BASE}/pilotfish.svg` });
    shown.addEventListener('click', () => {
      window.focus();
      shown.close();
      // Only paths of this app: a link is data.
      if (item.link?.startsWith('/') && !item.link.startsWith('//')) window.location.assign(BASE + item.link);
    });
  } catch {
    // Phones take them from a service worker only; web push does that.
  }
}
