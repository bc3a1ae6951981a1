import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { candleLines, candlesOfLines } from '@pilotfish/core/candles/candle-lines';
import type { ExactCandle } from '@pilotfish/core/prices/candle-gaps';

/** A piece is never larger than this when unpacked; more is not ours. */
const MOST_BYTES = 1024 * 1024;
/** Small windows: a piece is some kilobytes, and the default would take a quarter of a megabyte each time. */
const WINDOW = { windowBits: 13, memLevel: 6, chunkSize: 8192 };

/** The lines of `candleLines`, deflated (about 25 bytes a candle). */
export const encodeCandles = (candles: readonly ExactCandle[], interval: string, startAt: number): Buffer =>
  deflateRawSync(Buffer.from(candleLines(candles, interval, startAt)), WINDOW);

/** @throws Error when the bytes are not what `encodeCandles` makes */
export function decodeCandles(body: Uint8Array, interval: string, startAt: number): ExactCandle[] {
  const text = inflateRawSync(body, { windowBits: 15, chunkSize: 16_384, maxOutputLength: MOST_BYTES }).toString();
  return candlesOfLines(text, interval, startAt);
}
