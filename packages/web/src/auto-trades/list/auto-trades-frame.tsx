import { Box } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NotPermitted } from '../../app/use-trading.tsx';
import { Notice } from '../../ui/controls.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SectionTabs } from '../../ui/section-tabs.tsx';
import { useMoment } from '../../ui/use-moment.ts';

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
  const { t } = useTranslation();
  const moment = useMoment();
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <SectionTabs label={t('autoTrades.sections')} tabs={TABS.map(({ to, key }) => ({ to, label: t(`autoTrades.section.${key}`) }))} />
      <NotPermitted permission="bots" />
      {query.isStale && query.loadedAt !== undefined && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.stale', { time: moment(query.loadedAt, 'second') })}</Notice>
        </Box>
      )}
      <Box filter={query.isStale ? 'grayscale(1)' : undefined}>{children}</Box>
    </>
  );
}
