import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NotPermitted } from '../../platform/use-trading.tsx';
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
  beside,
  query,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  /** At the end of the line of tabs. */
  beside?: ReactNode;
  query: { isStale: boolean; loadedAt: number | undefined };
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const moment = useMoment();
  return (
    <>
      <PageHeader title={title} lead={lead} actions={actions} />
      <Flex position="relative" direction="column" css={{ '& > nav': { mb: '3' } }}>
        <SectionTabs label={t('autoTrades.sections')} tabs={TABS.map(({ to, key }) => ({ to, label: t(`autoTrades.section.${key}`) }))} />
        {beside && (
          <Box position="absolute" insetEnd="0" top="0.5" bg="bg">
            {beside}
          </Box>
        )}
      </Flex>
      <NotPermitted permission="bots" />
      {query.isStale && query.loadedAt !== undefined && (
        <Box mb="4">
          <Notice tone="warning">{t('autoTrades.stale', { time: moment(query.loadedAt, 'second') })}</Notice>
        </Box>
      )}
      <Box className={query.isStale ? 'stale' : undefined}>{children}</Box>
    </>
  );
}
