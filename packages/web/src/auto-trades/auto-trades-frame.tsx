import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { Notice } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';

const TABS = [
  { to: '/auto-trade', key: 'bots' },
  { to: '/auto-trade/wallets', key: 'wallets' },
  { to: '/auto-trade/filters', key: 'filters' },
] as const;

/** Title, tabs, and what the screen shows; data that could not be renewed stays, with its age. */
export function AutoTradesFrame({
  title,
  lead,
  actions,
  query,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  query: { isStale: boolean; loadedAt: number | undefined };
  children: ReactNode;
}) {
  const { t, i18n } = useTranslation();
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <chakra.nav
        aria-label={t('autoTrades.sections')}
        display="flex"
        gap="1"
        mb="5"
        borderBottomWidth="1px"
        borderColor="border.subtle"
        overflowX="auto"
        css={{ scrollbarWidth: 'none' }}
      >
        {TABS.map(({ to, key }) => (
          <Box
            key={to}
            asChild
            px="3"
            py="2.5"
            mb="-1px"
            color="fg.muted"
            fontWeight="550"
            whiteSpace="nowrap"
            borderBottomWidth="2px"
            borderColor="transparent"
            _hover={{ color: 'fg' }}
            css={{ '&[aria-current=page]': { color: 'fg', borderColor: 'var(--chakra-colors-brand-solid)' } }}
          >
            <NavLink to={to} end>
              {t(`autoTrades.section.${key}`)}
            </NavLink>
          </Box>
        ))}
      </chakra.nav>
      {query.isStale && query.loadedAt !== undefined && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.stale', { time: new Date(query.loadedAt).toLocaleTimeString(i18n.language) })}</Notice>
        </Box>
      )}
      <Box filter={query.isStale ? 'grayscale(1)' : undefined}>{children}</Box>
    </>
  );
}
