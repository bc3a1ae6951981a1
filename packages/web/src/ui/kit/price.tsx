import { chakra } from '@chakra-ui/react';
import type { Percent, Price as PriceFigure } from '@pilotfish/core/money/figure';
import { formatDistance, formatPrice } from '@pilotfish/core/money/format';
import { formatSpan } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Unknown } from './unknown.tsx';

/** Older than this a price is shown with its age, ms. */
export const STALE_AFTER = 5000;

/** A price with the digits of its tick size. An old one is grey and says how old it is; it is never hidden. */
export function Price({
  value,
  places,
  age = 0,
  reason,
}: {
  value: PriceFigure | null;
  /** `pricePrecision` of its pair; undefined where none is at hand. */
  places: number | undefined;
  /** How old it is, ms. */
  age?: number;
  /** Why it may be unknown. */
  reason: string;
}) {
  const { t, i18n } = useTranslation();
  if (value === null) return <Unknown reason={reason} />;
  const isStale = age > STALE_AFTER;
  return (
    <chakra.span color={isStale ? 'fg.subtle' : undefined} whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
      {formatPrice(value, places)}
      {isStale && (
        <chakra.span fontSize="0.82em" fontWeight="450">
          {' '}
          {t('kit.old', { time: formatSpan(age, i18n.language, 1) })}
        </chakra.span>
      )}
    </chakra.span>
  );
}

/** How far a price has to go to a level: an arrow, and no tone. */
export function Distance({ value, reason }: { value: Percent | null; reason: string }) {
  const { t } = useTranslation();
  if (value === null) return <Unknown reason={reason} />;
  const text = formatDistance(value);
  const way = text.startsWith('↑') ? t('kit.above') : text.startsWith('↓') ? t('kit.below') : undefined;
  return (
    <chakra.span whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
      <span aria-hidden={way !== undefined}>{text}</span>
      {way !== undefined && (
        <span className="visually-hidden">
          {text.slice(2)} {way}
        </span>
      )}
    </chakra.span>
  );
}
