import type { Trace } from '@pilotfish/core/auto-trades/trace';
import { traceText } from '@pilotfish/core/auto-trades/trace-text';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../prices/use-prices.ts';

/** A trace as a sentence, its price with the decimals of its pair. */
export function TraceWords({ trace, currency }: { trace: Trace; currency: string }) {
  const { t } = useTranslation();
  const pricePrecision = usePairs()?.get(trace.symbol)?.pricePrecision;
  return <>{traceText(trace, currency, (keys, values) => t(keys, values), pricePrecision)}</>;
}
