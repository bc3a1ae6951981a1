import type { Evaluation } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { formatPrice, UNKNOWN } from '@pilotfish/core/money/format';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';
import { useMoment } from '../ui/use-moment.ts';

/** What a coin waits for, in words. */
export function useWaitingText(): (symbol: string, waitsFor: NonNullable<Evaluation['waitsFor']>) => string {
  const { t } = useTranslation();
  const moment = useMoment();
  const pairs = usePairs();
  return useCallback(
    (symbol, waitsFor) =>
      t(`waitsFor.${waitsFor.code}`, {
        price: waitsFor.price ? formatPrice(waitsFor.price, pairs?.get(symbol)?.pricePrecision) : UNKNOWN,
        at: waitsFor.at ? moment(waitsFor.at) : UNKNOWN,
        detail: waitsFor.detail,
      }),
    [t, moment, pairs],
  );
}
