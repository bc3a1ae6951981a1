import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { type ExactCandle, intervalLength } from '@pilotfish/core/prices/candle-gaps';

/** A piece is never larger than this when unpacked; more is not ours. */
const MOST_BYTES = 1024 * 1024;
/** Small windows: a piece is some kilobytes, and the default would take a quarter of a megabyte each time. */
const WINDOW = { windowBits: 13, memLevel: 6, chunkSize: 8192 };

/**
 * Candles as bytes: one line of exact texts each, deflated (about 25 bytes a candle). Filled ones are left out, they
 * come back by `fillGaps`.
 */
export function encodeCandles(candles: readonly ExactCandle[], interval: string, startAt: number): Buffer {
  const length = intervalLength(interval)!;
  const lines = candles
    .filter((candle) => candle.filled !== true)
    .map(
      ({ openTime, open, high, low, close, volume, quoteVolume, trades }) =>
        `${(openTime - startAt) / length},${open},${high},${low},${close},${volume},${quoteVolume},${trades}`,
    );
  return deflateRawSync(Buffer.from(lines.join('\n')), WINDOW);
}

/** @throws Error when the bytes are not what `encodeCandles` makes */
export function decodeCandles(body: Uint8Array, interval: string, startAt: number): ExactCandle[] {
  const length = intervalLength(interval)!;
  const text = inflateRawSync(body, { windowBits: 15, chunkSize: 16_384, maxOutputLength: MOST_BYTES }).toString();
  if (text === '') return [];
  return text.split('\n').map((line) => {
    const [offset, open, high, low, close, volume, quoteVolume, trades] = line.split(',');
    if (trades === undefined) throw new Error('a stored candle is broken');
    return {
      openTime: startAt + Number(offset) * length,
      open: open!,
      high: high!,
      low: low!,
      close: close!,
      volume: volume!,
      quoteVolume: quoteVolume!,
      trades: Number(trades),
    };
  });
}
