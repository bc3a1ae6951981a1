import { BASE } from '../platform/base-path.ts';

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

/**
 * The registration of the own worker. A browser answers with whichever counts for a page, and at one origin that may be
 * another app's for the whole of it, whose subscription is none of ours to take or to end.
 */
async function ownRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  const scope = new URL(`${BASE}/`, window.location.href).href;
  const registration = await navigator.serviceWorker.getRegistration(scope);
  return registration?.scope === scope ? registration : undefined;
}

/** Waits until a registration can subscribe; `serviceWorker.ready` may mean another app's. @throws where its worker cannot be installed */
const activated = (registration: ServiceWorkerRegistration): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = registration.installing ?? registration.waiting;
    const look = () => {
      if (registration.active) resolve();
      else if (!worker || worker.state === 'redundant') reject(new Error('the worker could not be installed'));
    };
    worker?.addEventListener('statechange', look);
    look();
  });

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
    const registration = await ownRegistration();
    return (await registration?.pushManager.getSubscription())?.endpoint;
  },
  subscribe: async (key) => {
    const registration = await navigator.serviceWorker.register(WORKER);
    await activated(registration);
    const { pushManager } = registration;
    // One made with an older key of the instance would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) })).toJSON();
    if (endpoint === undefined || keys?.p256dh === undefined || keys.auth === undefined) throw new Error('the browser gave no keys');
    return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
  },
  unsubscribe: async () => {
    const registration = await ownRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
  },
};
