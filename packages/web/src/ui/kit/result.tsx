import { chakra } from '@chakra-ui/react';
import type { Money, Percent } from '@pilotfish/core/money/figure';
import { type Closeness, formatPercent, formatPoints, formatSigned } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { toneOf } from '../theme/tone.ts';
import { Unknown } from './unknown.tsx';

/** The name of a currency after a figure: there to be found, not to be read first. */
export const Unit = ({ children }: { children: string }) => (
  <chakra.span color="fg.subtle" fontWeight="450" fontSize="min(0.82em, 20px)" lang="en" translate="no">
    {' '}
    {children}
  </chakra.span>
);

/** What was earned or lost: its sign and its tone, neither for what reads 0.00. What is not known is a dash with its reason. */
export function Result({
  value,
  currency,
  reason,
  unit = false,
  closeness,
  percent,
  below = false,
}: {
  value: Money | null;
  currency: string;
  /** Why it may be unknown. */
  reason: string;
  /** With the name of the currency, where no heading has it. */
  unit?: boolean;
  closeness?: Closeness;
  /** The same in percent, beside it; null is unknown. */
  percent?: Percent | null;
  /** The percentage has a line of its own, as in tables. */
  below?: boolean;
}) {
  if (value === null) return <Unknown reason={reason} />;
  const text = formatSigned(value, currency, closeness);
  return (
    <chakra.span whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
      <span className={toneOf(text)}>{text}</span>
      {unit && <Unit>{currency}</Unit>}
      {percent !== undefined && (
        <chakra.span display={below ? 'block' : 'inline'} fontSize={below ? '12px' : '0.9em'} fontWeight="450">
          {below ? '' : ' '}
          <ResultPercent value={percent} reason={reason} />
        </chakra.span>
      )}
    </chakra.span>
  );
}

/** A result in percent. */
export function ResultPercent({ value, reason }: { value: Percent | null; reason: string }) {
  if (value === null) return <Unknown reason={reason} />;
  const text = formatPercent(value);
  return <span className={toneOf(text)}>{text}</span>;
}

/** What two percentages differ by, of which the larger is the better one. */
export function Points({ value, reason }: { value: Percent | null; reason: string }) {
  const { i18n } = useTranslation();
  if (value === null) return <Unknown reason={reason} />;
  const text = formatPoints(value, i18n.language);
  return (
    <chakra.span className={toneOf(text)} whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {text}
    </chakra.span>
  );
}
