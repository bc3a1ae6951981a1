import { decimal, isDecimalText, multiply, toText } from '../money/decimal.ts';

export type AlertLanguage = 'en' | 'tr';
export type ReadNumber =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: 'number-wrong' | 'number-ambiguous'; readonly suggestions: readonly string[] };

const SIGNS = { en: { point: '.', group: ',' }, tr: { point: ',', group: '.' } } as const;
const SCALES: Readonly<Record<string, string>> = {
  k: '1000',
  bin: '1000',
  thousand: '1000',
  m: '1000000',
  mn: '1000000',
  milyon: '1000000',
  million: '1000000',
  b: '1000000000',
  bn: '1000000000',
  milyar: '1000000000',
  billion: '1000000000',
};
/** What a word multiplies by; Turkish words with their endings too: `70 bini`, `2 milyona`. */
export const scaleOf = (word: string): string | undefined => {
  const stem = word.replace(/^(bin|milyon|milyar)(?:i|e|u|a|in|un|den|dan|lik|luk)$/, '$1');
  return Object.hasOwn(SCALES, stem) ? SCALES[stem] : undefined;
};

const written = (whole: string, fraction: string, language: AlertLanguage): string =>
  fraction === '' ? whole : `${whole}${SIGNS[language].point}${fraction}`;

/** Groups of thousands by apostrophe, as the Swiss write them; a gap between groups is made one (`closedGroups`). */
const APOSTROPHES = /^([1-9]\d{0,2}(?:'\d{3})+)(?:[.,](\d+))?$/;

/**
 * A number as people of a language write it, as exact decimal text. 1.234 in Turkish and 1,234 in English may be one
 * or a thousand: such a number is refused with both ways to say it, because a factor of a thousand is never guessed.
 * @param typed digits with points, commas and apostrophes
 */
export function readNumber(typed: string, language: AlertLanguage): ReadNumber {
  const { point, group } = SIGNS[language];
  const wrong: ReadNumber = { ok: false, code: 'number-wrong', suggestions: [] };
  const found = (text: string): ReadNumber => (isDecimalText(text) ? { ok: true, text: toText(decimal(text)) } : wrong);
  if (typed.includes("'")) {
    const [, whole, fraction = ''] = APOSTROPHES.exec(typed) ?? [];
    return whole === undefined ? wrong : found(`${whole.replaceAll("'", '')}${fraction === '' ? '' : '.'}${fraction}`);
  }
  if (!/^\d[\d.,]*$/.test(typed) || /[.,]$/.test(typed)) return wrong;
  const groups = typed.split(group).length - 1;
  const points = typed.split(point).length - 1;
  if (groups === 0 && points === 0) return found(typed);
  if (points === 1 && groups === 0) {
    const [whole = '', fraction = ''] = typed.split(point);
    // Three noughts after a point are hardly ever typed for the fraction that they are.
    if (fraction === '000' && /^[1-9]\d{0,2}$/.test(whole))
      return { ok: false, code: 'number-ambiguous', suggestions: [`${whole}${fraction}`, whole] };
    return found(`${whole}.${fraction}`);
  }
  const [whole = '', fraction = ''] = typed.split(point);
  const grouped = new RegExp(`^\\d{1,3}(?:\\${group}\\d{3})+$`).test(whole) && !whole.startsWith('0');
  if (points <= 1 && groups >= 1 && grouped) {
    const plain = whole.replaceAll(group, '');
    if (groups > 1 || points === 1) return found(fraction === '' ? plain : `${plain}.${fraction}`);
    const [left = '', right = ''] = typed.split(group);
    return { ok: false, code: 'number-ambiguous', suggestions: [plain, written(left, right, language)] };
  }
  // The other language's point, where it cannot be taken for thousands.
  if (groups === 1 && points === 0) return found(typed.replace(group, '.'));
  // Grouped as the other language groups: offered, so that nothing has to be typed again.
  const [, foreign, part = ''] = new RegExp(`^([1-9]\\d{0,2}(?:\\${point}\\d{3})+)(?:\\${group}(\\d+))?$`).exec(typed) ?? [];
  return foreign === undefined ? wrong : { ...wrong, suggestions: [written(foreign.replaceAll(point, ''), part, language)] };
}

export const scaled = (text: string, scale: string): string => toText(multiply(decimal(text), decimal(scale)));
/** The number as the language writes it, so that it reads back as the same. */
export const writeNumber = (text: string, language: AlertLanguage): string => text.replace('.', SIGNS[language].point);
