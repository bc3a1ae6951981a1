import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import type { AppContext } from '../app/context.ts';
import { accountFeatures } from '../app/features.ts';
import { pushBrowser } from '../app/testing/push-browser.ts';
import { startReceivingServer } from '../app/testing/receiving-server.ts';
import { startTestServer } from '../app/testing/test-server.ts';
import { notificationsFeature } from './notifications-routes.ts';

/** The worker of the web app: what it makes of a message is what a person gets. */
const WORKER = readFileSync(fileURLToPath(new URL('../../../web/public/push-worker.js', import.meta.url)), 'utf8');

/** Shows a message and presses it, while no page is open; what is opened by it. */
async function pressed(scope: string, message: string): Promise<string[]> {
  const opened: string[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const notification: { close: () => void; data?: unknown } = { close: () => undefined };
  const self = {
    addEventListener: (type: string, run: (event: object) => void) => handlers.set(type, run),
    registration: { scope, showNotification: async (_title: string, shown: object) => void Object.assign(notification, shown) },
    clients: { matchAll: async () => [], openWindow: async (url: string) => void opened.push(url) },
  };
  runInNewContext(WORKER, { self, URL });
  const fire = async (type: string, event: object) => {
    let work: Promise<unknown> | undefined;
    handlers.get(type)?.({ ...event, waitUntil: (wanted: Promise<unknown>) => (work = wanted) });
    await work;
  };
  await fire('push', { data: { json: () => JSON.parse(message) } });
  await fire('notificationclick', { notification });
  return opened;
}

test.each([undefined, 'https://home.example', 'https://home.example/pilotfish'])(
  'pressing a message opens the page that it is about: public URL %s',
  async (publicUrl) => {
    const service = await startReceivingServer();
    const server = await startTestServer({
      features: async (context: AppContext) => [
        notificationsFeature(context, { telegram: undefined }),
        ...(await accountFeatures(context)),
      ],
      settings: { allowPrivateWebhooks: true, ...(publicUrl && { publicUrl }) },
    });
    try {
      const user = await server.register();
      const browser = pushBrowser();
      await user.call('/bff/v2/notifications/push', { body: { endpoint: service.url, keys: browser.keys } });
      const { database, notifier } = server.context;
      const { id: accountId } = await database.queries
        .selectFrom('accounts')
        .select('id')
        .where('username', '=', user.username)
        .executeTakeFirstOrThrow();
      await notifier.settle();
      service.calls.length = 0;
      const page = '/positions/detail/018f?tab=orders#first';
      // Kept and sent, sent without being kept, and about no page of this server.
      const notice = { accountId, kind: 'security', code: 'security-password-changed', facts: {}, link: page, key: 'one' } as const;
      await database.transaction((queries) => notifier.enqueue(queries, { ...notice, channels: ['push'] }));
      notifier.wake();
      await notifier.settle();
      await notifier.tellNow([accountId], notice);
      for (const link of [null, '//evil.example', 'https://evil.example']) await notifier.tellNow([accountId], { ...notice, link });
      const at = publicUrl ?? server.url;
      const opened = await Promise.all(service.calls.map(({ body }) => pressed(`${at}/`, browser.open(body))));
      expect(opened).toEqual([[at + page], [at + page], [`${at}/`], [`${at}/`], [`${at}/`]]);
      // The person may know the server by another name, as in their own network.
      const [kept] = service.calls;
      expect(await pressed('http://pilotfish.lan:4600/pilotfish/', browser.open(kept!.body))).toEqual([
        `http://pilotfish.lan:4600/pilotfish${page}`,
      ]);
    } finally {
      await server.close();
      await service.close();
    }
  },
);
