import { Box, chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useQuery } from '../platform/use-query.ts';
import type { MoverRow } from './mover-rows.tsx';
import { LandingPanel, RowsSkeleton, useRefresh } from './panel-parts.tsx';

export const LANDING_INTERVALS = ['1h', '24h', '7d', '30d'] as const;
export type LandingInterval = (typeof LANDING_INTERVALS)[number];
const SHOWN = 7;
const ROW = 46;
const REFRESH_MS = 30_000;
const NEWS_MS = 10 * 60_000;

const CALLS = { gainers: 'getGainers', losers: 'getLosers', newListings: 'getNewListings' } as const;
type MoverKind = keyof typeof CALLS;

/** How rows are drawn arrives with the first of them: figures and curves are no part of the page made ahead. */
let Rows: typeof import('./mover-rows.tsx').default | undefined;

export function MoversPanel({ kind, interval }: { kind: MoverKind; interval: LandingInterval }) {
  const { t } = useTranslation();
  const query = useQuery<{ interval: LandingInterval }, MoverRow[]>(
    kind,
    async (client, params, signal) => {
      const [rows, code] = await Promise.all([client[CALLS[kind]]({ query: params }, { signal, quiet: true }), import('./mover-rows.tsx')]);
      Rows = code.default;
      return rows;
    },
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
      {query.data && Rows && <Rows rows={query.data.slice(0, SHOWN)} height={ROW} />}
    </LandingPanel>
  );
}

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
