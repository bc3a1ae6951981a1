import * as z from 'zod';
import { emailSchema, enrolmentSchema, otpCodeSchema, recoveryCodeSchema } from '../auth/auth-contract.ts';
import { endpoint } from '../http/endpoint.ts';
import { done, isoTime } from '../http/wire.ts';

const own = { backend: 'gateway', access: 'user' } as const;

/** Header that carries the proof of a step-up. */
export const STEP_UP_HEADER = 'step-up';

export const stepUp = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/step-up',
  summary:
    'Proves once more who is there, by password, code of the authenticator (or a recovery code) or both; the proof holds for five minutes in this session, a code for ten minutes wherever a second factor is needed',
  body: z
    .object({ password: z.string().min(1).max(256).optional(), otpCode: z.union([otpCodeSchema, recoveryCodeSchema]).optional() })
    .refine((body) => body.password !== undefined || body.otpCode !== undefined, { path: ['password'], params: { code: 'required' } }),
  answer: z.object({ proof: z.string(), expiresAt: isoTime }),
  errors: ['wrong-password', 'wrong-code', 'code-used', 'throttled'],
});

export const resendEmailConfirmation = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/resend-email-confirmation',
  summary: 'Sends the link that confirms the address again; nothing where it is confirmed',
  answer: done,
  status: 202,
  errors: ['throttled'],
});

export const changeEmail = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/change-email',
  secondFactor: true,
  summary: 'Sends a link to the new address, which becomes the account’s when it is opened; the old one is told. Needs a proof by password',
  body: z.object({ email: emailSchema }),
  answer: done,
  status: 202,
  errors: ['step-up-required', 'throttled'],
});

export const revokeOtherSessions = endpoint({
  ...own,
  method: 'DELETE',
  path: '/v1/account/sessions',
  summary: 'Signs every other device out',
  answer: z.object({ ended: z.int() }),
});

export const CONNECTION_KINDS = ['exchange', 'telegram', 'webhook', 'push', 'mail'] as const;
export const connectionSchema = z.object({
  kind: z.enum(CONNECTION_KINDS),
  /** What its owner knows it by: the end of a key, a host, a browser, an address; empty where there is only one. */
  name: z.string(),
  /** Null where it is older than what is remembered. */
  addedAt: isoTime.nullable(),
});
export type Connection = z.infer<typeof connectionSchema>;

export const listConnections = endpoint({
  ...own,
  method: 'GET',
  path: '/v1/account/connections',
  summary:
    'What else reaches this account or is reached by it: exchange keys, the Telegram chat, the webhook, browsers for push messages, a mail address that waits to become the account’s',
  answer: z.object({ items: z.array(connectionSchema) }),
});

export const endConnections = endpoint({
  ...own,
  method: 'DELETE',
  path: '/v1/account/connections',
  summary: 'Ends all of them; exchange keys that bots hold positions with are kept, and named',
  answer: z.object({ ended: z.int(), kept: z.array(connectionSchema) }),
});

export const getRecoveryCodes = endpoint({
  ...own,
  method: 'GET',
  path: '/v1/account/recovery-codes',
  summary: 'How many recovery codes are left',
  answer: z.object({ left: z.int(), total: z.int(), createdAt: isoTime.nullable() }),
});

export const renewRecoveryCodes = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/recovery-codes',
  summary: 'Ten new recovery codes, shown once; the old ones stop working. Needs a proof by password and authenticator code',
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['step-up-required'],
});

export const replaceTwoFactor = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/replace-2fa',
  summary:
    'A secret for another authenticator; the present one works until the new one is confirmed. Needs a proof by password and code; where the authenticator is lost, a recovery code',
  answer: enrolmentSchema,
  errors: ['step-up-required'],
});

export const confirmReplacedTwoFactor = endpoint({
  ...own,
  method: 'POST',
  path: '/v1/account/replace-2fa/confirm',
  summary: 'The new authenticator takes over; other sessions end and new recovery codes are shown once',
  body: z.object({ otpCode: otpCodeSchema, confirmationCode: z.string().min(1).max(200) }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['wrong-code', 'code-used', 'code-expired', 'throttled'],
});

export const accountSecurityContract = {
  stepUp,
  resendEmailConfirmation,
  changeEmail,
  revokeOtherSessions,
  listConnections,
  endConnections,
  getRecoveryCodes,
  renewRecoveryCodes,
  replaceTwoFactor,
  confirmReplacedTwoFactor,
};
