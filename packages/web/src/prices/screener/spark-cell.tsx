import { formatPercent } from '@pilotfish/core/money/format';
import { memo } from 'react';
import { Sparkline } from '../../ui/charts/sparkline.tsx';
import { toneOf } from '../../ui/theme/tone.ts';
import { useTicker } from '../use-prices.ts';

/** Its path is written once for each answer: a tick that leaves the tone as it is draws nothing. */
const Line = memo(Sparkline);

/** The last 24 hours of a pair; decoration, for the change stands beside it. Empty where they are not known. */
export function SparkCell({ symbol, points }: { symbol: string; points: readonly number[] | undefined }) {
  const changePct = useTicker(symbol)?.changePct;
  const tone = changePct === undefined ? '' : toneOf(formatPercent(changePct));
  return (
    <div role="cell" className="prices-spark">
      {points && <Line values={points} tone={tone || 'muted'} />}
    </div>
  );
}
