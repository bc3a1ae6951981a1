/** A moment as briefly as it can be told without doubt: the time of today, the date with any other. */
export function momentText(iso: string, language: string, now: number): string {
  const at = new Date(iso);
  return at.toDateString() === new Date(now).toDateString()
    ? at.toLocaleTimeString(language)
    : at.toLocaleString(language, { dateStyle: 'short', timeStyle: 'short' });
}
