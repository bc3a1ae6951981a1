import type { AlertLanguage } from './alert-numbers.ts';
import type { TokenProblem } from './alert-tokens.ts';
import { type AlertWord, foldWord, meaningOf, minutesOfUnit } from './alert-words.ts';

/** Gaps that stand between groups of thousands: a space, and those that do not break (wide, of a digit, thin, narrow). */
const GAP = '[ \\u00a0\\u2007\\u2009\\u202f]';
const GROUPED = new RegExp(String.raw`(^|[\s<>=$€₺£¥₽₴–—-]|\.\.)([1-9]\d{0,2}(?:${GAP}\d{3})+)(?!['’]?\d)`, 'g');
const DASH = /^\s*(?:[-–—]|\.\.)/;
/** Of these, numbers stand side by side: the periods of an indicator. */
const PERIODS: readonly (AlertWord | undefined)[] = ['rsi', 'ema', 'sma', 'macd', 'bollinger'];
const RANGES: readonly (AlertWord | undefined)[] = ['enter', 'exit'];

/**
 * The line with an apostrophe in place of each gap inside a number, so that every letter stays in its place: `70 000`
 * as `70'000`. Two numbers side by side stay two: `ema 50 200`, `% 5 240 min`. Where a range is wanted and `60 700`
 * may be its ends, that is asked.
 */
export function closedGroups(text: string, language: AlertLanguage): string | TokenProblem {
  const words = new Set(text.split(/[\s<>]+/).map((word) => meaningOf(foldWord(word))));
  if (PERIODS.some((word) => words.has(word))) return text;
  const wantsRange = RANGES.some((word) => words.has(word));
  let problem: TokenProblem | undefined;
  const closed = text.replace(GROUPED, (found: string, before: string, number: string, place: number) => {
    const at = place + before.length;
    const [earlier, later] = [foldWord(text.slice(0, at)), foldWord(text.slice(at + number.length))];
    // A coin may be called by digits, and `240 min` is a time.
    const isFirst = earlier.trim() === '';
    const isPercent = /(?:%|(?:^|\s)(?:percent|pct|yuzde))\s*$/.test(earlier);
    const unit = /^\s*([^\s\d<>'’]+)/.exec(later)?.[1];
    if (isFirst || isPercent || (unit !== undefined && minutesOfUnit(unit, language) !== undefined)) return found;
    const split = /^(.*?)\s([1-9].*)$/.exec(number);
    if (wantsRange && split && !DASH.test(later) && !/(?:[-–—]|\.\.)\s*$/.test(earlier)) {
      const suggestions = [number.replace(/\s/g, ''), `${split[1]}-${split[2]}`];
      problem ??= { code: 'number-ambiguous', at, raw: number, suggestions };
    }
    return before + number.replace(/\s/g, "'");
  });
  return problem ?? closed;
}
