import { type ExactCandle, intervalLength } from '../prices/candle-gaps.ts';

/** A figure of the exchange without the zeros that end it: `0.10000000` and `0.1` are stored as one. */
export const shortFigure = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

const FIGURE = /^\d{1,40}(\.\d{1,40})?$/;
const WHOLE = /^\d{1,15}$/;
const COLUMNS = 8;

/**
 * Candles as text, at rest and on the wire: a line of exact figures each, its place counted in intervals from `startAt`
 * (epoch ms). Filled ones are left out: they come back by `fillGaps`, and a gap stays a gap.
 */
export function candleLines(candles: readonly ExactCandle[], interval: string, startAt: number): string {
  const length = intervalLength(interval)!;
  return candles
    .filter((candle) => candle.filled !== true)
    .map(
      ({ openTime, open, high, low, close, volume, quoteVolume, trades }) =>
        `${(openTime - startAt) / length},${open},${high},${low},${close},${volume},${quoteVolume},${trades}`,
    )
    .join('\n');
}

/** Reads the lines of `candleLines` one after the other. @throws Error for a line that it does not make */
export function candleOfLine(interval: string, startAt: number): (line: string) => ExactCandle {
  const length = intervalLength(interval)!;
  let before = -1;
  return (line) => {
    const cells = line.split(',');
    const [offset, open, high, low, close, volume, quoteVolume, trades] = cells as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const figures = cells.slice(1, -1);
    if (cells.length !== COLUMNS || !WHOLE.test(offset) || !WHOLE.test(trades) || !figures.every((each) => FIGURE.test(each)))
      throw new Error('a stored candle is broken');
    if (Number(offset) <= before) throw new Error('stored candles are out of order');
    before = Number(offset);
    return { openTime: startAt + before * length, open, high, low, close, volume, quoteVolume, trades: Number(trades) };
  };
}

/** The candles of `candleLines`, oldest first. @throws Error for a text that it does not make */
export const candlesOfLines = (text: string, interval: string, startAt: number): ExactCandle[] =>
  text === '' ? [] : text.split('\n').map(candleOfLine(interval, startAt));
