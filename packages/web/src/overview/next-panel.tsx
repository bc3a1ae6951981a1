import { Box, Flex, Text } from '@chakra-ui/react';
import { formatPrice } from '@pilotfish/core/money/format';
import type { NextEvent } from '@pilotfish/core/overview/overview-contract';
import { nextText } from '@pilotfish/core/overview/overview-words';
import { formatSpan } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useApp } from '../platform/app-context.tsx';
import { usePairs } from '../prices/use-prices.ts';
import { CoinIcon } from '../ui/coin-icon.tsx';
import { Icon } from '../ui/icons.tsx';
import { Distance } from '../ui/kit/price.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Second } from '../ui/tables/table-cells.tsx';
import { useMoment } from '../ui/use-moment.ts';
import type { useNextEvents } from './use-overview.ts';

/** What bots and alerts do next: nearest price first, then by time. */
export function NextPanel({ next }: { next: ReturnType<typeof useNextEvents> }) {
  const { t } = useTranslation();
  const { data } = next;
  const pairs = usePairs();
  return (
    <TitledPanel
      title={t('overview.nextTitle')}
      count={t('overview.nearestFirst')}
      query={next}
      rows={6}
      flush
      empty={data?.items.length === 0 ? <Text color="fg.muted">{t('overview.nothingNext')}</Text> : undefined}
    >
      <Box as="ul" listStyleType="none">
        {data?.items.map((event) => {
          const pair = event.symbol === null ? undefined : pairs?.get(event.symbol);
          return <Row key={event.id} event={event} asset={pair?.baseAsset ?? event.symbol} places={pair?.pricePrecision} />;
        })}
      </Box>
    </TitledPanel>
  );
}

function Row({ event, asset, places }: { event: NextEvent; asset: string | null; places: number | undefined }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const { now } = useApp().browser;
  const to = event.autoTradeId === null ? '/price-alerts' : `/auto-trade/detail/${event.autoTradeId}`;
  const owner = event.botName ?? t('overview.alert');
  return (
    <Box as="li" borderTopWidth="1px" borderColor="border.subtle">
      <Flex asChild align="center" gap="2.5" minH="46px" px="4" py="1.5" _hover={{ bg: 'bg.raised' }}>
        <Link to={to} title={`${t(nextText(event))} · ${owner}`}>
          <Box flexShrink="0" w="22px" color="fg.subtle" fontSize="16px">
            {asset === null ? <Icon name="refresh" size={18} /> : <CoinIcon code={asset} />}
          </Box>
          <Box flex="1" minW="0" lineHeight="16px">
            <Text fontWeight="550" truncate>
              {t(nextText(event))}
            </Text>
            <Second overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
              {asset === null ? owner : `${asset} · ${owner}`}
            </Second>
          </Box>
          <Box textAlign="end" lineHeight="16px" whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
            {event.price !== null ? formatPrice(event.price, places) : event.at !== null && moment(event.at, 'brief')}
            <Second>
              {event.distancePct !== null ? (
                <Distance value={event.distancePct} reason="" />
              ) : (
                event.at !== null && t('overview.in', { span: formatSpan(Date.parse(event.at) - now(), i18n.language) })
              )}
            </Second>
          </Box>
        </Link>
      </Flex>
    </Box>
  );
}
