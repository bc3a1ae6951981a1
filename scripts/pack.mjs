// Puts a packed copy (.br, .gz) beside every text file of a built web app: the server sends those as they are, instead
// of packing the same bytes again for every reader.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(?:js|css|html|svg|json)$/;
/** Below it a packet is a packet. */
const LEAST_BYTES = 1024;
/** Above it the best packing takes seconds: only the word lists of the password meter are as long. */
const LONG_BYTES = 512 * 1024;

async function pack(file) {
  const bytes = await readFile(file);
  if (bytes.length < LEAST_BYTES) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > LONG_BYTES ? 9 : 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  await Promise.all([
    promisify(brotliCompress)(bytes, { params }).then((packed) => writeFile(`${file}.br`, packed)),
    promisify(gzip)(bytes, { level: 9 }).then((packed) => writeFile(`${file}.gz`, packed)),
  ]);
}

export async function packAll(folder) {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name)).map((entry) => join(entry.parentPath, entry.name));
  await Promise.all(files.filter((file) => !file.includes('.vite')).map(pack));
}
