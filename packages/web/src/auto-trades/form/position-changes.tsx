import { chakra, Flex, Text } from '@chakra-ui/react';
import type { PositionChange } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { positionChangeWords } from '@pilotfish/core/auto-trades/position-change-words';
import { useTranslation } from 'react-i18next';
import { usePairs } from '../../prices/use-prices.ts';
import { Skeleton } from '../../ui/state-panels.tsx';
import { useMoment } from '../../ui/use-moment.ts';

/** Lines and orders of open positions that new settings move, before they are moved. */
export function PositionChanges({ changes, settled }: { changes: readonly PositionChange[]; settled: boolean }) {
  const { t } = useTranslation();
  const pairs = usePairs();
  const moment = useMoment();
  if (!settled) return <Skeleton rows={2} height={18} />;
  if (changes.length === 0) return <Text color="fg.muted">{t('autoTrades.form.openSame')}</Text>;
  return (
    <Flex as="ul" direction="column" listStyleType="none" fontSize="13px" aria-label={t('autoTrades.form.openChanges')}>
      {changes.map(({ positionId, symbol, what, before, after, wasMoved }) => (
        <chakra.li
          key={`${positionId}${what}`}
          display="flex"
          gap="3"
          justifyContent="space-between"
          py="1.5"
          borderTopWidth="1px"
          borderColor="border.subtle"
          flexWrap="wrap"
          color={what === 'sellsNow' ? 'danger.fg' : undefined}
        >
          <span>
            <Text as="span" fontWeight="600" lang="en" translate="no">
              {symbol}
            </Text>{' '}
            {t(`autoTrades.change.${what}`)}
            {wasMoved && (
              <Text as="span" color="fg.muted">
                {' '}
                {t('autoTrades.change.wasMoved')}
              </Text>
            )}
          </span>
          <span className="figure">
            {what !== 'sellsNow' && (
              <>
                <chakra.del color="fg.muted">{positionChangeWords(before, moment, pairs?.get(symbol)?.pricePrecision)}</chakra.del>
                <span aria-hidden="true"> → </span>
              </>
            )}
            <chakra.ins textDecoration="none" fontWeight="600">
              {positionChangeWords(after, moment, pairs?.get(symbol)?.pricePrecision)}
            </chakra.ins>
          </span>
        </chakra.li>
      ))}
    </Flex>
  );
}
