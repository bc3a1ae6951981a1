/** A day of the calendar as year/month/day, e.g. `2026/11/22`; 30 February is none. */
function isDate(text: string): boolean {
  const match = /^(\d{4})\/(\d{1,2})\/(\d{1,2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  // Date.UTC takes years below 100 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const TIME = /^([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const HEX = /^#([\da-f]{3}|[\da-f]{4}|[\da-f]{6}|[\da-f]{8})$/i;
const EMAIL = /^[^\s@"<>(),;:\\[\]]+@[^\s@.]+(\.[^\s@.]+)+$/;

const PART = String.raw`(25[0-5]|2[0-4]\d|1?\d?\d)`;
const ALPHA = String.raw`(0|1|0?\.\d+|1\.0+|\d{1,2}%|100%)`;
const RGB = new RegExp(String.raw`^rgb\(\s*${PART}\s*,\s*${PART}\s*,\s*${PART}\s*\)$`, 'i');
const RGBA = new RegExp(String.raw`^rgba\(\s*${PART}\s*,\s*${PART}\s*,\s*${PART}\s*,\s*${ALPHA}\s*\)$`, 'i');

/** What a text of a form may look like, by the kind of its field. An empty text passes none: whether it may be empty is the form's to say. */
export const FIELD_RULES = {
  date: isDate,
  /** Hours:minutes, with or without seconds. */
  time: (text: string) => TIME.test(text),
  email: (text: string) => text.length <= 254 && EMAIL.test(text),
  /** 3, 4, 6 or 8 digits. */
  hexColor: (text: string) => HEX.test(text),
  rgbColor: (text: string) => RGB.test(text),
  rgbaColor: (text: string) => RGBA.test(text),
} as const;
export type FieldRule = keyof typeof FIELD_RULES;
