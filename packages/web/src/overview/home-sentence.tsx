import { chakra, Text } from '@chakra-ui/react';
import { absolute, decimal, divide, HUNDRED, isPositive, multiply } from '@pilotfish/core/money/decimal';
import { isLess, isNothing } from '@pilotfish/core/money/figure';
import { formatCurrency, formatShare } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import type { useHeld } from '../auto-trades/use-auto-trades.ts';
import type { useEquity } from './use-overview.ts';

type Of<Query extends (...given: never[]) => { data: unknown }> = NonNullable<ReturnType<Query>['data']>;

/** Coins without a stop that are named; the others are counted. */
const NAMED = 3;

/** The page in a sentence: how the day went, what is held, what every stop would cost, and what has none. */
export function HomeSentence({ equity, held }: { equity: Of<typeof useEquity>; held: Of<typeof useHeld> }) {
  const { t } = useTranslation();
  const { currency } = equity;
  const today = equity.sinceMidnight?.change;
  const totals = held.totals.find((each) => each.currency === currency);
  const bare = held.items.filter(({ stop, broken, excludedFromTotals }) => stop === null && broken.length === 0 && !excludedFromTotals);
  const worth = decimal(equity.now.equity);
  const risk = totals && decimal(totals.atRisk);
  return (
    <Text fontSize="15px" lineHeight="22px" px="1" display={{ base: 'none', md: 'block' }} color="fg.muted">
      {today !== undefined && (
        <chakra.strong color="fg" fontWeight="620">
          {isNothing(today)
            ? t('overview.sentence.flat')
            : t(isLess(today) ? 'overview.sentence.down' : 'overview.sentence.up', {
                amount: formatCurrency(absolute(decimal(today)), currency),
              })}{' '}
        </chakra.strong>
      )}
      {t('overview.sentence.holds', { count: held.items.length })}{' '}
      {risk && isPositive(risk) && isPositive(worth) && (
        <>
          {t('overview.sentence.risk', {
            amount: formatCurrency(risk, currency),
            share: formatShare(divide(multiply(risk, HUNDRED), worth), 1),
          })}{' '}
        </>
      )}
      {bare.length > 0 && (
        <chakra.span color="warning" fontWeight="600">
          {t('overview.sentence.noStop', {
            count: bare.length,
            coins:
              bare
                .slice(0, NAMED)
                .map(({ baseAsset }) => baseAsset)
                .join(', ') + (bare.length > NAMED ? ` +${bare.length - NAMED}` : ''),
          })}
        </chakra.span>
      )}
    </Text>
  );
}
