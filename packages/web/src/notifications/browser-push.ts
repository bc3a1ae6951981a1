import { BASE } from '../app/base-path.ts';

/** The file that receives messages while no page is open. */
const WORKER = `${BASE}/push-worker.js`;

export type PushSupport = 'supported' | 'insecure' | 'unsupported' | 'denied';

/** What of the browser is needed for messages to a closed page; a test hands in another. */
export type PushBrowser = {
  support: () => PushSupport;
  /** Asks the person; only ever called by a press of a button. */
  ask: () => Promise<'granted' | 'denied' | 'default'>;
  subscribed: () => Promise<string | undefined>;
  /** @param key of the instance, base64url */
  subscribe: (key: string) => Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }>;
  unsubscribe: () => Promise<void>;
};

/** The raw bytes of a base64url text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

export const realPushBrowser: PushBrowser = {
  support: () => {
    if (!window.isSecureContext) return 'insecure';
    if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unsupported';
    return Notification.permission === 'denied' ? 'denied' : 'supported';
  },
  ask: () => Notification.requestPermission(),
  subscribed: async () => {
    const registration = await navigator.serviceWorker.getRegistration(WORKER);
    return (await registration?.pushManager.getSubscription())?.endpoint;
  },
  subscribe: async (key) => {
    await navigator.serviceWorker.register(WORKER);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One made with an older key of the instance would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })).toJSON();
    if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) throw new Error('the browser gave no keys');
    return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  },
  unsubscribe: async () => {
    const registration = await navigator.serviceWorker.getRegistration(WORKER);
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  },
};
