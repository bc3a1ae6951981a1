import { chakra, Flex, Text } from '@chakra-ui/react';
import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import { formatQuantity, UNKNOWN } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Skeleton } from '../ui/state-panels.tsx';

/** A price, a time, or several prices with their shares. */
const shown = (value: string | null, language: string): string => {
  if (value === null) return UNKNOWN;
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toLocaleString(language, { dateStyle: 'short', timeStyle: 'short' });
  return value
    .split(', ')
    .map((part) => part.replace(/^[\d.]+/, (price) => (isDecimalText(price) ? formatQuantity(price) : price)))
    .join(', ');
};

/** Lines and orders of open positions that new settings move, before they are moved. */
export function PositionChanges({ changes, settled }: { changes: readonly PositionChange[]; settled: boolean }) {
  const { t, i18n } = useTranslation();
  if (!settled) return <Skeleton rows={2} height={18} />;
  if (changes.length === 0) return <Text color="fg.muted">{t('autoTrades.form.openSame')}</Text>;
  return (
    <Flex as="ul" direction="column" listStyleType="none" fontSize="13px" aria-label={t('autoTrades.form.openChanges')}>
      {changes.map(({ positionId, symbol, what, before, after }) => (
        <chakra.li
          key={`${positionId}${what}`}
          display="flex"
          gap="3"
          justifyContent="space-between"
          py="1.5"
          borderTopWidth="1px"
          borderColor="border.subtle"
          flexWrap="wrap"
        >
          <span>
            <Text as="span" fontWeight="600" lang="en" translate="no">
              {symbol}
            </Text>{' '}
            {t(`autoTrades.change.${what}`)}
          </span>
          <span className="figure">
            <chakra.del color="fg.muted">{shown(before, i18n.language)}</chakra.del>
            <span aria-hidden="true"> → </span>
            <chakra.ins textDecoration="none" fontWeight="600">
              {shown(after, i18n.language)}
            </chakra.ins>
          </span>
        </chakra.li>
      ))}
    </Flex>
  );
}
