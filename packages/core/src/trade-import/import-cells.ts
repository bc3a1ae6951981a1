import { NAME_CHARACTER } from '../money/asset-name.ts';
import { decimal, toText } from '../money/decimal.ts';
import { plainDecimal } from '../money/plain-decimal.ts';

/**
 * A number as exports write it: `11,426.20`, `0.00001`, `-3.605E-05`. Canonical decimal text, or undefined when it
 * is not one. A comma is a thousands separator only where groups of three follow it: `1,5` is refused, never 15.
 */
export function readNumber(text: string): string | undefined {
  const trimmed = text.trim();
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed;
  const number = plainDecimal(plain);
  if (number !== undefined) return toText(decimal(number));
  if (/^-?\.\d+$/.test(plain)) return readNumber(plain.replace('.', '0.'));
  return undefined;
}

export type Amount = { readonly value: string; readonly asset: string | undefined };

// A name that begins with a digit cannot be told from the number it is glued to.
const GLUED = new RegExp(String.raw`^(-?[\d.,]+(?:[eE][+-]?\d+)?)\s*(?!\d)(${NAME_CHARACTER}{1,20})$`, 'u');
const SPACED = new RegExp(String.raw`^(-?[\d.,]+)\s+(${NAME_CHARACTER}{1,20})$`, 'u');

/**
 * An amount with its asset glued on: `0.001BTC`, `100 USDT`, `51USDT`. `0.51INCH` can be 0.5 1INCH or 0.51 INCH:
 * the assets the row can be about decide, the longest name first; without them the name starts with a letter.
 */
export function readAmount(text: string, candidates: readonly string[]): Amount | undefined {
  const trimmed = text.trim();
  const alone = readNumber(trimmed);
  if (alone !== undefined) return { value: alone, asset: undefined };
  for (const asset of [...candidates].sort((one, other) => other.length - one.length)) {
    if (asset === '' || !trimmed.endsWith(asset)) continue;
    const value = readNumber(trimmed.slice(0, -asset.length));
    if (value !== undefined) return { value, asset };
  }
  const split = GLUED.exec(trimmed) ?? SPACED.exec(trimmed);
  const value = split?.[1] === undefined ? undefined : readNumber(split[1]);
  return value === undefined ? undefined : { value, asset: split?.[2] };
}

/** Days from the spreadsheet's day 0 to 1970: from 30 December 1899, or from 1 January 1904. */
const [SERIAL_OF_1970, SERIAL_OF_1970_FROM_1904] = [25_569, 24_107];
const CLOCK = String.raw`(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4}|\d{2})-(\d{1,2})-(\d{1,2})${CLOCK}(Z)?$`);
const SLASH_YEAR = new RegExp(String.raw`^(\d{4})/(\d{1,2})/(\d{1,2})${CLOCK}$`);
const DOTS = new RegExp(String.raw`^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})${CLOCK}$`);
const SLASHES = new RegExp(String.raw`^(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})${CLOCK}$`);

export type ReadTime = number | 'BAD_DATE' | 'AMBIGUOUS_DATE';

/**
 * A time as exports write it, in epoch ms, read in a zone `offsetMinutes` east of UTC. Year first always; day.month
 * with dots as the old spreadsheets had it; with slashes only when one number cannot be a month, because a
 * spreadsheet that saved the file again may have swapped day and month.
 */
export function readTime(text: string, offsetMinutes: number, is1904 = false): ReadTime {
  const trimmed = text.trim();
  // A spreadsheet's own time: days since its day 0, the day's part as a fraction.
  const serial = /^([34]\d{4}|5\d{4})(\.\d+)?$/.exec(trimmed);
  if (serial)
    return Math.round((Number(trimmed) - (is1904 ? SERIAL_OF_1970_FROM_1904 : SERIAL_OF_1970)) * 86_400) * 1000 - offsetMinutes * 60_000;
  const yearFirst = YEAR_FIRST.exec(trimmed);
  if (yearFirst) {
    const [, year, month, day, ...time] = yearFirst;
    return build(year, month, day, time, yearFirst[8] === 'Z' ? 0 : offsetMinutes);
  }
  const slashYear = SLASH_YEAR.exec(trimmed);
  if (slashYear) {
    const [, year, month, day, ...time] = slashYear;
    return build(year, month, day, time, offsetMinutes);
  }
  const dots = DOTS.exec(trimmed);
  if (dots) {
    const [, day, month, year, ...time] = dots;
    return build(year, month, day, time, offsetMinutes);
  }
  const slashes = SLASHES.exec(trimmed);
  if (slashes) {
    const [, first, second, year, ...time] = slashes;
    if (Number(first) <= 12 && Number(second) <= 12 && Number(first) !== Number(second)) return 'AMBIGUOUS_DATE';
    const [month, day] = Number(first) > 12 ? [second, first] : [first, second];
    return build(year, month, day, time, offsetMinutes);
  }
  return 'BAD_DATE';
}

function build(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour = '0', minute = '0', second = '0', fraction = '']: (string | undefined)[],
  offsetMinutes: number,
): ReadTime {
  // The exchange opened in 2017: two digits are of this century.
  const fullYear = Number(year) < 100 ? 2000 + Number(year) : Number(year);
  const parts = [fullYear, Number(month), Number(day), Number(hour), Number(minute), Number(second)] as const;
  const at = Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4], parts[5], Number(fraction.slice(0, 3).padEnd(3, '0')));
  const back = new Date(at);
  const same =
    back.getUTCFullYear() === parts[0] &&
    back.getUTCMonth() + 1 === parts[1] &&
    back.getUTCDate() === parts[2] &&
    parts[3] < 24 &&
    parts[4] < 60 &&
    parts[5] < 60;
  if (!same || fullYear < 2010 || fullYear > 2100) return 'BAD_DATE';
  return at - offsetMinutes * 60_000;
}

/** Minutes east of UTC of `UTC`, `UTC+3`, `UTC-05:30`, `(UTC--6)`; undefined for anything else. */
export function readZone(text: string): number | undefined {
  const match = /^\(?UTC\s*(?:([+-])-?(\d{1,2})(?::?(\d{2}))?)?\)?$/i.exec(text.trim());
  if (!match) return undefined;
  const [, sign, hours = '0', minutes = '0'] = match;
  const offset = Number(hours) * 60 + Number(minutes);
  if (offset > 14 * 60 || Number(minutes) > 59) return undefined;
  // `UTC--6`: the exchange's own file names write the minus twice.
  return sign === '-' || /--/.test(text) ? -offset : offset;
}

/** The zone a header cell or a file name carries: `Date(UTC+2)`, `UTC_Time`, `…(UTC--6)_5d63.csv`; undefined when none. */
export function zoneIn(text: string): number | undefined {
  if (/^utc_time$/i.test(text.trim())) return 0;
  const inside = /\((UTC[^)]*)\)/i.exec(text);
  return inside?.[1] === undefined ? undefined : readZone(inside[1]);
}
