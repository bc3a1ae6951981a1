import webPush, { type RequestOptions } from 'web-push';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { Queries } from '../database/database.ts';
import type { OutboundRequest } from '../http/outbound-request.ts';
import { sha256 } from '../secrets/secret-box.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Carrier } from './delivery-outbox.ts';
import { deliveryErrorOf } from './webhook-channel.ts';

const subscriptionSchema = z.object({ endpoint: z.string(), keys: z.object({ p256dh: z.string(), auth: z.string() }) });
export type Subscription = z.infer<typeof subscriptionSchema>;

/** How long a push service keeps a message for a browser that is away, in seconds. */
const TTL_SECONDS = 12 * 3600;

export type PushStore = {
  /** The instance's key pair, made at first use. */
  keys(): Promise<{ publicKey: string; privateKey: string }>;
  list(accountId: string): Promise<{ id: string; device: string; createdAt: number; subscription: Subscription }[]>;
  /** Adds or renews a browser. @param requireRoom throws where there are as many as may be */
  add(accountId: string, subscription: Subscription, device: string, requireRoom: (queries: Queries) => Promise<void>): Promise<string>;
  /** @returns false when the account has none of that id */
  remove(accountId: string, id: string): Promise<boolean>;
};

export const pushBinding = (accountId: string, id: string) => ({ user: accountId, kind: 'push', field: id });
export const PUSH_KEY_BINDING = { user: 'instance', kind: 'push', field: 'private-key' };

export function pushStore({ database, secretBox, now, newId }: Pick<AppContext, 'database' | 'secretBox' | 'now' | 'newId'>): PushStore {
  const KEY_ID = 'vapid';
  const stored = () => database.queries.selectFrom('push_keys').selectAll().where('id', '=', KEY_ID).executeTakeFirst();
  return {
    keys: async () => {
      let row = await stored();
      if (row === undefined) {
        const made = webPush.generateVAPIDKeys();
        // Two processes may come here at once; the first row counts.
        await database.queries
          .insertInto('push_keys')
          .values({ id: KEY_ID, public_key: made.publicKey, private_key: secretBox.seal(made.privateKey, PUSH_KEY_BINDING) })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .execute();
        row = await stored();
      }
      if (row === undefined) throw new Error('The key pair for push messages is gone.');
      return { publicKey: row.public_key, privateKey: secretBox.open(row.private_key, PUSH_KEY_BINDING) };
    },
    list: async (accountId) => {
      const rows = await database.queries
        .selectFrom('push_subscriptions')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute();
      return rows.map(({ id, device, created_at, subscription }) => ({
        id,
        device,
        createdAt: created_at,
        subscription: subscriptionSchema.parse(JSON.parse(secretBox.open(subscription, pushBinding(accountId, id)))),
      }));
    },
    add: async (accountId, subscription, device, requireRoom) => {
      const id = newId();
      const hash = sha256(subscription.endpoint);
      return database.transaction(async (queries) => {
        // A browser belongs to whoever signed in there last.
        await queries.deleteFrom('push_subscriptions').where('endpoint_hash', '=', hash).execute();
        await requireRoom(queries);
        const sealed = secretBox.seal(JSON.stringify(subscription), pushBinding(accountId, id));
        await queries
          .insertInto('push_subscriptions')
          .values({ id, account_id: accountId, endpoint_hash: hash, subscription: sealed, device: device.slice(0, 200), created_at: now() })
          .execute();
        return id;
      });
    },
    remove: async (accountId, id) => {
      const gone = await database.queries
        .deleteFrom('push_subscriptions')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    },
  };
}

/** @throws DeliveryError for keys that are none: no try can help then */
function detailsOf(subscription: Subscription, payload: string, options: RequestOptions) {
  try {
    const { endpoint, headers, body } = webPush.generateRequestDetails(subscription, payload, options);
    return { endpoint, method: 'POST' as const, headers: headers as Record<string, string>, body: body as Buffer };
  } catch (cause) {
    throw new DeliveryError('failed', { permanent: true, cause });
  }
}

/** Notifications to every browser that subscribed; one that unsubscribed is forgotten. */
export function pushChannel(
  { publicUrl }: Pick<AppContext, 'publicUrl'>,
  { store, request }: { store: PushStore; request: OutboundRequest },
): Carrier {
  return async ({ id, accountId, kind, title, text, path }) => {
    const browsers = await store.list(accountId);
    if (browsers.length === 0) throw new DeliveryError('channel-gone');
    const { publicKey, privateKey } = await store.keys();
    // Push services want a way to reach the operator; an http address is not one of the forms they take.
    const subject = publicUrl().startsWith('https:') ? publicUrl() : 'mailto:pilotfish@localhost.localdomain';
    // The worker opens paths below its own place only (`web/public/push-worker.js`): a message names no site.
    const payload = JSON.stringify({ id, kind, title, text, link: path });
    let told = 0;
    let gone = 0;
    let failure: DeliveryError | undefined;
    for (const { id: browser, subscription } of browsers) {
      try {
        const details = detailsOf(subscription, payload, {
          vapidDetails: { subject, publicKey, privateKey },
          TTL: TTL_SECONDS,
          // Replaces the same message where the browser has not been told yet.
          topic: id.replaceAll('-', '').slice(0, 32),
        });
        const answer = await request(details.endpoint, details);
        if (answer.status === 404 || answer.status === 410) {
          await store.remove(accountId, browser);
          gone += 1;
        } else if (answer.status >= 200 && answer.status < 300) told += 1;
        else {
          const seconds = answer.retryAfterSeconds;
          throw new DeliveryError(`http-${String(answer.status).charAt(0)}xx`, {
            permanent: answer.status === 400 || answer.status === 413,
            retryAfterMs: seconds === undefined ? undefined : seconds * 1000,
          });
        }
      } catch (error) {
        failure = deliveryErrorOf(error);
      }
    }
    // Told on one device is told: a second try would repeat it there.
    if (told > 0) return;
    // The last browser is gone: nobody is reached this way any more.
    if (gone === browsers.length) throw new DeliveryError('browser-gone', { channelLost: true });
    throw failure ?? new DeliveryError('channel-gone');
  };
}
