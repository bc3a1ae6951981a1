import { month, type StoredCandleInterval, storedInterval } from '@pilotfish/core/candles/candles-contract';
import { nameFrom } from '@pilotfish/core/money/asset-name';
import { UsageError } from '../app/failure.ts';

/** `--from` and `--to` as months, in their order. @throws UsageError naming the option */
export function monthsOf({ from, to }: { from?: string | undefined; to?: string | undefined }): { from?: string; to?: string } {
  for (const [flag, given] of [
    ['--from', from],
    ['--to', to],
  ] as const)
    if (given !== undefined && !month.safeParse(given).success) throw new UsageError('invalidMonth', { flag, given });
  if (from !== undefined && to !== undefined && to < from) throw new UsageError('monthOrder', { from, to });
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** @throws UsageError for an interval that is not stored */
export function pairOf({ symbol, interval }: { symbol: string; interval: string }): { symbol: string; interval: StoredCandleInterval } {
  const parsed = storedInterval.safeParse(interval);
  if (!parsed.success) throw new UsageError('invalidValue', { word: '<interval>', allowed: storedInterval.options.join(', ') });
  return { symbol: nameFrom(symbol), interval: parsed.data };
}
