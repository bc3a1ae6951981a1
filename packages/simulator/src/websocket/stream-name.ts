import { findInterval, type Interval } from '../market/candles.ts';
import type { Pair } from '../market/market-contract.ts';

/** A market stream that exists. `symbol` streams belong to one pair. */
export type Stream =
  | { kind: 'aggTrade' | 'trade' | 'miniTicker' | 'ticker' | 'bookTicker' | 'avgPrice' | 'depthUpdate'; pair: Pair }
  | { kind: 'windowTicker'; pair: Pair; window: number; name: string }
  | { kind: 'book'; pair: Pair; levels: number }
  | { kind: 'kline'; pair: Pair; interval: Interval; offset: number }
  | { kind: 'allMiniTickers' };

const WINDOWS: Record<string, number> = { '1h': 3_600_000, '4h': 14_400_000, '1d': 86_400_000 };
const PLAIN = ['aggTrade', 'trade', 'miniTicker', 'ticker', 'bookTicker', 'avgPrice'] as const;

/** Reads a stream name such as `btcusdt@kline_1m`; undefined for one that does not exist. */
export function readStream(name: string, find: (symbol: string) => Pair | undefined): Stream | undefined {
  if (/^!miniTicker@arr(@\d+ms)?$/.test(name)) return { kind: 'allMiniTickers' };
  const at = name.indexOf('@');
  if (at < 1) return undefined;
  const symbol = name.slice(0, at);
  if (symbol !== symbol.toLowerCase()) return undefined;
  const pair = find(symbol.toUpperCase());
  if (!pair) return undefined;
  const type = name.slice(at + 1);
  for (const kind of PLAIN) if (type === kind) return { kind, pair };
  if (/^depth(@100ms|@1000ms)?$/.test(type)) return { kind: 'depthUpdate', pair };
  const levels = /^depth(5|10|20)(@100ms|@1000ms)?$/.exec(type)?.[1];
  if (levels) return { kind: 'book', pair, levels: Number(levels) };
  const window = /^ticker_(1h|4h|1d)$/.exec(type)?.[1];
  if (window) return { kind: 'windowTicker', pair, window: WINDOWS[window]!, name: window };
  const kline = /^kline_(\d{1,2}[smhdwM])(@\+08:00)?$/.exec(type);
  const interval = kline ? findInterval(kline[1]!) : undefined;
  return interval ? { kind: 'kline', pair, interval, offset: kline?.[2] ? 8 * 3_600_000 : 0 } : undefined;
}
