import { UsageError } from '../app/failure.ts';

/** A whole number above zero, or undefined when none was given. @throws UsageError naming the option */
export function wholeNumber(text: string | undefined, flag: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new UsageError('count', { flag, value: text });
  return Number(text);
}
