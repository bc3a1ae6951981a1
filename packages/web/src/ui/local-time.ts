/** Epoch ms → the text of a `datetime-local` field, in the browser's own zone. */
export function toLocal(at: number): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The text of a `datetime-local` field → ISO in UTC; undefined while it is no moment. */
export function fromLocal(text: string): string | undefined {
  const at = Date.parse(text);
  return text === '' || Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
