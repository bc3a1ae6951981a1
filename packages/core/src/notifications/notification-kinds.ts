import * as z from 'zod';

/** Ways a notification reaches its reader. `app` is the list in the apps; it cannot be switched off. */
export const NOTIFICATION_CHANNELS = ['app', 'telegram', 'email', 'push', 'webhook'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];
export const notificationChannel = z.enum(NOTIFICATION_CHANNELS);

/** Channels that leave the server: each message of theirs is a delivery that may fail. */
export const OUTER_CHANNELS = ['telegram', 'email', 'push', 'webhook'] as const satisfies readonly NotificationChannel[];
export type OuterChannel = (typeof OUTER_CHANNELS)[number];
export const outerChannel = z.enum(OUTER_CHANNELS);

/**
 * Every kind of notification: where it goes unless the reader chooses otherwise, and whether it is urgent. Urgent ones
 * do not wait for the end of quiet hours: money stands still or somebody is at the door.
 */
export const NOTIFICATION_KINDS = {
  'price-alert': { channels: ['app', 'telegram', 'push', 'webhook'], urgent: false },
  'price-alert-digest': { channels: ['app', 'telegram'], urgent: false },
  'bot-trade': { channels: ['app'], urgent: false },
  'bot-exit': { channels: ['app', 'telegram'], urgent: false },
  'bot-attention': { channels: ['app', 'telegram', 'push', 'email'], urgent: true },
  'bot-halted': { channels: ['app', 'telegram', 'push'], urgent: true },
  'wallet-underfunded': { channels: ['app', 'telegram'], urgent: false },
  'position-broken': { channels: ['app'], urgent: false },
  'import-done': { channels: ['app'], urgent: false },
  'history-synced': { channels: ['app'], urgent: false },
  'exchange-connection': { channels: ['app', 'telegram', 'email'], urgent: true },
  'channel-lost': { channels: ['app', 'telegram', 'email', 'push', 'webhook'], urgent: false },
  security: { channels: ['app', 'telegram', 'email'], urgent: true },
  instance: { channels: ['app'], urgent: false },
  test: { channels: ['app'], urgent: true },
} as const satisfies Record<string, { channels: readonly NotificationChannel[]; urgent: boolean }>;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;
export const NOTIFICATION_KIND_NAMES = Object.keys(NOTIFICATION_KINDS) as [NotificationKind, ...NotificationKind[]];
export const notificationKind = z.enum(NOTIFICATION_KIND_NAMES);

/** Kinds a reader may route; a test message goes where it was asked to. */
export const ROUTED_KINDS = NOTIFICATION_KIND_NAMES.filter((kind) => kind !== 'test');
