import { expect, test } from 'vitest';
import { firstOfZip } from './candle-zip.ts';

/** An empty ZIP before so many bytes of anything. */
function before(bytes: number): Uint8Array {
  const zip = new Uint8Array(22 + bytes);
  zip.set([0x50, 0x4b, 5, 6]);
  return zip;
}

test('the end of a ZIP is looked for no further from the end of the file than a comment is long', () => {
  expect(() => firstOfZip(before(0xffff))).toThrow('an empty ZIP file');
  expect(() => firstOfZip(before(0x1_0000))).toThrow('not a ZIP file');
});
