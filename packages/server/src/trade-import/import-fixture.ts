import { Readable } from 'node:stream';
import { crc32, deflateRawSync } from 'node:zlib';
import type { UploadedFile } from '../http/endpoint-handler.ts';

type Packed = { readonly name: string; readonly data: string | Uint8Array; readonly flags?: number; readonly claims?: number };

/** A ZIP of the given files. `claims` makes the headers lie about the size. For tests. */
export function zipOf(files: readonly Packed[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, flags = 0, claims } of files) {
    const raw = Buffer.from(data);
    const body = deflateRawSync(raw);
    const title = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(body.length, 14);
    common.writeUInt32LE(claims ?? raw.length, 18);
    common.writeUInt16LE(title.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), common, title, body]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, tail, title]));
    parts.push(local);
    offset += local.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(index.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, index, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A workbook with one sheet; texts are shared as spreadsheets do it, `=…` becomes a formula, numbers stay numbers. */
export function xlsxOf(rows: readonly (readonly (string | number)[])[], more: readonly Packed[] = []): Buffer {
  const texts = [...new Set(rows.flat().filter((cell): cell is string => typeof cell === 'string'))];
  const cell = (value: string | number, row: number, column: number) => {
    const name = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (typeof value === 'number') return `<c r="${name}"><v>${value}</v></c>`;
    if (value === '') return '';
    if (value.startsWith('=')) return `<c r="${name}" t="str"><f>${escaped(value.slice(1))}</f><v>42</v></c>`;
    return `<c r="${name}" t="s"><v>${texts.indexOf(value)}</v></c>`;
  };
  const sheet = rows
    .map((cells, row) => `<row r="${row + 1}">${cells.map((value, column) => cell(value, row, column)).join('')}</row>`)
    .join('');
  return zipOf([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: 'xl/workbook.xml', data: '<workbook/>' },
    { name: 'xl/sharedStrings.xml', data: `<sst>${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join('')}</sst>` },
    { name: 'xl/worksheets/sheet1.xml', data: `<worksheet><sheetData>${sheet}</sheetData></worksheet>` },
    ...more,
  ]);
}

/** An upload as the multipart reader hands it on. */
export const uploadOf = (name: string, data: string | Uint8Array): UploadedFile => ({
  name,
  mimeType: 'application/octet-stream',
  stream: Readable.from([Buffer.from(data)]),
});
