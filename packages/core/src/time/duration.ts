const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/** Largest first, not zero: the lengths of `most` units, rounded to the last of them. */
function partsOf(ms: number, most: number): { readonly unit: (typeof UNITS)[number]['unit']; readonly count: number }[] {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const largest = UNITS.findIndex((each) => seconds >= each.seconds);
  const shown = UNITS.slice(largest < 0 ? UNITS.length - 1 : largest).slice(0, most);
  const step = shown.at(-1)?.seconds ?? 1;
  const rounded = Math.round(seconds / step) * step;
  // 59 minutes and 59.6 seconds are an hour.
  if (rounded !== seconds) return partsOf(rounded * 1000, most);
  let left = seconds;
  return shown.flatMap(({ unit, seconds: size }) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count > 0 || seconds === 0 ? [{ unit, count }] : [];
  });
}

/**
 * A length of time in a sentence: `2 hours 5 minutes`, `2 saat 5 dakika`. Below zero is none. Intl.DurationFormat is newer
 * than Node 20.
 * @param ms rounded to the last unit that is shown
 * @param most units shown, from the largest that is not zero; 4 hides nothing but parts of a second
 */
export const formatDuration = (ms: number, language: string, most = 2): string =>
  partsOf(ms, most)
    .map(({ unit, count }) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(count))
    .join(' ');

/** Intl's narrow Turkish is `s` for hours and `d` for minutes, which reads as seconds and days. */
const LETTERS = {
  en: { day: 'd', hour: 'h', minute: 'm', second: 's' },
  tr: { day: 'g', hour: 'sa', minute: 'dk', second: 'sn' },
} as const;
const lettersOf = (language: string) => LETTERS[language as keyof typeof LETTERS] ?? LETTERS.en;

/** A length of time beside a figure or in a column: `1 d 2 h`, `9 h 20 m`, `40 m`; as `formatDuration` but for its words. */
export const formatSpan = (ms: number, language: string, most = 2): string =>
  partsOf(ms, most)
    .map(({ unit, count }) => `${count} ${lettersOf(language)[unit]}`)
    .join(' ');

/** How long something took that is often over within a second: hundredths below a minute, `0.42 s`; else as `formatSpan`. */
export const formatElapsed = (ms: number, language: string): string =>
  ms < 60_000 ? `${Math.round(ms / 10) / 100} ${lettersOf(language).second}` : formatSpan(ms, language);

const two = (value: number): string => String(value).padStart(2, '0');

/** What is left of a code or a call, counting down: `4:59`, `1:02:00`. Below zero is `0:00`. @param ms rounded up to whole seconds */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
