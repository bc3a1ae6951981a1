/** Text that may stand in a Telegram message of parse mode HTML. */
export class Markup {
  readonly html: string;
  constructor(html: string) {
    this.html = html;
  }
}

export const escapeHtml = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

type Part = Markup | string | number;
const htmlOf = (part: Part): string => (part instanceof Markup ? part.html : escapeHtml(String(part)));

/** Everything filled in is escaped, whoever wrote it; only the template's own tags are tags. */
export const markup = (parts: TemplateStringsArray, ...values: readonly Part[]): Markup =>
  new Markup(parts.reduce((text, part, index) => text + part + (index < values.length ? htmlOf(values[index] ?? '') : ''), ''));

export const bold = (text: string): Markup => markup`<b>${text}</b>`;

/** Parts below each other. Telegram takes 4096 characters; what is beyond is left out whole lines at a time. */
export function lines(...parts: readonly (Part | undefined)[]): Markup {
  let html = '';
  for (const part of parts) {
    if (part === undefined) continue;
    const next = html === '' ? htmlOf(part) : `${html}\n${htmlOf(part)}`;
    if (next.length > 4000) return new Markup(`${html}\n…`);
    html = next;
  }
  return new Markup(html);
}
