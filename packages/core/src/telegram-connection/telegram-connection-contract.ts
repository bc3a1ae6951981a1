import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { isoTime, nothing } from '../http/wire.ts';

export const connectTelegram = endpoint({
  backend: 'gateway',
  method: 'POST',
  path: '/v2/account/connect/telegram',
  access: 'user',
  secondFactor: true,
  summary: 'Links the chat that received the code',
  headers: ['code'],
  answer: nothing,
  status: 204,
  errors: ['code-expired', 'code-used', 'wrong-code', 'throttled', 'channel-unavailable'],
});

export const disconnectTelegram = endpoint({
  backend: 'gateway',
  method: 'DELETE',
  path: '/v2/account/connect/telegram',
  access: 'user',
  summary: 'Unlinks the chat',
  answer: nothing,
  status: 204,
  errors: ['telegram-not-connected'],
});

export const getTelegramLink = endpoint({
  backend: 'gateway',
  method: 'GET',
  path: '/v2/account/connect/telegram',
  access: 'user',
  summary: 'Whether a chat is linked, and the deep link to the bot with a one-time code; without a bot, available is false',
  answer: z.object({
    available: z.boolean(),
    /** Why not: the instance has no bot, or the bot cannot be reached now. */
    reason: z.enum(['not-configured', 'unreachable']).nullable(),
    connected: z.boolean(),
    connectedAt: isoTime.nullable(),
    /** The bot's own name, without @. */
    botName: z.string().optional(),
    /** `https://t.me/<bot>?start=<code>`, only while no chat is linked. */
    link: z.string().optional(),
    /** The same code, to be typed as `/start <code>`. */
    code: z.string().optional(),
    expiresAt: isoTime.optional(),
    mutedUntil: isoTime.nullable(),
  }),
  errors: ['throttled'],
});

/** A month at most. */
export const MOST_MUTE_MINUTES = 60 * 24 * 30;
export const muteTelegram = endpoint({
  backend: 'gateway',
  method: 'PUT',
  path: '/v2/account/connect/telegram/mute',
  access: 'user',
  summary: 'Silences the chat for some minutes; null lets it speak again',
  body: z.object({ minutes: z.int().min(1).max(MOST_MUTE_MINUTES).nullable() }),
  answer: z.object({ mutedUntil: isoTime.nullable() }),
  errors: ['telegram-not-connected'],
});

export const telegramConnectionContract = { connectTelegram, disconnectTelegram, getTelegramLink, muteTelegram };
