/**
 * The rule of every decimal field: only digits and one decimal point. A typed comma becomes the point (Turkish phone
 * keypads have no other key for it); a paste that holds both separators is refused, never guessed, because 1.234,5
 * and 1,234.5 differ by a factor of a thousand. So is a pasted 65,500, which is one or the other.
 */
export type DecimalEdit =
  | { accepted: true; text: string }
  | { accepted: false; reason: 'both-separators' | 'not-a-decimal' | 'too-many-places'; text: string };

const SHAPE = /^\d*\.?\d*$/;
/** Thousands to one half of the world, and a fraction to the other. */
const GROUPED = /^[1-9]\d{0,2},\d{3}$/;

/**
 * What the field holds after an edit.
 * @param previous the text before, kept when the edit is refused
 * @param next the text the user's edit would give
 * @param pasted true when the edit is a paste or a drop: more than a keystroke
 * @param places digits allowed after the point; unlimited when left out
 */
export function editDecimal(previous: string, next: string, pasted = false, places?: number): DecimalEdit {
  const trimmed = pasted ? next.trim() : next;
  const commas = count(trimmed, ',');
  const points = count(trimmed, '.');
  if (pasted && ((commas > 0 && points > 0) || GROUPED.test(trimmed)))
    return { accepted: false, reason: 'both-separators', text: previous };
  const text = commas === 1 && points === 0 ? trimmed.replace(',', '.') : trimmed;
  if (!SHAPE.test(text)) return { accepted: false, reason: 'not-a-decimal', text: previous };
  const point = text.indexOf('.');
  if (places !== undefined && point >= 0 && text.length - point - 1 > places)
    return { accepted: false, reason: 'too-many-places', text: previous };
  return { accepted: true, text };
}

/** What the field means when it is left: `.5` → `0.5`, `7.` → `7`, `007` → `7`; empty stays empty. */
export function completeDecimal(text: string): string {
  if (text === '' || text === '.') return '';
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;
