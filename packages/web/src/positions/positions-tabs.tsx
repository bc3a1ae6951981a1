import { Box, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { useAccount } from '../app/use-session.ts';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { EmptyState } from '../ui/state-panels.tsx';

const TABS = [
  { to: '/positions', key: 'overview' },
  { to: '/positions/open-positions', key: 'open' },
  { to: '/positions/closed-positions', key: 'closed' },
  { to: '/positions/orders', key: 'orders' },
  { to: '/positions/import', key: 'import' },
  { to: '/positions/migration', key: 'migration' },
] as const;

/** The screens of one's positions; each has an address of its own. */
export function PositionsTabs() {
  const { t } = useTranslation();
  return (
    <chakra.nav
      aria-label={t('positions.sections')}
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
            {t(`positions.tab.${key}`)}
          </NavLink>
        </Box>
      ))}
    </chakra.nav>
  );
}

/** Title, tabs, and what the screen shows; who has no exchange connected is told what to do first. */
export function PositionsFrame({
  title,
  lead,
  actions,
  needsExchange = true,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  needsExchange?: boolean;
  children: ReactNode;
}) {
  const account = useAccount();
  const isMissing = needsExchange && account !== undefined && account.exchanges.length === 0;
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <PositionsTabs />
      {isMissing && <ConnectFirst />}
      {children}
    </>
  );
}

/** What makes sense only with an exchange: without one, connecting is the first thing to do and stands there already. */
export function WhenConnected({ children }: { children: ReactNode }) {
  const account = useAccount();
  return account === undefined || account.exchanges.length > 0 ? children : null;
}

/** Files can be imported without a connected exchange, so this stands beside what is known, not in its place. */
function ConnectFirst() {
  const { t } = useTranslation();
  return (
    <Panel mb="5">
      <EmptyState
        icon="key"
        title={t('positions.connectTitle')}
        action={
          <>
            <LinkButton to="/user/exchange-connect" colorPalette="brand">
              {t('features.connectExchange')}
            </LinkButton>
            <LinkButton to="/positions/import" variant="ghost" color="brand.fg" size="sm">
              {t('positions.importFile')}
            </LinkButton>
          </>
        }
      >
        {t('positions.connectLead')}
      </EmptyState>
    </Panel>
  );
}
