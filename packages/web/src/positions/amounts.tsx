import type { Money, Percent as PercentFigure } from '@pilotfish/core/money/figure';
import { formatMoney, formatPercent, formatSigned, UNKNOWN } from '@pilotfish/core/money/format';
import { toneOf } from '../ui/tone.ts';

/** A dash that says why it is one, to the eye that hovers and to the ear. */
export const Unknown = ({ reason }: { reason: string }) => (
  <span title={reason}>
    <span aria-hidden="true">{UNKNOWN}</span>
    <span className="visually-hidden">{reason}</span>
  </span>
);

/** An amount of a currency; a gain or a loss shows its sign and its colour. What is not known is never 0. */
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
  if (value === null) return <Unknown reason={reason} />;
  const text = (signed ? formatSigned : formatMoney)(value, currency);
  return (
    <span className={signed ? toneOf(text) : undefined}>
      {text}
      {!bare && ` ${currency}`}
    </span>
  );
}

export const Percent = ({ value, reason }: { value: PercentFigure | null; reason: string }) =>
  value === null ? <Unknown reason={reason} /> : <span className={toneOf(value)}>{formatPercent(value)}</span>;
