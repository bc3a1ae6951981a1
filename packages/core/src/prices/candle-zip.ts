const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const [STORED, DEFLATED] = [0, 8];
/** Of a whole ZIP: its end is no further from the end of the file. To look through a large file would hold back others. */
const MOST_COMMENT = 0xffff;
const [END_BYTES, ENTRY_BYTES, LOCAL_BYTES] = [22, 46, 30];

/** The first file in a ZIP as it lies there, its name without folders, and whether it is deflated. */
export type PackedFile = { readonly name: string; readonly content: Uint8Array; readonly isDeflated: boolean };

/**
 * Finds the first file in a ZIP, as the exchange's archive packs its candles: one CSV. The caller unpacks it, because
 * each platform has its own way. @throws RangeError for anything else
 */
export function firstOfZip(bytes: Uint8Array): PackedFile {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [u16, u32] = [(at: number) => view.getUint16(at, true), (at: number) => view.getUint32(at, true)];
  let end = bytes.length - END_BYTES;
  const first = Math.max(0, end - MOST_COMMENT);
  while (end >= first && u32(end) !== END_OF_DIRECTORY) end -= 1;
  if (end < first) throw new RangeError('not a ZIP file');
  let entry = u32(end + 16);
  for (let left = u16(end + 10); left > 0; left -= 1) {
    if (u32(entry) !== DIRECTORY_ENTRY) throw new RangeError('a damaged ZIP file');
    const [method, packed] = [u16(entry + 10), u32(entry + 20)];
    const [nameLength, extraLength, commentLength] = [u16(entry + 28), u16(entry + 30), u16(entry + 32)];
    const local = u32(entry + 42);
    const isFolder = bytes[entry + ENTRY_BYTES - 1 + nameLength] === 0x2f;
    if (!isFolder) {
      const from = local + LOCAL_BYTES + u16(local + 26) + u16(local + 28);
      if (from + packed > bytes.length) throw new RangeError('a damaged ZIP file');
      if (method !== STORED && method !== DEFLATED) throw new RangeError('a ZIP file packed in a way that is not known');
      const name = new TextDecoder().decode(bytes.subarray(entry + ENTRY_BYTES, entry + ENTRY_BYTES + nameLength));
      return {
        name: name.slice(name.lastIndexOf('/') + 1),
        content: bytes.subarray(from, from + packed),
        isDeflated: method === DEFLATED,
      };
    }
    entry += ENTRY_BYTES + nameLength + extraLength + commentLength;
  }
  throw new RangeError('an empty ZIP file');
}

/** How a file is packed, by its first bytes and not by its name. */
export const packingOf = (bytes: Uint8Array): 'gzip' | 'zip' | 'plain' => {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return 'gzip';
  return bytes[0] === 0x50 && bytes[1] === 0x4b ? 'zip' : 'plain';
};
