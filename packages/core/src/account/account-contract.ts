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

export const hasRole = (account: Pick<Account, 'claims'>, role: string): boolean =>
  account.claims.some((claim) => claim.name === 'role' && claim.value === role);

/** Trading permission for an exchange exists when that exchange has `tradeEnabled`. */
export const canTrade = (account: Pick<Account, 'exchanges'>, exchange: string): boolean =>
  account.exchanges.some((connected) => connected.name === exchange && connected.tradeEnabled);

export const accountContract = { getAccount };
