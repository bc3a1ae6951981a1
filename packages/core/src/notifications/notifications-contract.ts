import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime, nothing, pageOf, pageQuery } from '../http/wire.ts';
import { notificationChoicesSchema, quietHoursSchema } from './notification-choices.ts';
import type { Facts } from './notification-facts.ts';
import { notificationKind, outerChannel } from './notification-kinds.ts';

export const notificationSchema = z.object({
  id,
  /** When it happened; about the market, by the market's clock. */
  at: isoTime,
  createdAt: isoTime,
  kind: notificationKind,
  /** In the language the list was asked in; events of the stream carry the account's. */
  title: z.string(),
  text: z.string(),
  /** What the two texts are made of: `notifications.<code>.title|text` filled with the facts (`notification-facts.ts`), for another language. */
  code: z.string(),
  facts: z.record(z.string(), z.union([z.string(), z.number()])) as unknown as z.ZodType<Facts, Facts>,
  /** A path of the web app. */
  link: z.string().nullable(),
  read: z.boolean(),
  /** Channels it did not get through to, with why as a code (`notifications.failures.<code>`). */
  undelivered: z.array(z.object({ channel: outerChannel, reason: z.string(), attempts: z.int() })),
});
export type Notification = z.infer<typeof notificationSchema>;

/** Why a channel cannot be used now; `needs-attention`: its receiver refused for good, and a test that gets through mends it. */
export const channelReason = z.enum([
  'not-configured',
  'not-connected',
  'not-confirmed',
  'no-address',
  'no-browser',
  'muted',
  'needs-attention',
]);

export const channelStateSchema = z.object({
  channel: outerChannel,
  available: z.boolean(),
  reason: channelReason.nullable(),
  /** Where it goes, as far as may be shown: a masked address, a host, a number of browsers. */
  target: z.string().nullable(),
});
export type ChannelState = z.infer<typeof channelStateSchema>;

export const notificationSettingsSchema = z.object({
  kinds: z.array(
    z.object({
      kind: notificationKind,
      /** Waits for no quiet hours. */
      urgent: z.boolean(),
      /** Outer channels it goes to; the list in the apps always has it. */
      channels: z.array(outerChannel),
      defaults: z.array(outerChannel),
    }),
  ),
  quietHours: quietHoursSchema,
  channels: z.array(channelStateSchema),
  /** Until when Telegram is silent. */
  telegramMutedUntil: isoTime.nullable(),
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

const webhookUrl = z.url({ protocol: /^https?$/ }).max(2000);
export const notificationSettingsBody = notificationChoicesSchema.extend({
  /** Left out: as it is. Null: none. */
  webhookUrl: webhookUrl.nullable().optional(),
  /** True: a new key, shown in the answer once. A new address always gets one. */
  newWebhookSecret: z.boolean().default(false),
});

export const pushSubscriptionBody = z.object({
  endpoint: webhookUrl,
  keys: z.object({
    p256dh: z.string().regex(/^[\w-]{80,100}={0,2}$/),
    auth: z.string().regex(/^[\w-]{20,30}={0,2}$/),
  }),
});

const bff = { backend: 'bff', access: 'user' } as const;

export const listNotifications = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/notifications',
  summary: 'Notifications, newest first, with the unread count',
  query: pageQuery.extend({ unread: z.stringbool().optional(), kind: notificationKind.optional() }),
  answer: pageOf(notificationSchema).extend({ unread: z.int() }),
});
export const readNotification = endpoint({
  ...bff,
  method: 'PATCH',
  path: '/v2/notifications/{id}/read',
  summary: 'Marks one as read',
  params: idParams,
  /** Says nothing that the path does not say: for callers that cannot send a PATCH without a body. */
  body: z.object({ read: z.literal(true).default(true) }).prefault({}),
  answer: notificationSchema,
});
export const readAllNotifications = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/notifications/read-all',
  summary: 'Marks all as read',
  answer: z.object({ read: z.int(), unread: z.int() }),
});
export const getNotificationSettings = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/notifications/settings',
  summary: 'Channels by kind, quiet hours, and which channels work',
  answer: notificationSettingsSchema,
});
export const saveNotificationSettings = endpoint({
  ...bff,
  method: 'PUT',
  path: '/v2/notifications/settings',
  summary: 'Replaces the choices; a webhook address must be public and https, and another one needs a second factor given not long ago',
  body: notificationSettingsBody,
  answer: notificationSettingsSchema.extend({
    /** Signs what the webhook is sent: `HMAC-SHA256(key, "<timestamp>.<body>")` in hex. Shown only now. */
    webhookSecret: z.string().nullable(),
  }),
  errors: ['address-refused', 'second-factor-required'],
});
export const sendTestNotification = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/notifications/test',
  summary: 'Sends a test message by one channel and answers how it went',
  body: z.object({ channel: outerChannel }),
  answer: z.object({ delivered: z.boolean(), failure: z.string().nullable() }),
  errors: ['channel-unavailable', 'throttled'],
});
export const getPushKey = endpoint({
  ...bff,
  method: 'GET',
  path: '/v2/notifications/push',
  summary: 'The key browsers subscribe with, and the browsers that have',
  answer: z.object({
    publicKey: z.string(),
    browsers: z.array(z.object({ id, device: z.string(), createdAt: isoTime })),
  }),
});
export const addPushSubscription = endpoint({
  ...bff,
  method: 'POST',
  path: '/v2/notifications/push',
  secondFactor: true,
  summary: 'Adds a browser that is to be told',
  body: pushSubscriptionBody,
  answer: z.object({ id }),
  status: 201,
  errors: ['address-refused', 'conflict'],
});
export const removePushSubscription = endpoint({
  ...bff,
  method: 'DELETE',
  path: '/v2/notifications/push/{id}',
  summary: 'Forgets a browser',
  params: idParams,
  answer: nothing,
  status: 204,
});

export const notificationsContract = {
  listNotifications,
  readNotification,
  readAllNotifications,
  getNotificationSettings,
  saveNotificationSettings,
  sendTestNotification,
  getPushKey,
  addPushSubscription,
  removePushSubscription,
};
