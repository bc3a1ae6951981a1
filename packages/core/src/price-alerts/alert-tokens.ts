import { currencyOfWord } from './alert-currency.ts';
import type { AlertLanguage } from './alert-numbers.ts';
import { readNumber, scaled, scaleOf } from './alert-numbers.ts';
import { type AlertWord, foldWord, meaningOf, minutesOfUnit, weekdayOf } from './alert-words.ts';
import { closedGroups } from './number-groups.ts';

/** A piece of the line and where it stands. `5m` is five million or five minutes: its place decides. */
export type AlertToken = { readonly at: number; readonly raw: string; readonly folded: string } & (
  | { readonly type: 'operator'; readonly relation: 'above' | 'below' }
  | { readonly type: 'number'; readonly value: string; readonly minutes?: number | undefined; readonly currency?: string | undefined }
  | { readonly type: 'percent'; readonly value: string; readonly sign: '+' | '-' | '' }
  | { readonly type: 'times'; readonly value: string }
  | { readonly type: 'range'; readonly from: string; readonly to: string; readonly currency?: string | undefined }
  | { readonly type: 'duration'; readonly minutes: number }
  | { readonly type: 'word'; readonly word: AlertWord }
  | { readonly type: 'day'; readonly day: number }
  | { readonly type: 'date'; readonly text: string }
  | { readonly type: 'other' }
);
export type TokenProblem = {
  readonly code: 'number-wrong' | 'number-ambiguous';
  readonly at: number;
  readonly raw: string;
  readonly suggestions: readonly string[];
};

/** Signs of money, as they stand before or after an amount. */
const SIGN = '[$€₺£¥₽₴]';
const LONE_SIGN = new RegExp(`^${SIGN}$`);
const NUMBER = String.raw`\d[\d.,']*`;
const TO = String.raw`(?:-|–|—|\.\.)`;
const ONE = `(${SIGN}?)(${NUMBER})([a-z]*)(${SIGN}?)`;
const AMOUNT = new RegExp(`^${ONE}$`);
const RANGE = new RegExp(String.raw`^${ONE}\s*${TO}\s*${ONE}$`);
const PERCENT = new RegExp(`^([+-]?)%(${NUMBER})$|^([+-]?)(${NUMBER})%$`);
/** Signs of comparison, two amounts with a dash between them, or whatever stands between gaps. */
const PIECES = new RegExp(String.raw`[<>]=?|${SIGN}?\d[^\s<>]*\s+${TO}\s+${SIGN}?\d[^\s<>]*|[^\s<>]+`, 'g');

/** Without its Turkish ending: `70'e` is 70, and `70'bin` is 70bin. What follows an apostrophe in digits is part of them. */
const withoutEnding = (folded: string): string =>
  folded.replace(/'([^\d']*)$/, (_, ending: string) => (scaleOf(ending) === undefined ? '' : ending));

/** Cuts a line into tokens. @returns the first number that cannot be read, instead */
export function tokensOf(text: string, language: AlertLanguage): AlertToken[] | TokenProblem {
  const closed = closedGroups(text, language);
  if (typeof closed !== 'string') return closed;
  const tokens: AlertToken[] = [];
  for (const match of closed.matchAll(PIECES)) {
    const raw = text.slice(match.index, match.index + match[0].length);
    const made = tokenOf({ at: match.index, raw, folded: foldWord(match[0]) }, language);
    if ('suggestions' in made) return made;
    const before = tokens.at(-1);
    // The first piece is the coin: in `EUR 1.1` it is no currency of the amount.
    const joined = before === undefined ? undefined : (codeBefore(tokens.slice(1), made) ?? joinedWith(before, made, language));
    if (before === undefined || joined === undefined) tokens.push(made);
    else tokens.splice(-1, 1, { ...joined, raw: text.slice(before.at, made.at + made.raw.length) });
  }
  return tokens;
}

/** `EUR 60000`, as a currency stands before an amount in English. */
function codeBefore(tokens: readonly AlertToken[], made: AlertToken): AlertToken | undefined {
  const before = tokens.at(-1);
  const currency = before?.type === 'other' ? currencyOfWord(before.folded) : undefined;
  return before === undefined || currency === undefined || !isPlainAmount(made) ? undefined : { ...inMoney(made, currency), at: before.at };
}

/** Two pieces that are one: `70 bin`, `5 %`, `% 5`, `2 hours`, `€ 70`, `70 €`, `70 EUR`. */
function joinedWith(before: AlertToken, made: AlertToken, language: AlertLanguage): AlertToken | undefined {
  const isPercent = (token: AlertToken): boolean => token.folded === '%' || (token.type === 'word' && token.word === 'percent');
  const ending = withoutEnding(made.folded);
  if (isPlainAmount(before) && LONE_SIGN.test(ending)) return inMoney(before, ending);
  const word = made.type === 'other' ? currencyOfWord(ending) : undefined;
  if (isPlainAmount(before) && word !== undefined) return inMoney(before, word);
  if (isPlainAmount(made) && LONE_SIGN.test(before.folded)) return { ...inMoney(made, before.folded), at: before.at };
  if (before.type === 'number' && before.minutes === undefined) {
    const [, unitWord = '', sign = ''] = new RegExp(`^([a-z]{2,})(${SIGN}?)$`).exec(ending) ?? [];
    const scale = scaleOf(unitWord);
    if (scale !== undefined && (sign === '' || before.currency === undefined))
      return { ...before, value: scaled(before.value, scale), currency: before.currency ?? (sign || undefined) };
    if (before.currency !== undefined) return undefined;
    if (isPercent(made)) return { ...before, type: 'percent', value: before.value, sign: '' };
    const unit = made.type === 'other' ? minutesOfUnit(made.folded, language) : undefined;
    if (unit !== undefined && Number.isInteger(Number(before.value))) {
      const { at, raw, folded } = before;
      return { at, raw, folded, type: 'duration', minutes: Number(before.value) * unit };
    }
  }
  if (made.type === 'number' && made.currency === undefined && isPercent(before))
    return { ...made, at: before.at, type: 'percent', value: made.value, sign: '' };
  return undefined;
}

type Amount = Extract<AlertToken, { type: 'number' | 'range' }>;
const isPlainAmount = (token: AlertToken): token is Amount =>
  (token.type === 'number' || token.type === 'range') && token.currency === undefined;
/** What has a currency is no length of time. */
const inMoney = (amount: Amount, currency: string): Amount =>
  amount.type === 'number' ? { ...amount, minutes: undefined, currency } : { ...amount, currency };

type Piece = Pick<AlertToken, 'at' | 'raw' | 'folded'>;
type Read = (digits: string) => { text: string } | TokenProblem;

function tokenOf(base: Piece, language: AlertLanguage): AlertToken | TokenProblem {
  const { at, raw, folded } = base;
  if (/^[<>]=?$/.test(raw)) return { ...base, type: 'operator', relation: raw.startsWith('>') ? 'above' : 'below' };
  if (/^\d{4}-\d{2}-\d{2}(?:t[\d:.]+z)?$/.test(folded)) return { ...base, type: 'date', text: raw.toUpperCase() };
  const read: Read = (digits) => {
    const number = readNumber(digits, language);
    if (number.ok) return number;
    // What stands around the number stays: a sign, a unit, and the other end of a range, which is asked about as well.
    const respelled = (index: number) =>
      raw.replace(/\d[\d.,]*/g, (each) => {
        const other = readNumber(each, language);
        return other.ok ? each : (other.suggestions[index] ?? each);
      });
    return { code: number.code, at, raw, suggestions: number.suggestions.map((_, index) => respelled(index)) };
  };
  const body = withoutEnding(folded);
  const percent = PERCENT.exec(body);
  if (percent) {
    const number = read((percent[2] ?? percent[4])!);
    return 'code' in number ? number : { ...base, type: 'percent', value: number.text, sign: (percent[1] ?? percent[3]) as '+' | '-' | '' };
  }
  const times = /^x([\d.,]+)$|^([\d.,]+)x$/.exec(folded);
  if (times) {
    const number = read((times[1] ?? times[2])!);
    return 'code' in number ? number : { ...base, type: 'times', value: number.text };
  }
  const range = rangeOf(base, body, read, language);
  if (range !== undefined) return range;
  const amount = AMOUNT.exec(body);
  if (amount) {
    const [, before = '', digits = '', unit = '', after = ''] = amount;
    const word = before || after ? undefined : currencyOfWord(unit);
    const sign = before || after || word;
    if (isEither(unit, language))
      return { code: 'number-ambiguous', at, raw, suggestions: ['bin', 'milyar'].map((each) => raw.replace(/\s*b(?![a-z])/i, ` ${each}`)) };
    const minutes = sign === undefined ? minutesOfUnit(unit, language) : undefined;
    const value = before !== '' && after !== '' ? undefined : amountOf(digits, word === undefined ? unit : '', read);
    if (minutes !== undefined && /^\d+$/.test(digits)) {
      const duration = Number(digits) * minutes;
      return typeof value === 'string'
        ? { ...base, type: 'number', value, minutes: duration }
        : { ...base, type: 'duration', minutes: duration };
    }
    if (typeof value === 'string') return { ...base, type: 'number', value, ...(sign === undefined ? {} : { currency: sign }) };
    if (value !== undefined) return value;
  }
  const glued = gluedCode(base, body, language);
  if (glued !== undefined) return glued;
  const day = weekdayOf(folded);
  if (day !== undefined) return { ...base, type: 'day', day };
  const word = meaningOf(folded);
  return word === undefined ? { ...base, type: 'other' } : { ...base, type: 'word', word };
}

/** `EUR60000`; not `USD1`, which is a coin. */
function gluedCode(base: Piece, body: string, language: AlertLanguage): AlertToken | TokenProblem | undefined {
  const [, code = '', digits = ''] = /^([a-z]+)(\d.*)$/.exec(body) ?? [];
  const currency = currencyOfWord(body) === undefined ? currencyOfWord(code) : undefined;
  if (currency === undefined) return undefined;
  const amount = tokenOf({ ...base, folded: digits }, language);
  if ('suggestions' in amount) return amount;
  return isPlainAmount(amount) ? inMoney({ ...amount, folded: base.folded }, currency) : undefined;
}

/** In Turkish `b` is short for bin and for billion: a factor of a million is asked about, never guessed. */
const isEither = (unit: string, language: AlertLanguage): boolean => language === 'tr' && unit === 'b';

/** Two amounts with a dash between them; undefined for what is none, and for ends in two currencies. */
function rangeOf(base: Piece, body: string, read: Read, language: AlertLanguage): AlertToken | TokenProblem | undefined {
  const range = RANGE.exec(body);
  if (!range) return undefined;
  const [, sign1 = '', low = '', lowUnit = '', sign2 = '', sign3 = '', high = '', highUnit = '', sign4 = ''] = range;
  const [currency, ...others] = new Set([sign1, sign2, sign3, sign4].filter(Boolean));
  if (others.length > 0) return undefined;
  if (isEither(lowUnit, language) || isEither(highUnit, language)) {
    const suggestions = ['bin', 'milyar'].map((unit) => base.raw.replace(/b(?![a-z])/gi, unit));
    return { code: 'number-ambiguous', at: base.at, raw: base.raw, suggestions };
  }
  // `60-70k`: the unit of the end is meant for both.
  const ends = [amountOf(low, lowUnit || highUnit, read), amountOf(high, highUnit, read)] as const;
  for (const end of ends) if (end !== undefined && typeof end !== 'string') return end;
  const [from, to] = ends;
  if (typeof from !== 'string' || typeof to !== 'string') return undefined;
  return { ...base, type: 'range', from, to, ...(currency === undefined ? {} : { currency }) };
}

/** Digits with a unit of thousands as a number; undefined for a unit that is none. */
function amountOf(digits: string, unit: string, read: Read): string | TokenProblem | undefined {
  const scale = unit === '' ? '1' : scaleOf(unit);
  if (scale === undefined) return undefined;
  const number = read(digits);
  return 'code' in number ? number : scaled(number.text, scale);
}
