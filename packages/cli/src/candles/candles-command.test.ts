import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CandleFetch } from '@pilotfish/core/candles/candles-contract';
import { afterAll, describe, expect, test } from 'vitest';
import { fakeHost } from '../../testing/fake-host.ts';
import { ENDLESS, execute } from '../app/cli.ts';

const running: CandleFetch = {
  symbol: 'BTCUSDT',
  interval: '1m',
  from: '2024-01',
  to: '2024-04',
  source: 'exchange',
  state: 'running',
  startedAt: '2026-01-15T12:00:00.000Z',
  months: 4,
  done: 1,
  had: 0,
  before: 0,
  notInArchives: 0,
  damaged: 0,
  began: null,
  rows: 44_640,
  bytes: 1,
  doing: { month: '2024-02', what: 'asking', share: 0.5 },
  problems: [],
};
const month = { symbol: 'BTCUSDT', interval: '1h', rows: 744, gaps: 0, origin: 'file', bytes: 9, coveredTo: '2024-02-01T00:00:00.000Z' };
type Asked = { readonly method: string; readonly path: string };
type Answer = { readonly status?: number; readonly body?: unknown };

/** Runs `pilotfish candles …` against a server that answers as `answer` says. */
async function run(words: readonly string[], answer: (asked: Asked) => Answer | Promise<Answer>, interrupted?: Promise<void>) {
  const seen: string[] = [];
  const fetch = (async (input: string, { method = 'GET', signal }: RequestInit = {}) => {
    const { pathname } = new URL(input);
    seen.push(`${method} ${pathname.replace('/bff/v2/', '')}`);
    const { status = 200, body } = await answer({ method, path: pathname.replace('/bff/v2/', '') });
    signal?.throwIfAborted();
    const problem = status < 400 ? body : { type: 'about:blank', title: '', status, code: 'not-found', ...(body as object) };
    return new Response(status === 204 ? null : JSON.stringify(problem), { status });
  }) as typeof globalThis.fetch;
  const host = fakeHost({ fetch, env: { PILOTFISH_TOKEN: 't' }, now: Date.UTC(2024, 5, 1) });
  const life = { ...ENDLESS, ...(interrupted && { untilInterrupted: () => interrupted }) };
  const exit = await execute(['candles', ...words], host, life);
  return { exit, out: host.out(), err: host.err().replace(/[\u2068\u2069]/g, ''), seen };
}
const stored = { items: [], bytes: 0, mostBytes: 1 };

test.each([
  [
    ['--from', '2024-13'],
    'invalidMonth',
    '--from 2024-13 is not a month. Give a year and month, 2017-01 or later, such as --from 2024-01.',
  ],
  [['--from', '2016-05'], 'invalidMonth', '--from 2016-05 is not a month.'],
  [['--from', '2024-01', '--to', '24-02'], 'invalidMonth', '--to 24-02 is not a month.'],
  [['--from', '2024-02', '--to', '2024-01'], 'monthOrder', '--to 2024-01 is before --from 2024-02.'],
  [['--from', '2024-07'], 'lateMonth', '--from 2024-07 has not begun yet. Give 2024-06 or an earlier month.'],
  [['--from', '2024-07', '--archives', '/nowhere'], 'lateMonth', '--from 2024-07 has not begun yet. Give 2024-06 or an earlier month.'],
])('%j is refused by its option, with what to give', async (words, code, sentence) => {
  const errors = [{ path: 'from', code: 'too_big', message: 'At most 2024-06.', limit: '2024-06' }];
  const { exit, err } = await run(['fetch', 'BTCUSDT', '1m', ...words], () => ({ status: 400, body: { code: 'invalid', errors } }));
  expect(exit).toBe(2);
  expect(err).toContain(sentence);
  expect(err).toContain(`(${code})`);
});

describe('a fetch whose terminal is gone', () => {
  const answer =
    (fetched: Answer) =>
    ({ method, path }: Asked): Answer =>
      path === 'candle-months' ? { body: stored } : method === 'DELETE' ? { status: 204 } : fetched;

  test('is shown beside the stored months, and by no program', async () => {
    expect((await run(['ls'], answer({ body: running }))).err).toContain(
      'Fetching BTCUSDT 1m: 1 of 4 months (37%). To stop it: pilotfish candles stop',
    );
    for (const words of [
      ['ls', '--json'],
      ['ls', '--csv'],
    ])
      expect((await run(words, answer({ body: running }))).err).toBe('');
    expect((await run(['ls'], answer({ body: { ...running, state: 'done' } }))).err).toBe('');
    expect(await run(['ls'], answer({ status: 404 }))).toMatchObject({ exit: 0, err: '' });
  });

  test('is ended by stop, which says so where none runs', async () => {
    const ended = await run(['stop'], answer({ body: running }));
    expect(ended).toMatchObject({ exit: 0, err: 'BTCUSDT 1m: the fetch was stopped.\n' });
    expect(ended.seen).toEqual(['GET candle-fetch', 'DELETE candle-fetch']);
    expect(await run(['stop'], answer({ status: 404 }))).toMatchObject({
      exit: 0,
      err: 'No candles are being fetched.\n',
      seen: ['GET candle-fetch'],
    });
  });

  test('is no success for the terminal that waits for it', async () => {
    const { exit, err } = await run(['fetch', 'BTCUSDT', '1m', '--from', '2024-01'], answer({ body: { ...running, state: 'ended' } }));
    expect(exit).toBe(1);
    expect(err).toContain('BTCUSDT 1m: stopped. 1 of 4 months added');
  });
});

test('months from before the pair began are no months that were added', async () => {
  const body = { ...running, state: 'done', done: 4, before: 3, began: '2024-04' };
  const { exit, err } = await run(['fetch', 'BTCUSDT', '1m', '--from', '2024-01'], () => ({ body }));
  expect(exit).toBe(0);
  expect(err).toContain('1 of 4 months added');
  expect(err).toContain('BTCUSDT has no candles before 2024-04: earlier months were skipped. --from 2024-04 is enough.');
});

describe('a folder of archive files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-candles-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const name = (of: string) => `BTCUSDT-1h-${of}.zip`;
  for (const each of ['2024-01', '2024-03', '2024-04']) writeFileSync(join(folder, name(each)), each);
  writeFileSync(join(folder, `${name('2024-03')}.CHECKSUM`), `${'0'.repeat(64)}  ${name('2024-03')}`);
  mkdirSync(join(folder, name('2024-02')));
  const words = ['fetch', 'BTCUSDT', '1h', '--from', '2024-01', '--to', '2024-05', '--archives', folder];
  const refused = { code: 'invalid', errors: [{ path: 'file', code: 'BAD_BAR', message: 'line 3: wrong' }] };
  const answer = ({ path }: Asked): Answer =>
    path === 'candle-months'
      ? { body: stored }
      : path.endsWith('2024-01')
        ? { status: 400, body: refused }
        : { body: { ...month, month: path.slice(-7), complete: true } };

  test('a file that is refused does not hold back the others; what became of all is in one document', async () => {
    const { exit, out, err, seen } = await run([...words, '--json'], answer);
    expect(seen.filter((each) => each.startsWith('PUT'))).toEqual([
      'PUT candle-months/BTCUSDT/1h/2024-01',
      'PUT candle-months/BTCUSDT/1h/2024-04',
    ]);
    expect(JSON.parse(out)).toEqual({
      symbol: 'BTCUSDT',
      interval: '1h',
      from: '2024-01',
      to: '2024-05',
      folder,
      source: 'folder',
      state: 'done',
      months: 5,
      had: 0,
      stored: 1,
      rows: 744,
      missing: ['2024-02', '2024-05'],
      problems: [
        {
          month: '2024-01',
          file: join(folder, name('2024-01')),
          code: 'BAD_BAR',
          message: expect.stringContaining('line 3: wrong') as string,
        },
        { month: '2024-03', file: join(folder, name('2024-03')), code: 'candleChecksum', message: expect.any(String) as string },
      ],
    });
    expect(exit).toBe(2);
    expect(err).toContain(`2024-03: ${join(folder, name('2024-03'))} does not match its checksum`);
  });

  test('Ctrl-C ends it where it is, and says what is stored', async () => {
    let interrupt: () => void = () => undefined;
    const interrupted = new Promise<void>((resolve) => {
      interrupt = resolve;
    });
    const { exit, out, seen } = await run(
      [...words, '--json'],
      async (asked) => {
        if (asked.method === 'PUT') {
          interrupt();
          await interrupted;
        }
        return answer(asked);
      },
      interrupted,
    );
    expect(exit).toBe(130);
    expect(seen.filter((each) => each.startsWith('PUT'))).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ state: 'ended', stored: 0, problems: [] });
  });

  test('what would stop every file ends it after its report', async () => {
    const full = (asked: Asked): Answer =>
      asked.method === 'PUT' ? { status: 507, body: { code: 'storage-full', detail: 'No room.' } } : answer(asked);
    const { exit, err, seen } = await run(words, full);
    expect(exit).toBe(1);
    expect(seen.filter((each) => each.startsWith('PUT'))).toHaveLength(1);
    expect(err).toContain('BTCUSDT 1h: stopped. 0 of 5 months added');
    expect(err).toContain('No room.');
  });
});
