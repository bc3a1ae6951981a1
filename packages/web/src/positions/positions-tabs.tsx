import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccount } from '../app/use-session.ts';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { SectionTabs } from '../ui/section-tabs.tsx';
import { EmptyState } from '../ui/state-panels.tsx';

const TABS = [
  { to: '/positions', key: 'overview' },
  { to: '/positions/open-positions', key: 'open' },
  { to: '/positions/closed-positions', key: 'closed' },
  { to: '/positions/orders', key: 'orders' },
  { to: '/positions/import', key: 'import' },
  { to: '/positions/migration', key: 'migration' },
] as const;

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
  const { t } = useTranslation();
  const account = useAccount();
  const isMissing = needsExchange && account !== undefined && account.exchanges.length === 0;
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <SectionTabs label={t('positions.sections')} tabs={TABS.map(({ to, key }) => ({ to, label: t(`positions.tab.${key}`) }))} />
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
