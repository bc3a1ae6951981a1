import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type VirtualTime, virtualTime } from '@pilotfish/core/testing/virtual-time';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, describe, expect, test } from 'vitest';
import { createLog } from '../app/log.ts';
import { createNews } from './news.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const now = () => Date.UTC(2026, 0, 15, 12);
const rss = (items: string, encoding = 'utf-8') =>
  `<?xml version="1.0" encoding="${encoding}"?><rss><channel><title>Feed</title>${items}</channel></rss>`;
const item = (title: string, link = 'https://news.example/1', more = '') =>
  `<item><title>${title}</title><link>${link}</link>${more}</item>`;
const good = () => serve((_, response) => response.end(rss(item('Good', 'https://good.example/1'))));
async function titlesOf(feeds: string[], time?: VirtualTime) {
  const news = createNews({ timers: time?.timers ?? realTimers, feeds, trusted: feeds, now, log: createLog('silent') });
  await (time ? time.during(news.refresh()) : news.refresh());
  return { items: news.current().items, titles: news.current().items.map(({ title }) => title) };
}

describe('a bad feed fails alone, and soon', () => {
  test('one that never ends its sentence', async () => {
    const time = virtualTime();
    let drops = 0;
    const slow = await serve((_, response) => {
      response.write('<rss><channel>');
      time.timers.every(100, () => {
        drops += 1;
        response.write(' ');
      });
    });
    const silent = await serve(() => undefined);
    // Without its deadline this would never end.
    const { titles } = await titlesOf([slow, silent, await good()], time);
    expect(titles).toEqual(['Good']);
    expect(time.elapsed).toBe(5000);
    expect(drops).toBeGreaterThan(40);
  });

  test('one that never ends at all', async () => {
    let sent = 0;
    const endless = await serve((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write('<item>'.repeat(10_000))) sent += 60_000;
      };
      response.on('drain', more);
      more();
    });
    const { titles } = await titlesOf([endless, await good()]);
    expect(titles).toEqual(['Good']);
    expect(sent).toBeLessThan(100 * 1024 * 1024);
  });

  test('one that unpacks to a hundred megabytes', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, '<item>'));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const packed = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const before = process.memoryUsage().rss;
    const { titles } = await titlesOf([packed, await good()]);
    expect(titles).toEqual(['Good']);
    expect(process.memoryUsage().rss - before).toBeLessThan(90 * 1024 * 1024);
  });

  test('ones that lead elsewhere, into a file or into nothing', async () => {
    const target = await good();
    const statuses = [301, 302, 303, 307, 308];
    const moved = await Promise.all(
      statuses.map((status) => serve((_, response) => response.writeHead(status, { location: target }).end(rss(item('Moved'))))),
    );
    expect((await titlesOf([...moved, 'http://127.0.0.1:1/'])).titles).toEqual([]);
  });

  test('ones that are not what they say', async () => {
    const answers = ['{"items":[]}', '\0\0\0', '<rss><channel><item><title>Open', rss(item('', 'https://x.example')), '<!DOCTYPE html><p>'];
    const feeds = await Promise.all(answers.map((answer) => serve((_, response) => response.end(answer))));
    const garbled = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip'));
    expect((await titlesOf([...feeds, garbled, await good()])).titles).toEqual(['Good']);
  });
});

test('an address that the operator did not give is asked on the public internet only', async () => {
  const asked: string[] = [];
  const inner = await serve((request, response) => {
    asked.push(request.url ?? '');
    response.end(rss(item('Inside')));
  });
  const { port } = new URL(inner);
  const feeds = [inner, `https://127.0.0.1:${port}/`, `https://[::1]:${port}/`, `https://localhost:${port}/`, 'https://169.254.169.254/'];
  const news = createNews({
    timers: realTimers,
    feeds,
    trusted: ['https://elsewhere.example/'],
    now,
    log: createLog('silent'),
  });
  await news.refresh();
  expect(news.current()).toEqual({ available: false, items: [] });
  expect(asked).toEqual([]);
  const own = createNews({ timers: realTimers, feeds: [inner], trusted: [inner], now, log: createLog('silent') });
  await own.refresh();
  expect(own.current().items).toMatchObject([{ title: 'Inside' }]);
});

describe('what a feed says is text', () => {
  const of = async (body: string | Buffer, headers: Record<string, string> = {}) =>
    (await titlesOf([await serve((_, response) => response.writeHead(200, headers).end(body))])).items;

  test('scripts, markup in CDATA and doubly escaped markup are gone', async () => {
    const [first] = await of(
      rss(
        item(
          '<![CDATA[<b onclick="steal()">Bitcoin</b><script>alert(1)</script> rises]]>',
          'https://news.example/1',
          '<description>&lt;img src=x onerror=alert(1)&gt;Up &lt;script&gt;alert(2)&lt;/script&gt; 5%</description>',
        ),
      ),
    );
    expect(first?.title).toBe('Bitcoin rises');
    expect(first?.summary).toBe('Up 5%');
    expect(JSON.stringify(first)).not.toMatch(/alert|<|onclick/);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<script>',
    'file:///etc/passwd',
    'vbscript:x',
    ' JaVaScRiPt:alert(1)',
    '//news.example',
    'ftp://news.example/',
  ])('a link that is not a web page is left out: %s', async (link) => {
    expect(await of(rss(item('Bad', link) + item('Fine', 'https://fine.example/')))).toMatchObject([{ title: 'Fine' }]);
  });

  test('entities that multiply stay what they are, and files are not read', async () => {
    const lol = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
    const bomb = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "lol">${lol}<!ENTITY f SYSTEM "file:///etc/passwd">]>${rss(item('&l9; &f;'))}`;
    const items = await of(bomb);
    expect(items[0]?.title.length).toBeLessThan(200);
    expect(items[0]?.title).not.toMatch(/root|lollol/);
  });

  test('encodings are those that are named, by the answer or the document', async () => {
    const turkish = Buffer.from(rss(item('D\xfc\xfe\xfe\xfd y\xfckseldi'), 'iso-8859-9'), 'latin1');
    expect((await of(turkish))[0]?.title).toBe('Düşşı yükseldi');
    const western = Buffer.from(rss(item('Caf\xe9')), 'latin1');
    expect((await of(western, { 'content-type': 'text/xml; charset="windows-1252"' }))[0]?.title).toBe('Café');
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(rss(item('Bitcoin ₿')), 'utf16le')]);
    expect((await of(wide))[0]?.title).toBe('Bitcoin ₿');
    expect((await of(rss(item('Ünlü'), 'no-such-code')))[0]?.title).toBe('Ünlü');
  });
});
