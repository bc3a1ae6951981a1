/** The local-storage key of the session in the browser; the CLI's stores use the same name. */
export const SESSION_KEY = 'user_jwt';

/** What is stored: exactly these three. `expiresAt` is ISO-8601 UTC. */
export type StoredSession = { accessToken: string; refreshToken: string; expiresAt: string };

const FIELDS = ['accessToken', 'refreshToken', 'expiresAt'] as const;
const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/;

/**
 * The session in stored text, or `undefined` for none and for anything malformed. Strict on purpose: a text with
 * more, less or other types was not written by us, and counts as signed out. Checked by hand, because this runs
 * before anything is on screen and a schema library would have to be loaded first.
 */
export function readSession(text: string | null | undefined): StoredSession | undefined {
  if (!text) return undefined;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof stored !== 'object' || stored === null || Object.keys(stored).length !== FIELDS.length) return undefined;
  const session = stored as Record<string, unknown>;
  if (FIELDS.some((field) => typeof session[field] !== 'string' || session[field] === '')) return undefined;
  const { accessToken, refreshToken, expiresAt } = session as StoredSession;
  return UTC.test(expiresAt) && !Number.isNaN(Date.parse(expiresAt)) ? { accessToken, refreshToken, expiresAt } : undefined;
}

/** The text to store. Answers that carry more (recovery codes) lose it here. */
export const writeSession = ({ accessToken, refreshToken, expiresAt }: StoredSession): string =>
  JSON.stringify({ accessToken, refreshToken, expiresAt });

/** True once the wall's time (ms since 1970) has reached the expiry. */
export const isExpired = (session: StoredSession, now: number): boolean => Date.parse(session.expiresAt) <= now;
