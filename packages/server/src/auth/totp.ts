import { Secret, TOTP } from 'otpauth';
import type { Queries } from '../database/database.ts';
import type { Random } from '../database/uuid.ts';

const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;

/** A new TOTP secret as base32, 160 bits as RFC 4226 recommends. */
export const newTotpSecret = (random: Random): string => {
  const bytes = random(SECRET_BYTES);
  return new Secret({ buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + SECRET_BYTES) as ArrayBuffer }).base32;
};

const totp = (secret: string): TOTP =>
  new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS });

/** The code an authenticator shows at that time (epoch ms). */
export const totpCode = (secret: string, time: number): string => totp(secret).generate({ timestamp: time });

/** The step a code belongs to: the current one, the one before or the one after; undefined when it fits none. */
export function matchingStep(secret: string, code: string, time: number): number | undefined {
  const delta = totp(secret).validate({ token: code, timestamp: time, window: 1 });
  return delta === null ? undefined : Math.floor(time / 1000 / PERIOD_SECONDS) + delta;
}

/**
 * Takes a step for an account: true once per step, false for the same or an older one, however many ask at once
 * (one conditional upsert).
 */
export async function takeStep(queries: Queries, accountId: string, step: number): Promise<boolean> {
  const result = await queries
    .insertInto('totp_steps')
    .values({ account_id: accountId, last_step: step })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ last_step: step }).where('totp_steps.last_step', '<', step))
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}
