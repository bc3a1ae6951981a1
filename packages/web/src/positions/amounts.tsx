import type { Money } from '@pilotfish/core/money/figure';
import { formatMoney } from '@pilotfish/core/money/format';
import { Result } from '../ui/kit/result.tsx';
import { Unknown } from '../ui/kit/unknown.tsx';

/** An amount of a currency; a gain or a loss is a result. What is not known is never 0. */
export function Amount({
  value,
  currency,
  signed = false,
  reason,
  bare = false,
}: {
  value: Money | null;
  currency: string;
  signed?: boolean;
  /** Why it may be unknown. */
  reason: string;
  /** Without the name of the currency, where a column already has it. */
  bare?: boolean;
}) {
  if (signed) return <Result value={value} currency={currency} reason={reason} unit={!bare} />;
  if (value === null) return <Unknown reason={reason} />;
  return (
    <span>
      {formatMoney(value, currency)}
      {!bare && ` ${currency}`}
    </span>
  );
}
