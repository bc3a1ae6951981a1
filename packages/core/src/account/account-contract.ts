import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { exchangeName, isoTime } from '../http/wire.ts';

/** Claims are checked by name; `role` claims carry the roles. */
export const claimSchema = z.object({ name: z.string(), value: z.string() });

export const accountSchema = z.object({
  claims: z.array(claimSchema),
  exchanges: z.array(z.object({ name: exchangeName, tradeEnabled: z.boolean() })),
  hasTelegram: z.boolean(),
  username: z.string(),
  email: z.string(),
  emailConfirmed: z.boolean(),
  createdAt: isoTime,
});
export type Account = z.infer<typeof accountSchema>;

export const getAccount = endpoint({
  backend: 'bff',
  method: 'GET',
  path: '/v2/account',
  access: 'user',
  summary: 'Who is signed in, with claims and connected exchanges',
  answer: accountSchema,
});

export const accountContract = { getAccount };
