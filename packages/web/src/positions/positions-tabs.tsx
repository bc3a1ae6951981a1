import { Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useAccount } from '../platform/use-session.ts';
import { LinkButton, Panel, SegmentLinks } from '../ui/controls.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { EmptyState } from '../ui/state-panels.tsx';
import { useSync } from './use-positions.ts';

/** One page answers the first three addresses. */
const WORKSPACE = ['/positions', '/positions/open-positions', '/positions/closed-positions'];
const TABS = [
  { key: 'positions', to: '/positions' },
  // Without their number: Binance counts 80 of 6,000 a minute for the question, too much for each look at another tab.
  { key: 'orders', to: '/positions/orders' },
  { key: 'import', to: '/positions/import' },
  { key: 'migration', to: '/positions/migration' },
] as const;

/**
 * The bar of the section and what the page shows; without a connected exchange it says what to do first.
 * @param note a muted sentence beside the tabs; phones have no room for it
 */
export function PositionsFrame({
  title,
  note,
  actions,
  needsExchange = true,
  children,
}: {
  title: string;
  note?: ReactNode;
  actions?: ReactNode;
  needsExchange?: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const account = useAccount();
  const unexplained = useSync().data?.differences.length;
  const isMissing = needsExchange && account !== undefined && account.exchanges.length === 0;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <Flex align="center" columnGap="4" rowGap="2" wrap={{ base: 'wrap', lg: 'nowrap' }} mb={{ base: '2.5', md: '3' }}>
        <SegmentLinks
          label={t('positions.sections')}
          links={TABS.map(({ key, to }) => ({
            to,
            label: t(`positions.tab.${key}`),
            current: to === '/positions' ? WORKSPACE.includes(pathname) : pathname === to,
            urgent: key === 'migration' ? unexplained : undefined,
          }))}
        />
        {note && (
          // Below the bar where there is little room beside it; its line is kept free until it is known.
          <Text
            hideBelow="md"
            order={{ md: 1, lg: 0 }}
            flex={{ md: '1 0 100%', lg: '1' }}
            minW="0"
            minH="20px"
            fontSize="13px"
            color="fg.muted"
            textWrap="pretty"
          >
            {note}
          </Text>
        )}
        {actions && (
          <Flex gap="2" align="center" flexShrink="0" ms="auto">
            {actions}
          </Flex>
        )}
      </Flex>
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
    <Panel mb="3">
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
