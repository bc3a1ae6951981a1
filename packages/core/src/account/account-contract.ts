import * as z from 'zod';
import { usernameSchema } from '../auth/auth-contract.ts';
import { endpoint, fileText } from '../http/endpoint.ts';
import { exchangeName, isoTime, nothing } from '../http/wire.ts';
import { preferencesSchema, viewChoicesSchema } from './preferences.ts';

/** Claims are checked by name; `role` claims carry the roles. */
export const claimSchema = z.object({ name: z.string(), value: z.string() });

export const accountSchema = z.object({
  claims: z.array(claimSchema),
  exchanges: z.array(
    z.object({
      name: exchangeName,
      /**
       * False only where the exchange says that the keys may not trade; true while it does not say, because unknown is not
       * false: the exchange then decides order by order. Without it everything that trades live is refused as
       * `trading-disabled`. What a bot owes by its rules (its exits) is sent all the same.
       */
      tradeEnabled: z.boolean(),
    }),
  ),
  hasTelegram: z.boolean(),
  username: z.string(),
  email: z.string(),
  emailConfirmed: z.boolean(),
  createdAt: isoTime,
});
export type Account = z.infer<typeof accountSchema>;

const own = { backend: 'bff', access: 'user' } as const;

export const getAccount = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account',
  summary: 'Who is signed in, with claims and connected exchanges',
  answer: accountSchema,
});

/** Optional because an older server does not know them; this one always names them. */
const viewChoices = viewChoicesSchema.partial();

/** `updatedAt` is null until the account chose any preference, views and time zone aside: a device then keeps what it has. */
const storedPreferences = preferencesSchema.extend({ ...viewChoices.shape, updatedAt: isoTime.nullable() });
export type StoredPreferences = z.infer<typeof storedPreferences>;

export const getPreferences = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/preferences',
  summary: 'Language, theme, time zone, favourites and the like, the same on every device',
  answer: storedPreferences,
});

export const setPreferences = endpoint({
  ...own,
  method: 'PUT',
  path: '/v2/account/preferences',
  summary: 'Changes the preferences named; the others stay',
  body: preferencesSchema.partial().extend(viewChoices.shape),
  answer: storedPreferences,
});

const unreadableSchema = z.object({
  kind: z.enum(['auto-trade', 'price-alert', 'wallet']),
  id: z.string(),
  /** Null where the name is in what cannot be read. */
  name: z.string().nullable(),
  /** Of a bot: a kill switch is on. It does not trade either way; without one it would go on once a version can read it. */
  halted: z.boolean(),
});
export type Unreadable = z.infer<typeof unreadableSchema>;

export const listUnreadable = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/unreadable',
  summary: 'Stored bots, alerts and wallets that this version cannot read, and their lists therefore lack',
  answer: z.object({ items: z.array(unreadableSchema) }),
});

const limitSchema = z.object({
  /** `bots`, `coinsPerBot`, `coins`, `wallets`, …; a server may know more of them. */
  quota: z.string(),
  /** What the account has; null where each thing has its own count. */
  used: z.int().nullable(),
  limit: z.int(),
});
export type Limit = z.infer<typeof limitSchema>;

export const listLimits = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/limits',
  summary: 'How much of each kind the account may have, and has',
  answer: z.object({ items: z.array(limitSchema) }),
});

export const accountExportSchema = z.object({
  state: z.enum(['none', 'running', 'ready', 'failed']),
  /** Tables written so far, and rows. */
  done: z.int(),
  total: z.int(),
  rows: z.int(),
  bytes: z.int(),
  startedAt: isoTime.nullable(),
  /** Until when it can be fetched. */
  expiresAt: isoTime.nullable(),
});
export type AccountExport = z.infer<typeof accountExportSchema>;

export const startAccountExport = endpoint({
  ...own,
  method: 'POST',
  path: '/v2/account/export',
  summary: 'Begins to write down everything the account owns; one at a time. Needs a step-up proof',
  answer: accountExportSchema,
  status: 202,
  errors: ['step-up-required', 'conflict'],
});

export const getAccountExport = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/export',
  summary: 'How far the export is',
  answer: accountExportSchema,
});

export const downloadAccountExport = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/export/download',
  summary: 'The export as one JSON document',
  answers: 'file',
  answer: fileText,
  errors: ['not-found'],
});

export const deleteAccountExport = endpoint({
  ...own,
  method: 'DELETE',
  path: '/v2/account/export',
  summary: 'Removes the export from the server, or stops the one that runs',
  answer: nothing,
  status: 204,
});

export const deleteAccount = endpoint({
  ...own,
  method: 'POST',
  path: '/v2/account/delete',
  summary: 'Deletes the own account: bots end first, keys are forgotten, trades are kept 30 days. Needs a step-up proof',
  body: z.object({ username: usernameSchema }),
  answer: nothing,
  status: 204,
  errors: ['step-up-required', 'last-admin'],
});

export const accountContract = {
  getAccount,
  getPreferences,
  listLimits,
  listUnreadable,
  setPreferences,
  startAccountExport,
  getAccountExport,
  downloadAccountExport,
  deleteAccountExport,
  deleteAccount,
};
