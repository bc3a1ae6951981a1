import { Box, Flex, Text } from '@chakra-ui/react';
import { isolated } from '@pilotfish/core/fields/isolated';
import type { CoinFilter } from '@pilotfish/core/prices/screener-contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useFilterCoins } from './use-coin-filters.ts';

/** The coins a filter selects now, and how many pairs each of its rules left out. */
export function FilterCoins({ filter, titled = false }: { filter: Pick<CoinFilter, 'id' | 'name'>; titled?: boolean }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { data, hasFailed, problem, retry } = useFilterCoins(filter.id);
  if (hasFailed) return <ErrorPanel problem={problem} onRetry={retry} />;
  if (!data) return <Skeleton rows={2} height={18} />;
  const time = moment(data.asOf);
  return (
    <Box fontSize="13px">
      {data.stale && <Notice tone="warning">{t('coinFilters.stale', { time })}</Notice>}
      <Text fontWeight="600">
        {titled && `${isolated(filter.name)}: `}
        {t('coinFilters.selects', { count: data.coins.length })}
        <Text as="span" color="fg.muted" fontWeight="400">
          {' '}
          · {t('coinFilters.asOf', { time })}
        </Text>
      </Text>
      {data.coins.length > 0 && (
        <Flex
          as="ul"
          listStyleType="none"
          gap="1"
          wrap="wrap"
          mt="1.5"
          // Four rows and half a fifth: what is cut off says that there is more.
          maxH="112px"
          overflowY="auto"
          tabIndex={0}
          aria-label={t('coinFilters.coinsOf', { name: filter.name })}
        >
          {data.coins.map((symbol) => (
            <Box as="li" key={symbol} px="2" py="1px" bg="bg.raised" borderRadius="control" lang="en" translate="no">
              {symbol}
            </Box>
          ))}
        </Flex>
      )}
      {data.leftOut.some(({ count }) => count > 0) && (
        <Text color="fg.muted" mt="1.5">
          {t('coinFilters.leftOut')}{' '}
          {data.leftOut
            .filter(({ count }) => count > 0)
            .map(({ reason, count }) => t(`coinFilters.reason.${reason}`, { count }))
            .join(', ')}
        </Text>
      )}
    </Box>
  );
}
