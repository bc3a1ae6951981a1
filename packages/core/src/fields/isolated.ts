/**
 * Letters that run from right to left (the blocks Unicode keeps for them; those beyond U+FFFF by the first half of their
 * pairs), and marks that turn what follows them.
 */
const TURNS = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name that people chose, as it stands in a sentence or beside figures: where its letters run from right to left, or it holds
 * marks that turn the direction, it is kept from turning the words around it. Anything else as it is.
 * @param inner the same text without isolates that would reach out of it; all of them, unless given
 */
export const isolated = (text: string, inner = text.replace(/[\u2066-\u2069]/g, '')): string =>
  TURNS.test(text) ? `\u2068${inner}\u2069` : text;
