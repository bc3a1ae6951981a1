/** Long enough to be accepted without a high score. */
export const LONG_PASSWORD = 12;
/** zxcvbn score (0-4) that makes a shorter password acceptable. */
export const STRONG_SCORE = 3;

export type PasswordVerdict = 'ok' | 'weak' | 'own-field';

const folded = (text: string): string => text.trim().toLowerCase();

/**
 * At least 12 characters or a zxcvbn score of 3; never one of the user's own fields. A score of 0 (the first
 * thousand guesses of every attacker) is refused at any length.
 * @param score zxcvbn's 0-4, computed with the own fields as its user inputs
 * @param ownFields username, e-mail and the like; an e-mail's local part counts too
 */
export function passwordVerdict(password: string, score: number, ownFields: readonly string[]): PasswordVerdict {
  const own = ownFields.flatMap((field) => [field, field.split('@')[0] ?? field]).map(folded);
  if (own.some((field) => field !== '' && field === folded(password))) return 'own-field';
  if (score >= STRONG_SCORE) return 'ok';
  return Array.from(password).length >= LONG_PASSWORD && score > 0 ? 'ok' : 'weak';
}
