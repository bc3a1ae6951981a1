import { type Candle, candlesOf, findInterval, type Interval } from '../market/candles.ts';
import type { Pair } from '../market/market-contract.ts';
import { priceText, quantityText, quoteVolumeText } from '../market/market-view.ts';
import { ApiError } from './api-error.ts';
import { type Call, pairOf } from './endpoint.ts';
import type { RequestParameters } from './request-parameters.ts';

function readInterval(call: Call): Interval {
  const interval = findInterval(call.parameters.required('interval'));
  if (!interval) throw new ApiError(-1120, 'Invalid interval.');
  return interval;
}

/** `timeZone` as ms: `0`, `8`, `-1:30`, within -12:00 to +14:00. */
export function readZone(parameters: RequestParameters): number {
  const text = parameters.text('timeZone');
  if (text === undefined) return 0;
  const match = /^([+-]?)(\d{1,2})(?::(\d{2}))?$/.exec(text);
  const minutes = match ? (Number(match[2]) * 60 + Number(match[3] ?? 0)) * (match[1] === '-' ? -1 : 1) : Number.NaN;
  if (!(minutes >= -720 && minutes <= 840)) throw new ApiError(-1130, "Data sent for parameter 'timeZone' is not valid.");
  return minutes * 60_000;
}

/** A kline as the exchange has it. */
export function candlePayload(pair: Pair, { openTime, closeTime, bar }: Candle): unknown[] {
  return [
    openTime,
    priceText(pair, bar.open),
    priceText(pair, bar.high),
    priceText(pair, bar.low),
    priceText(pair, bar.close),
    quantityText(pair, bar.volume),
    closeTime,
    quoteVolumeText(pair, bar.quoteVolume),
    bar.trades,
    quantityText(pair, bar.takerVolume),
    quoteVolumeText(pair, bar.takerQuoteVolume),
    '0',
  ];
}

/** GET /api/v3/klines and /uiKlines. */
export function klines(call: Call): unknown {
  const { parameters, exchange } = call;
  const pair = pairOf(call);
  const interval = readInterval(call);
  if (interval.length > 0 && interval.length < exchange.market.barLength(pair) && exchange.market.kind === 'replay') {
    throw new ApiError(-1120, 'Invalid interval.');
  }
  const candles = candlesOf(exchange.market, pair, interval, {
    startTime: parameters.time('startTime'),
    endTime: parameters.time('endTime'),
    limit: parameters.limit(500, 1000),
    offset: readZone(parameters),
    now: exchange.view.momentOf(pair),
  });
  return candles.map((candle) => candlePayload(pair, candle));
}
