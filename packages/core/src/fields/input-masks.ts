/** Letters a mask keeps, and how it writes them. */
type Keeps = 'digits' | 'letters' | 'alphanumerics';
export type Casing = 'lower' | 'upper';

const KEPT: Readonly<Record<Keeps, RegExp>> = {
  digits: /\d/,
  letters: /\p{L}/u,
  alphanumerics: /[\p{L}\d]/u,
};

/**
 * What a field keeps of what is typed or pasted. Casing is that of English: codes and symbols are no words of a
 * language, so `i` becomes `I` whatever the reader speaks.
 */
export function masked(keeps: Keeps, text: string, casing?: Casing): string {
  const kept = Array.from(text.normalize('NFC'))
    .filter((letter) => KEPT[keeps].test(letter))
    .join('');
  return casing === 'upper' ? kept.toUpperCase() : casing === 'lower' ? kept.toLowerCase() : kept;
}

/** `#` stands for a digit; everything else is written as it is. */
export const MASK_PRESETS = {
  date: '####/##/##',
  datetime: '####/##/## ##:##',
  time: '##:##',
  fulltime: '##:##:##',
  phone: '(###) ### - ####',
  card: '#### #### #### ####',
} as const;
export type MaskPreset = keyof typeof MASK_PRESETS;

/** Digits put into a preset as far as they go: `5551234` as a phone is `(555) 123 - 4`. */
export function maskedAs(preset: MaskPreset, text: string): string {
  const digits = masked('digits', text);
  let [used, written, pending] = [0, '', ''];
  for (const place of MASK_PRESETS[preset]) {
    if (place !== '#') {
      pending += place;
      continue;
    }
    const digit = digits[used];
    if (digit === undefined) break;
    written += pending + digit;
    pending = '';
    used += 1;
  }
  return written;
}
