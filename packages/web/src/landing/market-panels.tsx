import { Box, chakra, Flex, Heading, Text } from '@chakra-ui/react';
import type { Mover } from '@pilotfish/core/landing/landing-contract';
import { formatPercent, formatQuantity } from '@pilotfish/core/money/format';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useQuery } from '../app/use-query.ts';
import { Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';

export const LANDING_INTERVALS = ['1h', '24h', '7d', '30d'] as const;
export type LandingInterval = (typeof LANDING_INTERVALS)[number];
const SHOWN = 7;

const CALLS = { gainers: 'getGainers', losers: 'getLosers', newListings: 'getNewListings' } as const;

export function MoversPanel({ kind, interval }: { kind: keyof typeof CALLS; interval: LandingInterval }) {
  const { t } = useTranslation();
  const { data, hasFailed, problem, retry } = useQuery<{ interval: LandingInterval }, Mover[]>(
    kind,
    (client, params, signal) => client[CALLS[kind]]({ query: params }, { signal, quiet: true }),
    { interval },
  );
  if (problem?.code === 'not-implemented') return null;
  return (
    <Panel minH="330px">
      <Heading as="h3" fontSize="16px" fontWeight="600" mb="3">
        {t(`landing.${kind}`)}
      </Heading>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={SHOWN} height={24} />
      ) : data.length === 0 ? (
        <Text color="fg.muted">{t('landing.nothing')}</Text>
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.slice(0, SHOWN).map((mover) => (
            <MoverRow key={mover.symbol} mover={mover} />
          ))}
        </Flex>
      )}
    </Panel>
  );
}

const MoverRow = ({ mover }: { mover: Mover }) => {
  const falling = mover.changePct.startsWith('-');
  return (
    <chakra.li borderTopWidth="1px" borderColor="border.subtle" _first={{ borderTopWidth: '0' }}>
      <Flex
        asChild
        justify="space-between"
        align="center"
        gap="3"
        py="2"
        mx="-2"
        px="2"
        borderRadius="control"
        _hover={{ bg: 'bg.raised' }}
      >
        <Link to={`/prices?pair=${mover.symbol}`}>
          <Text fontWeight="600" lang="en" translate="no" truncate>
            {mover.baseAsset}
          </Text>
          <Flex gap="4" align="center">
            <Text className="figure" color="fg.muted" fontSize="13px">
              {formatQuantity(mover.price)}
            </Text>
            <Flex
              className={`figure ${falling ? 'loss' : 'gain'}`}
              minW="84px"
              justify="flex-end"
              align="center"
              gap="1"
              fontWeight="600"
              fontSize="13px"
            >
              <Icon name={falling ? 'down' : 'up'} size={14} />
              {formatPercent(mover.changePct)}
            </Flex>
          </Flex>
        </Link>
      </Flex>
    </chakra.li>
  );
};

export function NewsPanel() {
  const { t, i18n } = useTranslation();
  const { data, hasFailed, problem, retry } = useQuery(
    'news',
    (client, _: null, signal) => client.getNews(undefined, { signal, quiet: true }),
    null,
  );
  if (problem?.code === 'not-implemented') return null;
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('landing.news')}
      </Heading>
      {hasFailed ? (
        <ErrorPanel problem={problem} onRetry={retry} />
      ) : !data ? (
        <Skeleton rows={4} height={22} />
      ) : !data.available || data.items.length === 0 ? (
        <Text color="fg.muted">{t(data.available ? 'landing.noNews' : 'landing.newsUnavailable')}</Text>
      ) : (
        <Flex as="ul" direction="column" gap="3" listStyleType="none">
          {data.items.slice(0, 8).map((item) => (
            <chakra.li key={item.link} minW="0">
              <chakra.a
                href={item.link}
                target="_blank"
                rel="noreferrer noopener"
                fontWeight="600"
                _hover={{ textDecoration: 'underline' }}
              >
                {item.title}
              </chakra.a>
              <Box color="fg.muted" fontSize="13px">
                {item.source} · {new Date(item.publishedAt).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' })}
              </Box>
            </chakra.li>
          ))}
        </Flex>
      )}
    </Panel>
  );
}
