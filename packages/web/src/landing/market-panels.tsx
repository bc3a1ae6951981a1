import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Mover } from '@pilotfish/core/landing/landing-contract';
import { formatPercent, formatQuantity } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useQuery } from '../app/use-query.ts';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { Icon } from '../ui/icons.tsx';
import { toneOf } from '../ui/tone.ts';
import { LandingPanel, RowsSkeleton, useRefresh } from './panel-parts.tsx';

export const LANDING_INTERVALS = ['1h', '24h', '7d', '30d'] as const;
export type LandingInterval = (typeof LANDING_INTERVALS)[number];
const SHOWN = 7;
const ROW = 46;
const REFRESH_MS = 30_000;
const NEWS_MS = 10 * 60_000;

const CALLS = { gainers: 'getGainers', losers: 'getLosers', newListings: 'getNewListings' } as const;
type MoverKind = keyof typeof CALLS;
type Row = Mover & { firstSeenAt?: string };

export function MoversPanel({ kind, interval }: { kind: MoverKind; interval: LandingInterval }) {
  const { t } = useTranslation();
  const query = useQuery<{ interval: LandingInterval }, Row[]>(
    kind,
    (client, params, signal) => client[CALLS[kind]]({ query: params }, { signal, quiet: true }),
    { interval },
  );
  useRefresh(REFRESH_MS, kind);
  return (
    <LandingPanel
      title={t(`landing.${kind}`)}
      query={query}
      isEmpty={query.data?.length === 0}
      empty={t(kind === 'newListings' ? 'landing.noListings' : 'landing.nothing')}
      skeleton={<RowsSkeleton rows={SHOWN} height={ROW} />}
      minHeight={SHOWN * ROW}
    >
      <Flex as="ul" direction="column" listStyleType="none">
        {query.data?.slice(0, SHOWN).map((mover) => (
          <MoverRow key={mover.symbol} mover={mover} />
        ))}
      </Flex>
    </LandingPanel>
  );
}

const MoverRow = ({ mover }: { mover: Row }) => {
  const { i18n } = useTranslation();
  const tone = toneOf(mover.changePct);
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
      <Flex asChild align="center" gap="3" h={`${ROW - 1}px`} mx="-2" px="2" borderRadius="control" _hover={{ bg: 'bg.raised' }}>
        <Link to={`/prices?pair=${mover.symbol}`}>
          <Box flex="1" minW="0" lineHeight="1.3">
            <Text fontWeight="600" lang="en" translate="no" truncate>
              {mover.baseAsset}
            </Text>
            <Text className="figure" textAlign="start" color="fg.muted" fontSize="12px" truncate>
              {formatQuantity(mover.price)}
              {mover.firstSeenAt && ` · ${new Date(mover.firstSeenAt).toLocaleDateString(i18n.language, { dateStyle: 'medium' })}`}
            </Text>
          </Box>
          <Sparkline values={mover.sparkline} tone={tone === '' ? 'muted' : tone} />
          <Flex className={`figure ${tone}`} minW="80px" justify="flex-end" align="center" gap="1" fontWeight="600" fontSize="13px">
            {tone !== '' && <Icon name={tone === 'loss' ? 'down' : 'up'} size={14} />}
            {formatPercent(mover.changePct)}
          </Flex>
        </Link>
      </Flex>
    </chakra.li>
  );
};

const NEWS_SHOWN = 8;
const NEWS_ROW = 52;

export function NewsPanel() {
  const { t, i18n } = useTranslation();
  const query = useQuery('news', (client, _: null, signal) => client.getNews(undefined, { signal, quiet: true }), null);
  useRefresh(NEWS_MS, 'news');
  const { data } = query;
  return (
    <LandingPanel
      title={t('landing.news')}
      level="h2"
      query={query}
      isEmpty={data !== undefined && (!data.available || data.items.length === 0)}
      empty={t(data?.available ? 'landing.noNews' : 'landing.newsUnavailable')}
      skeleton={<RowsSkeleton rows={2} height={NEWS_ROW} />}
      minHeight={2 * NEWS_ROW}
    >
      <Flex as="ul" direction="column" listStyleType="none">
        {data?.items.slice(0, NEWS_SHOWN).map((item) => (
          <chakra.li
            key={item.link}
            minW="0"
            minH={`${NEWS_ROW}px`}
            py="1.5"
            borderTopWidth="1px"
            borderColor="border.subtle"
            _first={{ borderTopWidth: '0' }}
          >
            <chakra.a href={item.link} target="_blank" rel="noreferrer noopener" fontWeight="600" _hover={{ textDecoration: 'underline' }}>
              {item.title}
            </chakra.a>
            <Box color="fg.muted" fontSize="13px">
              {item.source} · {new Date(item.publishedAt).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}
            </Box>
          </chakra.li>
        ))}
      </Flex>
    </LandingPanel>
  );
}
