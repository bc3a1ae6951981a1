import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { id, idParams, isoTime } from '../http/wire.ts';

export const notificationSchema = z.object({
  id,
  at: isoTime,
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  link: z.string().nullable(),
  read: z.boolean(),
});
export type Notification = z.infer<typeof notificationSchema>;

export const listNotifications = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/notifications',
  access: 'user',
  summary: 'Notifications, newest first, with the unread count',
  answer: z.object({ items: z.array(notificationSchema), unread: z.int() }),
});
export const readNotification = endpoint({
  backend: 'bff',
  method: 'PATCH',
  path: '/v2/notifications/{id}/read',
  access: 'user',
  summary: 'Marks one as read',
  params: idParams,
  answer: notificationSchema,
});

export const notificationsContract = { listNotifications, readNotification };
