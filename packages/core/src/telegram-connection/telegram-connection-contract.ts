import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { isoTime, nothing } from '../http/wire.ts';

export const connectTelegram = endpoint({
  backend: 'gateway',
  method: 'POST',
  path: '/v2/account/connect/telegram',
  access: 'user',
  summary: 'Links the chat that received the code',
  headers: ['code'],
  answer: nothing,
  status: 204,
  errors: ['code-expired', 'wrong-code'],
});

export const disconnectTelegram = endpoint({
  backend: 'gateway',
  method: 'DELETE',
  path: '/v2/account/connect/telegram',
  access: 'user',
  summary: 'Unlinks the chat',
  answer: nothing,
  status: 204,
  errors: ['not-connected'],
});

export const getTelegramLink = endpoint({
  backend: 'gateway',
  method: 'GET',
  path: '/v2/account/connect/telegram',
  access: 'user',
  summary: 'The deep link to the bot with a one-time code; without a bot, available is false',
  answer: z.object({ available: z.boolean(), link: z.string().optional(), expiresAt: isoTime.optional() }),
});

export const telegramConnectionContract = { connectTelegram, disconnectTelegram, getTelegramLink };
