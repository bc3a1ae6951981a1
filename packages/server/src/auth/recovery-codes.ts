import type { Queries } from '../database/database.ts';
import type { Random } from '../database/uuid.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

export const RECOVERY_CODES = 10;
/** 32 characters without those that look alike, so that a byte maps evenly. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A code for people to type: ten letters and digits, 50 bits. */
export const typedCode = (random: Random): string => {
  const letters = Array.from(random(10), (byte) => ALPHABET[byte & 31]).join('');
  return `${letters.slice(0, 5)}-${letters.slice(5)}`;
};

const normalised = (code: string): string => code.toUpperCase().replace('-', '');
const subjectOf = (accountId: string, code: string): string => `recovery ${accountId} ${normalised(code)}`;

/** Replaces an account's recovery codes; the new ones are returned once and kept only as keyed hashes (50 bits each). */
export async function replaceRecoveryCodes(
  queries: Queries,
  accountId: string,
  { secretBox, random, now, newId }: { secretBox: SecretBox; random: Random; now: () => number; newId: () => string },
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => typedCode(random));
  await queries.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
  await queries
    .insertInto('recovery_codes')
    .values(
      codes.map((code) => ({
        id: newId(),
        account_id: accountId,
        code_hash: secretBox.fingerprint(subjectOf(accountId, code)),
        created_at: now(),
        used_at: null,
      })),
    )
    .execute();
  return codes;
}

/** Uses a recovery code up: true once, however many try at the same time. */
export async function takeRecoveryCode(
  queries: Queries,
  secretBox: SecretBox,
  accountId: string,
  code: string,
  now: number,
): Promise<boolean> {
  const result = await queries
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('account_id', '=', accountId)
    // Codes outlive a key file: of those made under an earlier one only its hash is known.
    .where('code_hash', 'in', secretBox.fingerprints(subjectOf(accountId, code)))
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** How many of the codes still work, and since when they are the ones. */
export async function recoveryCodesLeft(
  queries: Queries,
  accountId: string,
): Promise<{ left: number; total: number; createdAt: string | null }> {
  const rows = await queries.selectFrom('recovery_codes').select(['created_at', 'used_at']).where('account_id', '=', accountId).execute();
  const first = rows[0];
  return {
    left: rows.filter((row) => row.used_at === null).length,
    total: rows.length,
    createdAt: first === undefined ? null : new Date(first.created_at).toISOString(),
  };
}
