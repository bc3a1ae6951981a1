import { describe, expect, test } from 'vitest';
import { csvRows, type FileRow, MAX_CELLS_OF_FILE, MAX_LINES_OF_FILE, MAX_ROWS, separatorOf } from './csv-rows.ts';

async function* pieces(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}
async function read(text: string | Uint8Array, size?: number): Promise<FileRow[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const rows: FileRow[] = [];
  for await (const batch of csvRows(pieces(bytes, size))) rows.push(...batch);
  return rows;
}
const cells = async (text: string | Uint8Array) => (await read(text)).map((row) => row.cells);

describe('text files', () => {
  test.each([
    ['commas', 'a,b\n1,2\n'],
    ['semicolons', 'a;b\n1;2'],
    ['tabs, CRLF', 'a\tb\r\n1\t2\r\n'],
    ['a byte order mark and quotes', '\uFEFF"a","b"\n"1","2"'],
    ['empty lines', '\n\na,b\n\n1,2\n,\n'],
    ['old line ends', 'a,b\r1,2\r'],
  ])('%s', async (_, text) =>
    expect(await cells(text)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ]),
  );
  test('quotes may hold separators, quotes and line ends', async () =>
    expect(await cells('a,b\n"1,000","say ""hi""\nthere"')).toEqual([
      ['a', 'b'],
      ['1,000', 'say "hi"\nthere'],
    ]));
  test('UTF-16 of both kinds', async () => {
    const little = Buffer.from('\uFEFFa,b\n1,é', 'utf16le');
    expect(await cells(little)).toEqual([
      ['a', 'b'],
      ['1', 'é'],
    ]);
    expect(await cells(Buffer.from(little).swap16())).toEqual([
      ['a', 'b'],
      ['1', 'é'],
    ]);
  });
  test('each row knows its line', async () => expect((await read('a,b\n1,2\n\n3,4\n')).map(({ line }) => line)).toEqual([1, 2, 4]));
  test('a separator inside quotes is none', () => expect(separatorOf('"a,b,c";d;e')).toBe(';'));
});

describe('what is no table', () => {
  const long = `a,b\n${'x'.repeat(200_000)},1\n`;
  test.each([
    ['nothing', '', 'empty'],
    ['only blanks', ' \n \n', 'empty'],
    ['zero bytes', new Uint8Array([97, 44, 98, 10, 0, 0, 0]), 'binary'],
    ['not UTF-8', new Uint8Array([97, 44, 0xff, 0xc3, 10, 97]), 'encoding'],
    ['a line without an end', 'x'.repeat(1_000_000), 'lineTooLong'],
    ['a long line further down', long, 'lineTooLong'],
    ['hundreds of cells', `${'a,'.repeat(300)}\n`, 'tooManyCells'],
  ])('%s', async (_, text, code) => expect(read(text, 65_536)).rejects.toMatchObject({ code }));
  test.each([
    ['separators without an end', 'a,b\n', ','.repeat(4_000_000), 'lineTooLong'],
    ['a quote without an end', 'a,b\n', `"${'\n,'.repeat(2_000_000)}`, 'lineTooLong'],
    ['rows of hidden cells', 'a,b\n', `${','.repeat(30_000)}\n`.repeat(100), 'tooManyCells'],
    ['a record just above the limit', 'a,b\n', `${`${'x'.repeat(1000)},`.repeat(66)}\n`, 'lineTooLong'],
  ])('%s: refused before much of it is read', async (_, head, body, code) => {
    const bytes = new TextEncoder().encode(head + body);
    let taken = 0;
    async function* counted() {
      for await (const piece of pieces(bytes, 16_384)) {
        taken += piece.length;
        yield piece;
      }
    }
    const reading = (async () => {
      for await (const _rows of csvRows(counted()));
    })();
    await expect(reading).rejects.toMatchObject({ code });
    expect(taken).toBeLessThan(200_000);
  });
  test('lines that bring nothing count too', async () => {
    await expect(read(`a,b\n${'\n'.repeat(MAX_LINES_OF_FILE)}`, 1 << 20)).rejects.toMatchObject({ code: 'tooManyRows' });
    await expect(read(`a,b\n${`${','.repeat(99)}\n`.repeat(MAX_CELLS_OF_FILE / 100)}`, 1 << 20)).rejects.toMatchObject({
      code: 'fileTooManyCells',
    });
  });
  test('too many rows', async () => {
    await expect(read('a\n'.repeat(MAX_ROWS + 2), 1 << 20)).rejects.toMatchObject({ code: 'tooManyRows', limit: String(MAX_ROWS) });
  });
});
