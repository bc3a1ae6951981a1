import * as z from 'zod';
import { usernameSchema } from '../auth/auth-contract.ts';
import { endpoint, fileText } from '../http/endpoint.ts';
import { exchangeName, isoTime, nothing } from '../http/wire.ts';
import { preferencesSchema } from './preferences.ts';

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

const own = { backend: 'bff', access: 'user' } as const;

export const getAccount = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account',
  summary: 'Who is signed in, with claims and connected exchanges',
  answer: accountSchema,
});

/** `updatedAt` is null until the account chose anything: a device then keeps what it has. */
const storedPreferences = preferencesSchema.extend({ updatedAt: isoTime.nullable() });
export type StoredPreferences = z.infer<typeof storedPreferences>;

export const getPreferences = endpoint({
  ...own,
  method: 'GET',
  path: '/v2/account/preferences',
  summary: 'Language, theme, time zone and the like, the same on every device',
  answer: storedPreferences,
});

export const setPreferences = endpoint({
  ...own,
  method: 'PUT',
  path: '/v2/account/preferences',
  summary: 'Changes the preferences named; the others stay',
  body: preferencesSchema.partial(),
  answer: storedPreferences,
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
  setPreferences,
  startAccountExport,
  getAccountExport,
  downloadAccountExport,
  deleteAccountExport,
  deleteAccount,
};
