/** One headline as plain text. */
export type FeedItem = { title: string; link: string; publishedAt: number | undefined; summary: string };

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

const decodeEntities = (text: string): string =>
  text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? whole;
    const point = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : '';
  });

const SCRIPTS = /<(script|style)\b[\s\S]{0,100000}?<\/\1\s*>/gi;

/** Whatever a feed says as one line of text: markup removed, entities resolved, control characters dropped, cut to `limit`. */
export function plainText(markup: string, limit: number): string {
  const cdata = markup.replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, inner: string) => inner.replace(/&(?!#?\w{1,8};)/g, '&amp;'));
  // Most feeds carry HTML escaped once more, so what looks like text after one round may be tags.
  const withoutTags = (text: string) => text.replace(SCRIPTS, ' ').replace(/<\/?[a-z!?][^<>]{0,2000}>/gi, ' ');
  const text = decodeEntities(withoutTags(decodeEntities(withoutTags(cdata))));
  const line = text
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).trimEnd()}…`;
}

/** Contents of every `<name …>…</name>`; a scan, because a feed is hostile input and a backtracking pattern is not. */
function elements(xml: string, name: string, most: number): string[] {
  const found: string[] = [];
  const opening = new RegExp(`<(?:[a-z]+:)?${name}(?=[\\s>/])`, 'gi');
  while (found.length < most) {
    const start = opening.exec(xml);
    if (start === null) break;
    const bodyStart = xml.indexOf('>', start.index);
    if (bodyStart < 0) break;
    const close = `</${start[0].slice(1)}`;
    const end = xml[bodyStart - 1] === '/' ? bodyStart : xml.indexOf(close, bodyStart);
    if (end < 0) break;
    found.push(xml.slice(bodyStart + 1, Math.max(bodyStart + 1, end)));
    opening.lastIndex = end + 1;
  }
  return found;
}

const first = (xml: string, names: readonly string[]): string => {
  for (const name of names) {
    const [found] = elements(xml, name, 1);
    if (found !== undefined && found.trim() !== '') return found;
  }
  return '';
};

/** An http or https address, or nothing: a link may not run anything. */
function safeLink(text: string): string | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
  } catch {
    return undefined;
  }
}

/** RSS has the address as text; Atom has it as an attribute of the link that leads to the page itself. */
function linkOf(item: string): string | undefined {
  const links = item.match(/<link\b[^<>]{0,2000}>/gi) ?? [];
  const alternate = links.find((link) => !/\brel\s*=/i.test(link) || /\brel\s*=\s*["']alternate["']/i.test(link));
  const attribute = /\bhref\s*=\s*["']([^"']{1,2000})["']/i.exec(alternate ?? '')?.[1];
  return safeLink(attribute === undefined ? plainText(first(item, ['link', 'guid']), 2000) : decodeEntities(attribute));
}

const MOST_ITEMS = 50;

/** Headlines of an RSS 2.0, RSS 1.0 or Atom document; anything else has none. Items without title or link are left out. */
export function parseFeed(xml: string): { title: string; items: FeedItem[] } {
  const entries = [...elements(xml, 'item', MOST_ITEMS), ...elements(xml, 'entry', MOST_ITEMS)].slice(0, MOST_ITEMS);
  const head = xml.slice(0, Math.max(0, xml.search(/<(?:item|entry)[\s>]/i)));
  const items = entries.flatMap((item): FeedItem[] => {
    const title = plainText(first(item, ['title']), 200);
    const link = linkOf(item);
    if (title === '' || link === undefined) return [];
    const time = Date.parse(plainText(first(item, ['pubDate', 'published', 'updated', 'date']), 100));
    return [
      {
        title,
        link,
        publishedAt: Number.isNaN(time) ? undefined : time,
        summary: plainText(first(item, ['description', 'summary', 'content']), 300),
      },
    ];
  });
  return { title: plainText(first(head, ['title']), 100), items };
}
