import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realTimers } from '@pilotfish/core/time/timers';
import { expect, onTestFinished, test } from 'vitest';
import { writtenSpool } from './draft-spool.ts';
import { xlsxOf, zipOf } from './import-fixture.ts';
import { type UploadLimits, uploadReader } from './upload-reader.ts';

const HEADER = 'Date(UTC),Pair,Side,Price,Executed,Amount,Fee';
const ROW = '2025-01-01 10:00:00,BTCUSDT,BUY,100,1BTC,100USDT,0USDT';
const PAIRS = new Map([['BTCUSDT', { baseAsset: 'BTC', quoteAsset: 'USDT' }]]);

function stage(limits?: UploadLimits, timers = realTimers) {
  const folder = mkdtempSync(join(tmpdir(), 'pilotfish-reader-'));
  const reader = uploadReader(timers, limits);
  onTestFinished(async () => {
    await reader.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  let files = 0;
  const jobOf = (name: string, data: string | Uint8Array) => {
    const path = join(folder, `upload-${++files}`);
    writeFileSync(path, data);
    return { upload: { path, name, folder }, spool: `${path}-rows`, zone: undefined, mapping: undefined, pairs: PAIRS };
  };
  return { reader, jobOf };
}
const many = `${HEADER}\n${`${ROW}\n`.repeat(100_000)}`;

test('a CSV, a workbook and a ZIP are read in one thread after the other, rows into the spool', async () => {
  const { reader, jobOf } = stage();
  const cells = [HEADER.split(','), ROW.split(',')];
  for (const [name, data] of [
    ['a.csv', `${HEADER}\n${ROW}`],
    ['a.xlsx', xlsxOf(cells)],
    ['a.zip', zipOf([{ name: 'a.csv', data: `${HEADER}\n${ROW}` }])],
  ] as const) {
    const job = jobOf(name, data);
    const { reading, rows } = await reader.read(job);
    expect(reading).toMatchObject({ format: 'trade-history', counts: { rows: 1, error: 0 } });
    const drafts = [];
    for await (const part of writtenSpool(job.spool, rows).parts()) drafts.push(...part);
    expect(drafts).toMatchObject([{ source: 'trade-history', draft: { symbol: 'BTCUSDT', price: '100' } }]);
  }
});

test('a refusal names its rule, and the next file is read', async () => {
  const { reader, jobOf } = stage();
  await expect(reader.read(jobOf('a.csv', `a,b\n${','.repeat(1_000_000)}`))).rejects.toMatchObject({ code: 'lineTooLong', limit: '65536' });
  expect((await reader.read(jobOf('b.csv', `${HEADER}\n${ROW}`))).rows).toBe(1);
});

test('a file that needs more memory than it may have ends its thread and nothing else', async () => {
  const { reader, jobOf } = stage({ memoryMb: 8, seconds: 3600 });
  // A hundred thousand texts that are remembered until the sheet is read.
  const shared = zipOf([
    { name: 'xl/workbook.xml', data: '<a/>' },
    {
      name: 'xl/sharedStrings.xml',
      data: `<sst>${Array.from({ length: 300_000 }, (_, index) => `<si><t>${index} and more of it</t></si>`).join('')}</sst>`,
    },
    { name: 'xl/worksheets/sheet1.xml', data: '<w/>' },
  ]);
  await expect(reader.read(jobOf('a.xlsx', shared))).rejects.toMatchObject({ code: 'tooMuchMemory', limit: '8' });
});

test('whoever goes away ends the reading, before it and during it', async () => {
  const { reader, jobOf } = stage();
  const gone = new Error('gone');
  await expect(reader.read(jobOf('a.csv', many), { signal: AbortSignal.abort(gone) })).rejects.toBe(gone);
  const leaving = new AbortController();
  const seen: number[] = [];
  const reading = reader.read(jobOf('a.csv', many), {
    signal: leaving.signal,
    onRows: (done) => {
      seen.push(done);
      leaving.abort(gone);
    },
  });
  await expect(reading).rejects.toBe(gone);
  expect(seen).toHaveLength(1);
  expect((await reader.read(jobOf('b.csv', `${HEADER}\n${ROW}`))).rows).toBe(1);
});

test('what takes longer than its deadline is ended and says so', async () => {
  // Fired with the first rows, before the next message of the thread is looked at: a busy machine may have all of them by then.
  const waits = new Map<number, () => void>();
  const timers = { after: (ms: number, work: () => void) => waits.set(ms, work) && (() => undefined), meanwhile: realTimers.meanwhile };
  const { reader, jobOf } = stage({ memoryMb: 256, seconds: 30 }, { ...realTimers, ...timers });
  const reading = reader.read(jobOf('a.csv', many), { onRows: () => waits.get(30_000)?.() });
  await expect(reading).rejects.toMatchObject({ code: 'tookTooLong', limit: '30' });
});
