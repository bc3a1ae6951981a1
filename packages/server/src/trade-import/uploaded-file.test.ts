import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync } from 'node:fs';
import { Readable } from 'node:stream';
import { quietProcess } from '@pilotfish/core/testing/quiet-process';
import { realTimers } from '@pilotfish/core/time/timers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { uploadOf, xlsxOf, zipOf } from './import-fixture.ts';
import { withTables, withUpload } from './uploaded-file.ts';

/** Open files of this process that belong to an upload; those removed from the disk count too, as they fill it. */
const heldOpen = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${fd}`);
      return file.includes('pilotfish-import-') ? [file] : [];
    } catch {
      return [];
    }
  });

const quiet = quietProcess();
afterEach(() => vi.waitFor(() => expect(quiet.busy(), 'streams that nobody ended').toBe(0)));

const readAll = (name: string, data: string | Uint8Array, mostBytes?: number): Promise<number> =>
  withUpload(uploadOf(name, data), realTimers, (saved) =>
    withTables(
      saved,
      async (tables) => {
        let rows = 0;
        for (const table of tables) for await (const batch of table.rows()) rows += batch.length;
        return rows;
      },
      mostBytes,
    ),
  );
/** Stops after the first rows, as a reader does that does not know the format. */
const readStart = (name: string, data: string | Uint8Array): Promise<void> =>
  withUpload(uploadOf(name, data), realTimers, (saved) =>
    withTables(saved, async (tables) => {
      for (const table of tables) for await (const _ of table.rows()) break;
    }),
  );

// Does not compress, so that much of it is still unread when the reader stops.
const noise = `a,b\n${randomBytes(1_500_000).toString('base64').replace(/.{60}/g, '$&,x\n')}`;
const sheet = (data: string, shared = '<sst/>') =>
  zipOf([
    { name: 'xl/workbook.xml', data: '<a/>' },
    { name: 'xl/sharedStrings.xml', data: shared },
    { name: 'xl/worksheets/sheet1.xml', data },
  ]);

describe.skipIf(process.platform !== 'linux')('no file of an upload stays open', () => {
  test.each<[string, Uint8Array | string]>([
    ['read to its end.zip', zipOf([{ name: 'a.csv', data: 'a,b\n1,2' }])],
    ['stopped early.csv', noise],
    ['stopped early.zip', zipOf([{ name: 'a.csv', data: noise }])],
    ['workbook.zip', zipOf([{ name: 'a.xlsx', data: xlsxOf([['a', 'b']]) }])],
  ])('%s', async (name, data) => {
    await readStart(name, data);
    await expect.poll(heldOpen).toEqual([]);
  });

  test('after a refusal in the middle', async () => {
    const wide = `${noise.slice(0, 800_000)}\n${'x,'.repeat(200)}\n${noise}`;
    await expect(readAll('a.csv', wide)).rejects.toMatchObject({ code: 'tooManyCells' });
    await expect(readAll('a.zip', zipOf([{ name: 'a.csv', data: wide }]))).rejects.toMatchObject({ code: 'tooManyCells' });
    await expect.poll(heldOpen).toEqual([]);
  });
});

test('what is unpacked of workbooks in a ZIP counts together', async () => {
  const rows = Array.from({ length: 400 }, (_, row) => [row, row * 7919]);
  const zip = zipOf(['a', 'b', 'c', 'd'].map((name) => ({ name: `${name}.xlsx`, data: xlsxOf(rows) })));
  expect(await readAll('a.zip', zip)).toBe(1600);
  await expect(readAll('a.zip', zip, 80_000)).rejects.toMatchObject({ code: 'zipBomb' });
});

describe('a workbook cannot make the server remember without end', () => {
  const random = (count: number) => randomBytes(count).toString('hex');
  test.each<[string, Uint8Array, string]>([
    ['elements in elements', sheet(`<w>${'<a>'.repeat(100)}${'</a>'.repeat(100)}<row><c><v>1</v></c></row></w>`), 'xlsxBroken'],
    ['an endless comment', sheet(`<w><!--${random(600_000)}--><row><c><v>1</v></c></row></w>`), 'xlsxBroken'],
    ['an endless attribute', sheet(`<w x="${random(600_000)}"><row><c><v>1</v></c></row></w>`), 'xlsxBroken'],
    [
      'one long text in every cell',
      sheet(`<w><row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row></w>`, `<sst><si><t>${random(30_000)}</t></si></sst>`),
      'lineTooLong',
    ],
  ])('%s', async (_, data, code) => expect(readAll('a.xlsx', data)).rejects.toMatchObject({ code }));
});

test('whoever falls silent in the middle of a file is let go after a minute', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const clock = vi.spyOn(globalThis, 'setTimeout');
  try {
    const stream = new Readable({ read: () => undefined });
    stream.push('a,b\n');
    const reading = withUpload({ name: 'a.csv', mimeType: '', stream }, realTimers, async () => 'read');
    const refused = expect(reading).rejects.toMatchObject({ code: 'timeout' });
    await vi.waitUntil(() => clock.mock.calls.some(([, ms]) => ms === 60_000));
    await vi.advanceTimersByTimeAsync(60_001);
    await refused;
    expect(stream.destroyed).toBe(true);
  } finally {
    // Before the timers, and all: Vitest restores a spy once more at the end of the file, `mockRestore` or not, and puts
    // the fake timer back for every later file of the worker.
    vi.restoreAllMocks();
    vi.useRealTimers();
  }
});
