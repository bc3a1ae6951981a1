import { decimal, isDecimalText, toText } from './decimal.ts';

const SCIENTIFIC = /^(-?)(\d+)(?:\.(\d+))?[eE]([+-]?\d{1,2})$/;

/** Decimal text without an exponent, exactly the same number: `4.2E-7` is `0.00000042`. Undefined for what is no number. */
export function plainDecimal(text: string): string | undefined {
  if (isDecimalText(text)) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = SCIENTIFIC.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const moved =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return isDecimalText(sign + moved) ? toText(decimal(sign + moved)) : undefined;
}
