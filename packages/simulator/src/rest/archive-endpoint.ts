import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { Exchange } from '../app/exchange.ts';
import { candlesOf, findInterval } from '../market/candles.ts';
import { candlePayload } from './candle-endpoint.ts';

/** Where the exchange publishes whole months of candles, on a host of its own; here beside everything else. */
export const ARCHIVE = '/data/spot/monthly/klines/';
const FILE = /^([^/]+)\/(\w+)\/\1-\2-(\d{4})-(\d{2})\.zip(\.CHECKSUM)?$/u;
/** Spot files carry microseconds from here on. */
const MICROSECONDS_FROM = Date.UTC(2025, 0, 1);
const PAGE = 1000;

/** A ZIP of one file. Its CRC is left zero: who reads candles goes by the checksum beside the file. */
function zipOf(name: string, text: string): Buffer {
  const [content, title] = [deflateRawSync(text), Buffer.from(name)];
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 8);
  local.writeUInt32LE(content.length, 18);
  local.writeUInt32LE(Buffer.byteLength(text), 22);
  local.writeUInt16LE(title.length, 26);
  const entry = Buffer.alloc(46);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt16LE(8, 10);
  entry.writeUInt32LE(content.length, 20);
  entry.writeUInt32LE(Buffer.byteLength(text), 24);
  entry.writeUInt16LE(title.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length + title.length, 12);
  end.writeUInt32LE(local.length + title.length + content.length, 16);
  return Buffer.concat([local, title, content, entry, title, end]);
}

/**
 * A month's file of this market, or its checksum; undefined where there is none: before the market began, and until a month
 * is over. @param path below the host, decoded
 */
export function archiveFile({ market, view }: Pick<Exchange, 'market' | 'view'>, path: string): Buffer | undefined {
  const [, symbol, name, year, month, checksum] = FILE.exec(path.slice(ARCHIVE.length)) ?? [];
  const [pair, interval] = [view.find(symbol ?? ''), findInterval(name ?? '')];
  if (!pair || !interval || interval.length === 0) return undefined;
  const [from, to] = [Date.UTC(Number(year), Number(month) - 1, 1), Date.UTC(Number(year), Number(month), 1)];
  if (to > view.momentOf(pair)) return undefined;
  const unit = from >= MICROSECONDS_FROM ? 1000 : 1;
  const lines: string[] = [];
  for (let start = from; start < to; ) {
    const query = { startTime: start, endTime: to - 1, limit: PAGE, offset: 0, now: view.momentOf(pair) };
    const candles = candlesOf(market, pair, interval, query);
    for (const candle of candles) {
      const [opened, open, high, low, close, volume, closed, ...rest] = candlePayload(pair, candle);
      const closedAt = unit === 1 ? Number(closed) : (Number(closed) + 1) * unit - 1;
      lines.push([Number(opened) * unit, open, high, low, close, volume, closedAt, ...rest].join(','));
    }
    if (candles.length < PAGE) break;
    start = candles.at(-1)!.openTime + interval.length;
  }
  if (lines.length === 0) return undefined;
  const stem = `${symbol}-${name}-${year}-${month}`;
  const zip = zipOf(`${stem}.csv`, `${lines.join('\n')}\n`);
  return checksum ? Buffer.from(`${createHash('sha256').update(zip).digest('hex')}  ${stem}.zip\n`) : zip;
}
