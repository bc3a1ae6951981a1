import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../app/log.ts';
import { describeEachDialect } from '../database/database-fixture.ts';
import { parseFeed, plainText } from './feed-parser.ts';
import { newListings } from './new-listings.ts';
import { createNews } from './news.ts';
import { changeOver, changePercent } from './price-change.ts';

const RSS = `<?xml version="1.0"?><rss version="2.0"><channel><title>Coin &amp; Co</title><link>https://feeds.example/</link>
<item><title><![CDATA[Bitcoin < 100k & rising]]></title><link>https://feeds.example/a?x=1&amp;y=2</link><pubDate>Thu, 15 Jan 2026 10:00:00 GMT</pubDate>
<description>&lt;p&gt;One &lt;b&gt;bold&lt;/b&gt; line&lt;script&gt;alert(1)&lt;/script&gt; &amp;amp; more&lt;/p&gt;</description></item>
<item><title>No link</title></item>
<item><title>Bad link</title><link>javascript:alert(1)</link></item>
<item><title>No date</title><guid>https://feeds.example/b</guid></item>
</channel></rss>`;
const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title><entry><title type="html">Ether &#x1F41F; &lt;i&gt;news&lt;/i&gt;</title>
<link rel="self" href="https://atoms.example/self"/><link rel="alternate" href="https://atoms.example/1"/><updated>2026-01-15T11:00:00Z</updated><summary>Short</summary></entry></feed>`;

describe('feeds', () => {
  test('RSS becomes plain headlines; items without a safe link are left out', () => {
    const { title, items } = parseFeed(RSS);
    expect(title).toBe('Coin & Co');
    expect(items).toEqual([
      {
        title: 'Bitcoin < 100k & rising',
        link: 'https://feeds.example/a?x=1&y=2',
        publishedAt: Date.UTC(2026, 0, 15, 10),
        summary: 'One bold line & more',
      },
      { title: 'No date', link: 'https://feeds.example/b', publishedAt: undefined, summary: '' },
    ]);
  });

  test('Atom, too', () => {
    expect(parseFeed(ATOM)).toEqual({
      title: 'Atoms',
      items: [{ title: 'Ether 🐟 news', link: 'https://atoms.example/1', publishedAt: Date.UTC(2026, 0, 15, 11), summary: 'Short' }],
    });
  });

  test.each(['', '<html><body>Not a feed</body></html>', '<rss><item>', '<item/><item><title>x', '<item '.repeat(1000)])(
    'hostile or broken input has no items: %.20s',
    (text) => {
      expect(parseFeed(text).items).toEqual([]);
    },
  );

  // A pattern that tries every place from every other one would not end within the limit of the test.
  test.each(['<', '<item><title>', '<!DOCTYPE a [', '&lt;', '<a<', '<![CDATA[', '<script>'])('a megabyte of %s is read', (piece) => {
    expect(parseFeed(piece.repeat(Math.floor(1_000_000 / piece.length))).items).toEqual([]);
  });

  test('texts lose markup, control and direction characters, and end with an ellipsis', () => {
    expect(plainText('a\u202Eb<br/>c\u0000d', 100)).toBe('a b c d');
    expect(plainText('x'.repeat(50), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(plainText('&#0;&#xD800;&unknown;', 100)).toBe('&unknown;');
  });
});

describe('news', () => {
  const cleanups: (() => void)[] = [];
  afterEach(() => {
    for (const cleanup of cleanups.splice(0)) cleanup();
  });
  const feedServer = async (answers: Record<string, { status?: number; body: string; headers?: Record<string, string> }>) => {
    const server = createServer((request, response) => {
      const { status = 200, body, headers = {} } = answers[request.url ?? ''] ?? { status: 404, body: '' };
      response.writeHead(status, headers).end(body);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanups.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const now = () => Date.UTC(2026, 0, 15, 12);
  const make = (feeds: string[]) => createNews({ timers: realTimers, feeds, trusted: feeds, now, log: createLog('silent') });

  test('items of all feeds, newest first; a failing feed does not hide the others', async () => {
    const url = await feedServer({ '/rss': { body: RSS }, '/atom': { body: ATOM }, '/error': { status: 500, body: RSS } });
    const news = make([`${url}/rss`, `${url}/atom`, `${url}/error`]);
    expect(news.current()).toEqual({ available: false, items: [] });
    await news.refresh();
    const { available, items } = news.current();
    expect(available).toBe(true);
    expect(items.map(({ title, source }) => [title, source])).toEqual([
      ['No date', 'Coin & Co'],
      ['Ether 🐟 news', 'Atoms'],
      ['Bitcoin < 100k & rising', 'Coin & Co'],
    ]);
  });

  test('redirects, too much text and silence are failures', async () => {
    const url = await feedServer({
      '/moved': { status: 302, body: '', headers: { location: '/rss' } },
      '/rss': { body: RSS },
      '/huge': { body: RSS + ' '.repeat(1_100_000) },
      '/empty': { body: '<rss/>' },
    });
    const news = make([`${url}/moved`, `${url}/huge`, `${url}/empty`, 'http://127.0.0.1:1/none']);
    await news.refresh();
    expect(news.current()).toEqual({ available: false, items: [] });
  });
});

describeEachDialect('new listings', (open) => {
  const pairs = (...symbols: string[]) => symbols.map((symbol) => ({ symbol }));

  test('what was there at the first look is old; what comes later is new, across restarts and exchanges', async (context) => {
    const database = await open(context);
    let time = 1000;
    const first = newListings(database, 'simulated', () => time);
    await first.look([]);
    await first.look(pairs('BTCUSDT', 'ETHUSDT'));
    expect(await first.newest(10)).toEqual([]);
    time = 2000;
    await first.look(pairs('BTCUSDT', 'ETHUSDT', 'NEWUSDT'));
    const second = newListings(database, 'simulated', () => time);
    time = 3000;
    await second.look(pairs('BTCUSDT', 'NEWUSDT', 'LATERUSDT'));
    expect(await second.newest(10)).toEqual([
      { symbol: 'LATERUSDT', firstSeenAt: 3000 },
      { symbol: 'NEWUSDT', firstSeenAt: 2000 },
    ]);
    expect(await newListings(database, 'binance', () => time).newest(10)).toEqual([]);
  });

  test('three thousand pairs at once', async (context) => {
    const database = await open(context);
    await newListings(database, 'binance', () => 1).look(pairs(...Array.from({ length: 3000 }, (_, index) => `C${index}USDT`)));
    const { n } = await database.queries
      .selectFrom('seen_pairs')
      .select((e) => e.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow();
    expect(n).toBe(3000);
  });
});

test('changes are exact, in percent units', async () => {
  expect(changePercent('100', '101.5')).toBe('1.5');
  expect(changePercent('3', '4')).toBe('33.3333');
  expect(changePercent('0.00000812', '0.0000058')).toBe('-28.5714');
  expect(changePercent('0', '1')).toBeUndefined();
  const asked: unknown[] = [];
  const market = {
    ticker: () => ({ price: '110' }) as never,
    candles: async (...query: unknown[]) => {
      asked.push(query);
      return [{ openTime: '', open: '100', high: '1', low: '1', close: '1', volume: '1', closed: true }];
    },
  };
  expect(await changeOver(market, 'BTCUSDT', '7d')).toBe('10');
  expect(asked).toEqual([['BTCUSDT', '4h', { limit: 42 }]]);
});
