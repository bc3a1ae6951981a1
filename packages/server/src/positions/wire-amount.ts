import { type Decimal, rescale, toText } from '@pilotfish/core/money/decimal';

/** Digits that leave the server: a quotient has no end, and a sum of them grows. */
const WIRE_SCALE = 28;

export const amount = (value: Decimal): string => toText(value.scale > WIRE_SCALE ? rescale(value, WIRE_SCALE, 'half-even') : value);
export const amountOrNull = (value: Decimal | null): string | null => (value === null ? null : amount(value));
