import { Box, Flex, Text } from '@chakra-ui/react';
import { formatPrice, formatQuantity } from '@pilotfish/core/money/format';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { useTranslation } from 'react-i18next';
import { useOwnTrades } from '../../prices/use-own-activity.ts';
import { LinkButton } from '../../ui/controls.tsx';
import { ModeBadge } from '../../ui/kit/badges.tsx';
import { TitledPanel } from '../../ui/kit/titled-panel.tsx';
import { Second } from '../../ui/tables/table-cells.tsx';
import { useMoment } from '../../ui/use-moment.ts';
import { Line, Nothing, SIDES } from './parts.tsx';

const MOST = 6;

/** The newest trades in the pair, of bots and by hand. */
export function TradesPanel({ pair }: { pair: Pair }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const trades = useOwnTrades(pair.symbol);
  const { data } = trades;
  return (
    <TitledPanel
      title={t('markets.yours.trades')}
      query={trades}
      rows={4}
      flush
      actions={
        data && data.length > 0 ? (
          <LinkButton
            to={`/positions/closed-positions?coins=${pair.baseAsset}`}
            variant="ghost"
            color="fg.muted"
            size="xs"
            h={{ base: '11', md: '7' }}
            aria-label={t('markets.yours.allTrades', { coin: pair.baseAsset })}
          >
            {t('markets.yours.all')}
          </LinkButton>
        ) : undefined
      }
    >
      {data?.length === 0 ? (
        <Nothing>{t('markets.yours.noTrades')}</Nothing>
      ) : (
        <Box as="ul" listStyleType="none">
          {data?.slice(0, MOST).map((trade) => (
            <Line key={`${trade.mode} ${trade.id}`}>
              <Box {...SIDES} py="1.5" fontSize="13px" lineHeight="18px">
                <Flex justify="space-between" gap="3" css={{ fontVariantNumeric: 'tabular-nums' }}>
                  <Flex as="span" align="center" gap="1.5" fontWeight="580">
                    {t(`markets.yours.side.${trade.side}`)}
                    {trade.mode === 'paper' && <ModeBadge money="paper" />}
                  </Flex>
                  <Text as="span" textAlign="end" overflowWrap="anywhere">
                    {t('markets.yours.at', {
                      quantity: formatQuantity(trade.quantity),
                      price: formatPrice(trade.price, pair.pricePrecision),
                    })}
                  </Text>
                </Flex>
                <Second overflowWrap="anywhere">
                  <time dateTime={trade.at}>{moment(trade.at)}</time> · {trade.bot ?? t('overview.byHand')}
                </Second>
              </Box>
            </Line>
          ))}
        </Box>
      )}
    </TitledPanel>
  );
}
