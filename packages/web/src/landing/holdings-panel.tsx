import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import { formatCurrency, formatPercent, formatQuantity, formatShare } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useQuery } from '../platform/use-query.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { toneOf } from '../ui/theme/tone.ts';
import type { LandingInterval } from './market-panels.tsx';
import { LandingPanel, RowsSkeleton, useRefresh } from './panel-parts.tsx';

const REFRESH_MS = 60_000;
const HOLDINGS_SHOWN = 10;
const HOLDINGS_EXPECTED = 5;
const HOLDING_ROW = 58;

/** Every coin of the account by value, the largest first. */
export function HoldingsPanel({ interval }: { interval: LandingInterval }) {
  const { t } = useTranslation();
  useRefresh(REFRESH_MS, 'holdings');
  const query = useQuery(
    'holdings',
    (client, params: { interval: LandingInterval }, signal) => client.getHoldings({ query: params }, { signal, quiet: true }),
    { interval },
  );
  const { data } = query;
  return (
    <LandingPanel
      title={t('landing.holdings')}
      level="h2"
      query={query}
      isEmpty={data?.length === 0}
      empty={t('landing.noHoldings')}
      skeleton={<RowsSkeleton rows={HOLDINGS_EXPECTED} height={HOLDING_ROW} />}
      minHeight={HOLDINGS_EXPECTED * HOLDING_ROW}
    >
      <Flex as="ul" direction="column" listStyleType="none">
        {data?.slice(0, HOLDINGS_SHOWN).map((holding) => (
          <chakra.li key={holding.asset} borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
            <Box
              asChild
              display="block"
              h={`${HOLDING_ROW - 1}px`}
              py="2"
              mx="-2"
              px="2"
              borderRadius="control"
              _hover={{ bg: 'bg.raised' }}
            >
              <Link to={`/prices?search=${holding.asset}`}>
                <Flex justify="space-between" gap="3" lineHeight="1.35">
                  <Text fontWeight="600" lang="en" translate="no">
                    <CoinIcon code={holding.asset} />
                    {holding.asset}
                  </Text>
                  <Text className="figure">{formatCurrency(holding.value, 'USDT')}</Text>
                </Flex>
                <Flex justify="space-between" gap="3" color="fg.muted" fontSize="12px" lineHeight="1.35">
                  <Text className="figure">{formatQuantity(holding.quantity)}</Text>
                  <Flex gap="3" className="figure">
                    <span>{formatShare(holding.sharePct, 1)}</span>
                    {holding.changePct !== null && <span className={toneOf(holding.changePct)}>{formatPercent(holding.changePct)}</span>}
                  </Flex>
                </Flex>
                <Box h="3px" mt="1" bg="bg.raised" borderRadius="full" overflow="hidden" aria-hidden="true">
                  <Box h="100%" bg="brand.solid" style={{ width: `${Math.min(100, Math.max(0, Number(holding.sharePct)))}%` }} />
                </Box>
              </Link>
            </Box>
          </chakra.li>
        ))}
      </Flex>
      {data && data.length > HOLDINGS_SHOWN && (
        <Text color="fg.muted" fontSize="13px" pt="2">
          {t('landing.moreHoldings', { count: data.length - HOLDINGS_SHOWN })}
        </Text>
      )}
    </LandingPanel>
  );
}
