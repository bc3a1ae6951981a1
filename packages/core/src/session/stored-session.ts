import * as z from 'zod';
import { isoTime } from '../http/wire.ts';

/** The local-storage key of the session in the browser; the CLI's stores use the same name. */
export const SESSION_KEY = 'user_jwt';

/**
 * Exactly what is stored: {accessToken, refreshToken, expiresAt}. Strict on purpose: a text with more, less or other
 * types was not written by us, and counts as signed out.
 */
export const storedSessionSchema = z.strictObject({
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  expiresAt: isoTime,
});
export type StoredSession = z.infer<typeof storedSessionSchema>;

/** The session in stored text, or `undefined` for none and for anything malformed. */
export function readSession(text: string | null | undefined): StoredSession | undefined {
  if (!text) return undefined;
  try {
    return storedSessionSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The text to store. Answers that carry more (recovery codes) lose it here. */
export const writeSession = ({ accessToken, refreshToken, expiresAt }: StoredSession): string =>
  JSON.stringify({ accessToken, refreshToken, expiresAt });

/** True once the wall's time (ms since 1970) has reached the expiry. */
export const isExpired = (session: StoredSession, now: number): boolean => Date.parse(session.expiresAt) <= now;
