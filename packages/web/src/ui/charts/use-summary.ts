import { formatPercent } from '@pilotfish/core/money/format';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { changePct, type Span } from './series-summary.ts';

/** The sentence that stands for a chart: where it began, where it is, its extremes and the change. */
export function useSummary(label: string, span: Span | undefined, format: (value: number) => string): string {
  const { t } = useTranslation();
  // A sentence put together takes longer than a tick should.
  return useMemo(() => {
    if (!span) return `${label}: ${t('chart.nothing')}`;
    const change = changePct(span);
    return t('chart.summary', {
      label,
      first: format(span.first),
      last: format(span.last),
      change: change === undefined ? format(span.last - span.first) : formatPercent(change.toFixed(2)),
      low: format(span.low),
      high: format(span.high),
    });
  }, [t, label, span, format]);
}
