const UNITS = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
  { unit: 'second', seconds: 1 },
] as const;

/**
 * A length of time in the reader's words: `2 hours 5 minutes`, `2 saat 5 dakika`, `45 sec`. Below zero is none.
 * Intl.DurationFormat is newer than Node 20.
 * @param ms rounded to the last unit that is shown
 * @param width `short` beside a figure or in a column
 * @param most units shown, from the largest that is not zero; 4 hides nothing but parts of a second
 */
export function formatDuration(ms: number, language: string, width: 'long' | 'short' = 'long', most = 2): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const largest = UNITS.findIndex((each) => seconds >= each.seconds);
  const shown = UNITS.slice(largest < 0 ? UNITS.length - 1 : largest).slice(0, most);
  const step = shown.at(-1)?.seconds ?? 1;
  const rounded = Math.round(seconds / step) * step;
  // 59 minutes and 59.6 seconds are an hour.
  if (rounded !== seconds) return formatDuration(rounded * 1000, language, width, most);
  let left = seconds;
  const parts = shown.flatMap(({ unit, seconds: size }) => {
    const count = Math.floor(left / size);
    left -= count * size;
    const isShown = count > 0 || seconds === 0;
    return isShown ? [new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: width }).format(count)] : [];
  });
  return parts.join(' ');
}

/** How long something took that is often over within a second: hundredths below a minute, `0.42 sec`; else as `formatDuration`. */
export function formatElapsed(ms: number, language: string): string {
  if (ms >= 60_000) return formatDuration(ms, language, 'short');
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'second', unitDisplay: 'short', maximumFractionDigits: 2 }).format(
    ms / 1000,
  );
}

const two = (value: number): string => String(value).padStart(2, '0');

/** What is left of a code or a call, counting down: `4:59`, `1:02:00`. Below zero is `0:00`. @param ms rounded up to whole seconds */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
