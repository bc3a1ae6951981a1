import type { AlertLanguage } from './alert-numbers.ts';
import { readNumber, scaled, scaleOf } from './alert-numbers.ts';
import { type AlertWord, foldWord, meaningOf, minutesOfUnit, weekdayOf } from './alert-words.ts';

/** A piece of the line and where it stands. `5m` is five million or five minutes: its place decides. */
export type AlertToken = { readonly at: number; readonly raw: string; readonly folded: string } & (
  | { readonly type: 'operator'; readonly relation: 'above' | 'below' }
  | { readonly type: 'number'; readonly value: string; readonly minutes?: number }
  | { readonly type: 'percent'; readonly value: string; readonly sign: '+' | '-' | '' }
  | { readonly type: 'times'; readonly value: string }
  | { readonly type: 'range'; readonly from: string; readonly to: string }
  | { readonly type: 'duration'; readonly minutes: number }
  | { readonly type: 'word'; readonly word: AlertWord }
  | { readonly type: 'day'; readonly day: number }
  | { readonly type: 'date'; readonly text: string }
  | { readonly type: 'other' }
);
export type TokenProblem = {
  readonly code: 'number-wrong' | 'number-ambiguous';
  readonly at: number;
  readonly suggestions: readonly string[];
};

const NUMBER = String.raw`\d[\d.,]*`;
const AMOUNT = new RegExp(`^[$€₺]?(${NUMBER})([a-z]*)$`);
const RANGE = new RegExp(`^[$€₺]?(${NUMBER})([a-z]*)(?:-|–|\\.\\.)[$€₺]?(${NUMBER})([a-z]*)$`);

/** Cuts a line into tokens. @returns the first number that cannot be read, instead */
export function tokensOf(text: string, language: AlertLanguage): AlertToken[] | TokenProblem {
  const tokens: AlertToken[] = [];
  for (const match of text.matchAll(/[<>]=?|[^\s<>]+/g)) {
    const made = tokenOf(match[0], match.index, language);
    if ('suggestions' in made) return made;
    const before = tokens.at(-1);
    // `70 bin`, `5 %`, `% 5`, `2 hours`: two pieces that are one.
    if (before?.type === 'number' && before.minutes === undefined) {
      const scale = scaleOf(made.folded.replace(/'.*$/, ''));
      if (made.folded === '%' || (made.type === 'word' && made.word === 'percent')) {
        tokens.splice(-1, 1, { ...before, type: 'percent', value: before.value, sign: '' });
        continue;
      }
      if (scale !== undefined && made.folded.length > 1) {
        tokens.splice(-1, 1, { ...before, value: scaled(before.value, scale) });
        continue;
      }
      const unit = made.type === 'other' ? minutesOfUnit(made.folded, language) : undefined;
      if (unit !== undefined && Number.isInteger(Number(before.value))) {
        tokens.splice(-1, 1, {
          at: before.at,
          raw: before.raw,
          folded: before.folded,
          type: 'duration',
          minutes: Number(before.value) * unit,
        });
        continue;
      }
    }
    if (made.type === 'number' && (before?.folded === '%' || (before?.type === 'word' && before.word === 'percent'))) {
      tokens.splice(-1, 1, { ...made, at: before.at, type: 'percent', value: made.value, sign: '' });
      continue;
    }
    tokens.push(made);
  }
  return tokens;
}

function tokenOf(raw: string, at: number, language: AlertLanguage): AlertToken | TokenProblem {
  const folded = foldWord(raw);
  const base = { at, raw, folded };
  if (/^[<>]=?$/.test(raw)) return { ...base, type: 'operator', relation: raw.startsWith('>') ? 'above' : 'below' };
  if (/^\d{4}-\d{2}-\d{2}(?:t[\d:.]+z)?$/.test(folded)) return { ...base, type: 'date', text: raw.toUpperCase() };
  const read = (digits: string): { text: string } | TokenProblem => {
    const number = readNumber(digits, language);
    return number.ok ? number : { code: number.code, at, suggestions: number.suggestions };
  };
  const percent = /^([+-]?)%([\d.,]+)$|^([+-]?)([\d.,]+)%$/.exec(folded.replace(/'.*$/, ''));
  if (percent) {
    const number = read((percent[2] ?? percent[4])!);
    return 'code' in number ? number : { ...base, type: 'percent', value: number.text, sign: (percent[1] ?? percent[3]) as '+' | '-' | '' };
  }
  const times = /^x([\d.,]+)$|^([\d.,]+)x$/.exec(folded);
  if (times) {
    const number = read((times[1] ?? times[2])!);
    return 'code' in number ? number : { ...base, type: 'times', value: number.text };
  }
  // In Turkish `b` is short for bin and for billion: a factor of a million is asked about, never guessed.
  const isEither = (unit: string): boolean => language === 'tr' && unit === 'b';
  const range = RANGE.exec(folded);
  if (range) {
    const [, low = '', lowUnit = '', high = '', highUnit = ''] = range;
    if (isEither(lowUnit) || isEither(highUnit))
      return { code: 'number-ambiguous', at, suggestions: ['bin', 'milyar'].map((unit) => `${low}-${high}${unit}`) };
    // `60-70k`: the unit of the end is meant for both.
    const ends = [amountOf(low, lowUnit || highUnit, read), amountOf(high, highUnit, read)] as const;
    for (const end of ends) if (end !== undefined && typeof end !== 'string') return end;
    if (typeof ends[0] === 'string' && typeof ends[1] === 'string') return { ...base, type: 'range', from: ends[0], to: ends[1] };
  }
  const amount = AMOUNT.exec(folded.replace(/'.*$/, ''));
  if (amount) {
    const [, digits = '', unit = ''] = amount;
    if (isEither(unit)) return { code: 'number-ambiguous', at, suggestions: [`${digits} bin`, `${digits} milyar`] };
    const minutes = minutesOfUnit(unit, language);
    const value = amountOf(digits, unit, read);
    if (minutes !== undefined && /^\d+$/.test(digits)) {
      const duration = Number(digits) * minutes;
      return typeof value === 'string'
        ? { ...base, type: 'number', value, minutes: duration }
        : { ...base, type: 'duration', minutes: duration };
    }
    if (typeof value === 'string') return { ...base, type: 'number', value };
    if (value !== undefined) return value;
  }
  const day = weekdayOf(folded);
  if (day !== undefined) return { ...base, type: 'day', day };
  const word = meaningOf(folded);
  return word === undefined ? { ...base, type: 'other' } : { ...base, type: 'word', word };
}

/** Digits with a unit of thousands as a number; undefined for a unit that is none. */
function amountOf(
  digits: string,
  unit: string,
  read: (digits: string) => { text: string } | TokenProblem,
): string | TokenProblem | undefined {
  const scale = unit === '' ? '1' : scaleOf(unit);
  if (scale === undefined) return undefined;
  const number = read(digits);
  return 'code' in number ? number : scaled(number.text, scale);
}
