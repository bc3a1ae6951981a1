/** Header fields by lower-case name, and the text. Reads what our own mailer writes: one text part, quoted-printable or base64. */
export function readMail(source: string): { headers: Map<string, string>; body: string } {
  const text = source.replaceAll('\r\n', '\n');
  const split = text.indexOf('\n\n');
  const head = split < 0 ? text : text.slice(0, split);
  const rest = split < 0 ? '' : text.slice(split + 2);
  const headers = new Map<string, string>();
  for (const line of head.replace(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim()));
  }
  const encoding = headers.get('content-transfer-encoding')?.toLowerCase();
  const body =
    encoding === 'base64'
      ? Buffer.from(rest, 'base64').toString('utf8')
      : encoding === 'quoted-printable'
        ? quotedPrintable(rest.replace(/=\n/g, ''))
        : rest;
  return { headers, body };
}

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** RFC 2047: `=?UTF-8?Q?…?=` and its base64 kind. */
const decodeWords = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
      kind.toLowerCase() === 'b' ? Buffer.from(word, 'base64').toString('utf8') : quotedPrintable(word.replaceAll('_', ' ')),
    );
