import * as z from 'zod';
import { endpoint } from '../http/endpoint.ts';
import { done, id, isoTime, nothing, pageQuery } from '../http/wire.ts';

/** Stored by the clients under `user_jwt`. */
export const sessionSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresAt: isoTime });
export type Session = z.infer<typeof sessionSchema>;

export const usernameSchema = z
  .string()
  .trim()
  .min(3)
  .max(32)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/);
export const emailSchema = z.email().max(254);
/** The strength rule (≥ 12 characters or zxcvbn ≥ 3, none of the own fields) is `password-rules.ts`; this is the shape. */
export const passwordSchema = z.string().min(8).max(256);
/** Six digits. Authenticators show them in groups: gaps and dashes are left out here, for everybody who sends a code. */
export const otpCodeSchema = z
  .string()
  .overwrite((code) => code.replace(/[\s\p{Pd}]/gu, ''))
  .regex(/^\d{6}$/);
/** A recovery code as shown: five letters or digits, a hyphen, five more. */
export const recoveryCodeSchema = z.string().regex(/^[A-Za-z0-9]{5}-?[A-Za-z0-9]{5}$/);

export const registrationSchema = z.object({
  username: usernameSchema,
  email: emailSchema,
  password: passwordSchema,
  /** Where new accounts need an invitation. */
  inviteCode: z.string().trim().max(100).optional(),
  /** For the first account of a server that others can reach. */
  setupCode: z.string().trim().max(100).optional(),
});
export type Registration = z.infer<typeof registrationSchema>;
export const credentialsSchema = z.object({ username: z.string().trim().min(1).max(254), password: z.string().min(1).max(256) });
export type Credentials = z.infer<typeof credentialsSchema>;

/** What enrolment needs: the TOTP secret (base32), the confirmation code and until when both hold. */
export const enrolmentSchema = z.object({ secretKey: z.string(), code: z.string(), expiresAt: isoTime });
export type Enrolment = z.infer<typeof enrolmentSchema>;

/** With `secretKey` the account still has to enrol; without it, `code` is the bearer of verify-2fa. */
export const loginAnswerSchema = z.object({ secretKey: z.string().optional(), code: z.string(), expiresAt: isoTime.optional() });
export type LoginAnswer = z.infer<typeof loginAnswerSchema>;

export const confirmedSchema = sessionSchema.extend({ recoveryCodes: z.array(z.string()) });
export type Confirmed = z.infer<typeof confirmedSchema>;

const gateway = { backend: 'gateway' } as const;

export const createAccount = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/create',
  access: 'none',
  summary: 'Creates an account and answers what 2FA enrolment needs',
  body: registrationSchema,
  answer: enrolmentSchema,
  status: 201,
  errors: ['username-taken', 'email-taken', 'weak-password', 'registration-closed', 'setup-code-required', 'wrong-setup-code', 'throttled'],
});

export const confirmTwoFactor = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/confirm-2fa',
  access: 'none',
  summary: 'Enrols the authenticator; answers the session and ten recovery codes, shown once',
  body: z.object({ otpCode: otpCodeSchema, confirmationCode: z.string().min(1).max(200) }),
  answer: confirmedSchema,
  errors: ['wrong-code', 'code-used', 'code-expired', 'throttled'],
});

export const login = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/login',
  access: 'none',
  summary: 'Checks username (or e-mail) and password; answers the code for the second factor',
  body: credentialsSchema,
  answer: loginAnswerSchema,
  errors: ['invalid-credentials', 'throttled'],
});

export const verifyTwoFactor = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/verify-2fa',
  access: 'pending',
  summary: 'Second factor: an authenticator code or a recovery code, with the login code as bearer',
  body: z.object({ otpCode: z.union([otpCodeSchema, recoveryCodeSchema]) }),
  answer: sessionSchema,
  errors: ['wrong-code', 'code-used', 'code-expired', 'throttled'],
});

export const refreshToken = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/refresh-token',
  access: 'refresh',
  summary: 'Rotates the refresh token; a spent one used again revokes its family',
  answer: sessionSchema,
});

export const logout = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/logout',
  access: 'user',
  summary: 'Revokes this session',
  answer: nothing,
  status: 204,
});

export const forgotPassword = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/forgot-password',
  access: 'none',
  summary: 'Sends a one-time link; answers the same whether the address is known or not',
  body: z.object({ email: emailSchema }),
  answer: done,
  status: 202,
  errors: ['throttled'],
});

export const resetPassword = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/reset-password',
  access: 'none',
  summary: 'Sets a new password with the code of the link; ends every session; 2FA stays',
  body: z.object({ code: z.string().min(1).max(200), newPassword: passwordSchema }),
  answer: done,
  errors: ['code-expired', 'weak-password', 'throttled'],
});

export const changePassword = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/change-password',
  access: 'user',
  summary: 'Changes the password; every other session ends',
  body: z.object({ currentPassword: z.string().min(1).max(256), newPassword: passwordSchema }),
  answer: z.object({ success: z.boolean(), message: z.string() }),
  errors: ['wrong-password', 'weak-password', 'throttled'],
});

export const confirmEmail = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/confirm-email',
  access: 'none',
  summary: 'Confirms the address with the code of the link',
  body: z.object({ code: z.string().min(1).max(200) }),
  answer: done,
  errors: ['code-expired'],
});

export const receivePhoneConfirmation = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/receive-phone-confirmation',
  access: 'user',
  summary: 'Sends a code to the phone number',
  body: z.object({ phone: z.string().regex(/^\+[1-9]\d{6,14}$/) }),
  answer: done,
  status: 202,
  errors: ['throttled'],
});

export const confirmPhone = endpoint({
  ...gateway,
  method: 'POST',
  path: '/v1/account/confirm-phone',
  access: 'user',
  summary: 'Confirms the phone number with the code that was sent',
  body: z.object({ phone: z.string().regex(/^\+[1-9]\d{6,14}$/), code: otpCodeSchema }),
  answer: done,
  errors: ['wrong-code', 'code-expired', 'throttled'],
});

/** One signed-in device, for /user/security. */
export const deviceSchema = z.object({
  id,
  createdAt: isoTime,
  lastUsedAt: isoTime,
  expiresAt: isoTime,
  address: z.string(),
  device: z.string(),
  current: z.boolean(),
});

export type Device = z.infer<typeof deviceSchema>;

export const listSessions = endpoint({
  ...gateway,
  method: 'GET',
  path: '/v1/account/sessions',
  access: 'user',
  summary: 'The devices signed in to this account',
  answer: z.object({ items: z.array(deviceSchema) }),
});

export const revokeSession = endpoint({
  ...gateway,
  method: 'DELETE',
  path: '/v1/account/sessions/{id}',
  access: 'user',
  summary: 'Signs one device out',
  params: z.object({ id }),
  answer: nothing,
  status: 204,
});

export const auditEntrySchema = z.object({
  id,
  at: isoTime,
  action: z.string(),
  target: z.string().optional(),
  address: z.string(),
  device: z.string(),
  outcome: z.enum(['success', 'failure']),
});

/** What actions of the audit log begin with. */
export const AUDIT_AREAS = [
  'auth',
  'account',
  'exchange',
  'wallet',
  'auto-trade',
  'position',
  'positions',
  'order',
  'trade-import',
  'price-alert',
  'notification',
  'telegram',
  'admin',
] as const;

export const listAuditLog = endpoint({
  ...gateway,
  method: 'GET',
  path: '/v1/account/audit-log',
  access: 'user',
  summary: 'What happened to this account, newest first',
  query: pageQuery.extend({
    area: z.enum(AUDIT_AREAS).optional(),
    outcome: z.enum(['success', 'failure']).optional(),
  }),
  answer: z.object({ items: z.array(auditEntrySchema), page: z.int(), pageSize: z.int(), total: z.int() }),
});

export const authContract = {
  createAccount,
  confirmTwoFactor,
  login,
  verifyTwoFactor,
  refreshToken,
  logout,
  forgotPassword,
  resetPassword,
  changePassword,
  confirmEmail,
  receivePhoneConfirmation,
  confirmPhone,
  listSessions,
  revokeSession,
  listAuditLog,
};
