import * as z from 'zod';
import { isTimeZone } from '../time/calendar-day.ts';
import { quietUntil } from '../time/quiet-hours.ts';
import {
  NOTIFICATION_KINDS,
  type NotificationChannel,
  type NotificationKind,
  OUTER_CHANNELS,
  type OuterChannel,
  outerChannel,
  ROUTED_KINDS,
} from './notification-kinds.ts';

const clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/);

/** Times of day, on the reader's own clock, in which only urgent notifications leave the server; `from` may lie after `to`. */
export const quietHoursSchema = z.object({
  enabled: z.boolean(),
  from: clock,
  to: clock,
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, { params: { code: 'time_zone' } }),
});
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** What a reader chose: outer channels by kind (absent: as the table says), and quiet hours. */
export const notificationChoicesSchema = z.object({
  channels: z.partialRecord(z.enum(ROUTED_KINDS as [NotificationKind, ...NotificationKind[]]), z.array(outerChannel).max(4)),
  quietHours: quietHoursSchema,
});
export type NotificationChoices = z.infer<typeof notificationChoicesSchema>;

export const DEFAULT_CHOICES: NotificationChoices = {
  channels: {},
  quietHours: { enabled: false, from: '23:00', to: '08:00', timeZone: 'UTC' },
};

/** Where a notification of a kind goes besides the list in the apps. */
export function outerChannelsOf(
  kind: NotificationKind,
  choices: NotificationChoices,
  asked?: readonly NotificationChannel[],
): OuterChannel[] {
  const chosen: readonly NotificationChannel[] =
    asked ?? (kind === 'test' ? undefined : choices.channels[kind]) ?? NOTIFICATION_KINDS[kind].channels;
  return OUTER_CHANNELS.filter((channel) => chosen.includes(channel));
}

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

/**
 * When a message may leave: `at` itself, or the end of the quiet hours it falls into.
 * @param at epoch ms
 */
export function afterQuietHours(at: number, { enabled, from, to, timeZone }: QuietHours): number {
  if (!enabled || from === to) return at;
  return quietUntil(at, { timeZone, windows: [{ days: EVERY_DAY, from, to }] }) ?? at;
}
