import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { GLYPH_HEIGHT, GLYPH_WIDTH, isInked } from './glyphs.ts';

export const ICON_SIZE = 64;
/** Points sampled per pixel and axis: what makes the disc's edge smooth. */
const SAMPLES = 4;
const LETTERS = 3;

/** Saturation and lightness are fixed so that white letters stay readable on every hue (contrast above 4.5). */
function colourOf(code: string): [number, number, number] {
  const hue = (createHash('sha256').update(code).digest().readUInt16BE(0) / 65_536) * 6;
  const [saturation, lightness] = [0.55, 0.33];
  const chroma = (1 - Math.abs(2 * lightness - 1)) * saturation;
  const middle = chroma * (1 - Math.abs((hue % 2) - 1));
  const [r, g, b] = (
    [
      [chroma, middle, 0],
      [middle, chroma, 0],
      [0, chroma, middle],
      [0, middle, chroma],
      [middle, 0, chroma],
      [chroma, 0, middle],
    ] as const
  )[Math.floor(hue)] ?? [0, 0, 0];
  const base = lightness - chroma / 2;
  return [r, g, b].map((part) => Math.round((part + base) * 255)) as [number, number, number];
}

/** Share of a pixel's sample points that lie inside the disc, 0-1. */
function discCoverage(x: number, y: number): number {
  const centre = ICON_SIZE / 2;
  let inside = 0;
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const dx = x + ((sample % SAMPLES) + 0.5) / SAMPLES - centre;
    const dy = y + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES - centre;
    if (dx * dx + dy * dy <= centre * centre) inside += 1;
  }
  return inside / (SAMPLES * SAMPLES);
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** The icon of an asset as a PNG: a disc in a colour of its own with up to three letters. The same code, the same bytes. */
export function currencyIcon(code: string): Buffer {
  const text = code.toUpperCase().slice(0, LETTERS);
  const colour = colourOf(code.toUpperCase());
  const scale = text.length === 1 ? 5 : text.length === 2 ? 4 : 2;
  const width = text.length * (GLYPH_WIDTH + 1) * scale - scale;
  const left = Math.floor((ICON_SIZE - width) / 2);
  const top = Math.floor((ICON_SIZE - GLYPH_HEIGHT * scale) / 2);
  const letterAt = (x: number, y: number): boolean => {
    const column = Math.floor((x - left) / scale);
    const index = Math.floor(column / (GLYPH_WIDTH + 1));
    return x >= left && isInked(text[index] ?? '', column - index * (GLYPH_WIDTH + 1), Math.floor((y - top) / scale));
  };

  // Each row starts with its filter type, 0 = none.
  const rows = Buffer.alloc(ICON_SIZE * (ICON_SIZE * 4 + 1));
  for (let y = 0; y < ICON_SIZE; y += 1)
    for (let x = 0; x < ICON_SIZE; x += 1) {
      const [r, g, b] = letterAt(x, y) ? [255, 255, 255] : colour;
      rows.set([r, g, b, Math.round(discCoverage(x, y) * 255)], y * (ICON_SIZE * 4 + 1) + 1 + x * 4);
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(ICON_SIZE, 0);
  header.writeUInt32BE(ICON_SIZE, 4);
  // 8 bits per channel, RGB with alpha.
  header.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}
