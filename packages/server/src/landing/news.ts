import { bodyWithin } from '@pilotfish/core/http/body-within';
import type { Timers } from '@pilotfish/core/time/timers';
import type { Logger } from 'pino';
import { outboundGet } from '../http/outbound-get.ts';
import { credentialsApart } from '../http/url-credentials.ts';
import { type FeedItem, parseFeed } from './feed-parser.ts';

export type NewsItem = { title: string; link: string; source: string; publishedAt: string; summary: string };
export type News = {
  /** Asks every feed anew; those that fail keep what they said before. */
  refresh(): Promise<void>;
  current(): { available: boolean; items: NewsItem[] };
};

const TIMEOUT_MS = 5000;
const MAX_BYTES = 1024 * 1024;
const SHOWN = 40;

/** The encoding that the answer names, or the document itself; UTF-8 when it names none we know. */
function decoderOf(response: Response, head: Uint8Array): InstanceType<typeof TextDecoder> {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const marked = head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : undefined;
  const named =
    marked ??
    /charset\s*=\s*"?([\w-]{1,40})/i.exec(response.headers.get('content-type') ?? '')?.[1] ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w-]{1,40})["']/i.exec(start)?.[1];
  try {
    return new TextDecoder(named ?? 'utf-8');
  } catch {
    return new TextDecoder();
  }
}

/** Reads a body up to a limit, counted after it was unpacked. @throws Error beyond it */
async function limitedText(response: Response, signal: AbortSignal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bodyWithin(response, signal)) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks);
  return decoderOf(response, body).decode(body);
}

/** Headlines of the configured feeds. Redirects are not followed: a feed may not send us elsewhere. */
export function createNews({
  feeds,
  trusted,
  now,
  timers,
  log,
}: {
  /** Asked anew at each refresh when it is a function. */
  feeds: readonly string[] | (() => readonly string[]);
  /** Those of the operator, who may read what is in the own network; what an Admin set may not. */
  trusted: readonly string[];
  now: () => number;
  timers: Pick<Timers, 'deadline'>;
  log: Logger;
}): News {
  const byFeed = new Map<string, { source: string; items: (FeedItem & { publishedAt: number })[] }>();
  let reachable = 0;

  const read = async (feed: string): Promise<boolean> => {
    try {
      const headers = { accept: 'application/rss+xml, application/atom+xml, application/xml, text/xml' };
      const { url, headers: credentials } = credentialsApart(feed);
      const options = { headers: { ...headers, ...credentials }, signal: timers.deadline(TIMEOUT_MS) };
      const response = await (trusted.includes(feed) ? fetch(url, { ...options, redirect: 'error' }) : outboundGet(url, options));
      if (!response.ok) throw new Error(`status ${response.status}`);
      const { title, items } = parseFeed(await limitedText(response, options.signal));
      if (items.length === 0) throw new Error('no items');
      const time = now();
      byFeed.set(feed, {
        source: title === '' ? new URL(feed).hostname : title,
        // A date in the future would keep an item on top for ever.
        items: items.map((item) => ({ ...item, publishedAt: Math.min(item.publishedAt ?? time, time) })),
      });
      return true;
    } catch (error) {
      log.warn({ feed: new URL(feed).host, reason: (error as Error).message }, 'a news feed could not be read');
      return false;
    }
  };

  return {
    refresh: async () => {
      const wanted = typeof feeds === 'function' ? feeds() : feeds;
      for (const feed of byFeed.keys()) if (!wanted.includes(feed)) byFeed.delete(feed);
      const results = await Promise.all(wanted.map(read));
      reachable = results.filter(Boolean).length;
    },
    current: () => {
      const seen = new Set<string>();
      const items = [...byFeed.values()]
        .flatMap(({ source, items: all }) => all.map((item) => ({ ...item, source })))
        .sort((a, b) => b.publishedAt - a.publishedAt || (a.link < b.link ? -1 : 1))
        .filter(({ link }) => !seen.has(link) && seen.add(link))
        .slice(0, SHOWN)
        .map(({ title, link, source, publishedAt, summary }) => ({
          title,
          link,
          source,
          summary,
          publishedAt: new Date(publishedAt).toISOString(),
        }));
      return { available: reachable > 0, items };
    },
  };
}
