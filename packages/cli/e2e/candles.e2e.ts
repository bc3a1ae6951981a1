import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { backtestDocumentSchema } from '@pilotfish/core/backtest/backtest-contract';
import { archiveName, archivePath } from '@pilotfish/core/candles/candle-archive';
import { monthEnd, monthOf, monthStart } from '@pilotfish/core/candles/candle-month';
import type { CandleMonth } from '@pilotfish/core/candles/candles-contract';
import { MARKET_START } from '@pilotfish/simulator/testing/test-market';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';
import { WAVE } from './waves.ts';

// Candles for backtests: fetched once from the exchange or a folder, listed, used, removed.

const SECOND = monthOf(monthStart(monthOf(MARKET_START)) - 1);
const FIRST = monthOf(monthStart(SECOND) - 1);
const day = (at: number) => new Date(at).toISOString().slice(0, 10);

describe('pilotfish candles', () => {
  let stage: Stage;
  let account: Account;
  let admin: Account;

  beforeAll(async () => {
    stage = await openStage();
    account = await openAccount();
    admin = await openAccount({ user: stage.admin });
    writeFileSync(join(account.folder, 'bot.yaml'), WAVE);
  });
  afterAll(() => {
    stage?.simulator.faults.clear();
    account?.close();
    admin?.close();
  });
  const listed = async (symbol: string) =>
    JSON.parse((await account.pipe.run(['candles', 'ls', symbol, '--json'])).stdout) as CandleMonth[];

  test('fetch, then a backtest that asks the exchange nothing and ends as the one that did', { tags: ['smoke'] }, async () => {
    // From within the first month, so that it ends where a stored month does.
    const span = [
      '--pair',
      'DOGEUSDT',
      '--interval',
      '30m',
      '--from',
      day(monthStart(FIRST) + 86_400_000 * 3),
      '--to',
      day(monthEnd(SECOND)),
    ];
    const words = ['backtest', 'run', join(account.folder, 'bot.yaml'), ...span, '--json'];
    const before = await account.pipe.run(words);
    expect(before.exit, before.stderr).toBe(0);
    const fetched = await account.pipe.run(['candles', 'fetch', 'dogeusdt', '30m', '--from', FIRST, '--to', SECOND]);
    expect(fetched.exit, fetched.stderr).toBe(0);
    expect(fetched.stderr).toContain('DOGEUSDT 30m: 2 of 2 months added');
    expect((await listed('DOGEUSDT')).map(({ month }) => month)).toEqual([FIRST, SECOND]);
    stage.simulator.faults.apply({
      kind: 'request',
      path: '/api/v3/klines',
      symbol: 'DOGEUSDT',
      status: 400,
      code: -1100,
      times: 1_000_000,
    });
    const after = await account.pipe.run(words);
    expect(after.exit, after.stderr).toBe(0);
    const [one, other] = [before, after].map(({ stdout }) => backtestDocumentSchema.parse(JSON.parse(stdout)));
    expect(other).toEqual(one);
    const again = await account.pipe.run(['candles', 'fetch', 'DOGEUSDT', '30m', '--from', FIRST, '--to', SECOND]);
    expect(again.stderr).toContain('2 already stored');
    // Another interval is not stored: that the exchange refuses is seen.
    const refused = await account.pipe.run(['candles', 'fetch', 'DOGEUSDT', '2h', '--from', FIRST, '--to', SECOND]);
    expect(refused.exit).toBe(6);
    expect(refused.stderr.replace(/[\u2068\u2069]/g, '')).toContain('The exchange refused the request: -1100');
    stage.simulator.faults.clear();
  });

  test('fetch from a folder, flat or as the archive has it; a wrong checksum and a wrong file are named', async () => {
    const folder = join(admin.folder, 'archive');
    const get = async (path: string) => Buffer.from(await (await fetch(`${stage.simulator.origin}/${path}`)).arrayBuffer());
    const write = (path: string, content: Buffer) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    };
    const [first, second] = [archivePath('ADAUSDT', '1h', FIRST), archivePath('ADAUSDT', '1h', SECOND)];
    write(`${first}.zip`, await get(`${first}.zip`));
    write(`${archiveName('ADAUSDT', '1h', SECOND)}.zip`, await get(`${second}.zip`));
    write(`${archiveName('ADAUSDT', '1h', SECOND)}.zip.CHECKSUM`, await get(`${first}.zip.CHECKSUM`));
    const words = ['candles', 'fetch', 'ADAUSDT', '1h', '--from', FIRST, '--to', SECOND, '--archives', folder];
    const wrong = await admin.pipe.run(words);
    expect(wrong.exit).toBe(1);
    expect(wrong.stderr).toContain('does not match its checksum');
    write(`${archiveName('ADAUSDT', '1h', SECOND)}.zip.CHECKSUM`, await get(`${second}.zip.CHECKSUM`));
    const right = await admin.pipe.run(words);
    expect(right.exit, right.stderr).toBe(0);
    expect(right.stderr).toContain('ADAUSDT 1h: 1 of 2 months added');
    expect((await listed('ADAUSDT')).map(({ month, origin }) => [month, origin])).toEqual([
      [FIRST, 'file'],
      [SECOND, 'file'],
    ]);
    write(`${archiveName('ADAUSDT', '30m', SECOND)}.csv`, Buffer.from('not,a,candle\n1,2,3\n'));
    const bad = await admin.pipe.run(['candles', 'fetch', 'ADAUSDT', '30m', '--from', SECOND, '--to', SECOND, '--archives', folder]);
    expect(bad.exit).toBe(2);
    expect(bad.stderr).toContain('line 2: a column is missing or is not a number');
    expect((await account.pipe.run([...words.slice(0, 3), '2h', ...words.slice(4)])).exit).not.toBe(0);
  });

  test('ls and rm: who may not remove is refused, and what is removed is gone', async () => {
    expect((await account.pipe.run(['candles', 'rm', 'ADAUSDT', '1h', '--yes'])).exit).toBe(5);
    const removed = await admin.pipe.run(['candles', 'rm', 'ADAUSDT', '1h', '--from', SECOND, '--yes']);
    expect(removed.exit, removed.stderr).toBe(0);
    expect((await listed('ADAUSDT')).map(({ month }) => month)).toEqual([FIRST]);
  });

  test.each([
    [['fetch', 'BTCUSDT', '1m'], 2, '--from'],
    [['fetch', 'BTCUSDT', '1M', '--from', '2024-01'], 2, '<interval> accepts: 1m'],
    [['fetch', 'BTCUSDT', '1m', '--from', '2024-1'], 2, '--from 2024-1 is not a month'],
    [['fetch', 'BTCUSDT', '1m', '--from', '2099-01'], 2, '--from 2099-01 has not begun yet. Give 2026-01'],
    [['fetch', 'BTCUSDT', '1m', '--from', '2017-01', '--to', '2017-02'], 2, '2017-01: BTCUSDT has no candles before'],
    [['fetch', 'BTCUSDT', '1m', '--from', '2025-12', '--archives'], 8, 'This market publishes no archives'],
    [['fetch', 'NONEUSDT', '1m', '--from', '2025-12'], 7, ''],
  ] as [string[], number, string][])('refuses %j', async (words, exit, sentence) => {
    const run = await account.pipe.run(['candles', ...words]);
    expect(run.exit, run.stderr).toBe(exit);
    expect(run.stderr.replace(/[\u2068\u2069]/g, '')).toContain(sentence);
  });
});
