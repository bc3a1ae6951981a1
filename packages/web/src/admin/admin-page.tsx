import { Box, Grid, Heading, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useQuery } from '../platform/use-query.ts';
import { Panel } from '../ui/controls.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { ManagementFrame } from './management-frame.tsx';

const LOOK_MS = 5000;
const whole = (value: number) => value.toLocaleString('en-US');

/** How the instance is doing, then what happened on it. */
export default function AdminPage() {
  const { t } = useTranslation();
  const app = useApp();
  const { data, hasFailed, problem, retry } = useQuery(
    'admin-stats',
    (client, _: null, signal) => client.getAdminStats(undefined, { signal, quiet: true }),
    null,
  );
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && app.queries.invalidate('admin-stats'), LOOK_MS);
    return () => clearInterval(timer);
  }, [app]);
  const list = (counts: Record<string, number>, word: (key: string) => string) => {
    const entries = Object.entries(counts);
    return entries.length === 0 ? '0' : entries.map(([key, count]) => `${word(key)} ${whole(count)}`).join(' · ');
  };
  return (
    <ManagementFrame title={t('routes.admin')} lead={t('management.lead')}>
      {!data ? (
        hasFailed ? (
          <Panel mb="5">
            <ErrorPanel problem={problem} onRetry={retry} />
          </Panel>
        ) : (
          <Skeleton rows={4} height={72} />
        )
      ) : (
        <Grid as="dl" templateColumns={{ base: '1fr 1fr', md: 'repeat(3, 1fr)', xl: 'repeat(5, 1fr)' }} gap="3" mb="5">
          {(
            [
              ['users', whole(data.users)],
              ['activeSessions', whole(data.activeSessions)],
              ['ordersLastHour', whole(data.ordersLastHour)],
              ['alertsFired24h', whole(data.alertsFired24h)],
              ['streamLag', data.streamLagMs === null ? t('management.stats.down') : `${whole(data.streamLagMs)} ms`],
              ['weight', data.exchangeWeightUsed === null ? '–' : whole(data.exchangeWeightUsed)],
              ['database', `${(data.databaseBytes / 1_048_576).toFixed(1)} MB`],
              ['bots', list(data.botsByState, (state) => t(`botStates.${state}`, { defaultValue: state }))],
              ['queues', list(data.queueDepths, (queue) => t(`management.queue.${queue}`, { defaultValue: queue }))],
            ] as const
          ).map(([key, value]) => (
            <Box key={key} bg="bg.panel" borderWidth="1px" borderColor="border.subtle" borderRadius="panel" p="4" minW="0">
              <Text as="dt" color="fg.muted" fontSize="13px">
                {t(`management.stats.${key}`)}
              </Text>
              <Text
                as="dd"
                fontWeight="650"
                fontSize={value.length > 12 ? '14px' : '20px'}
                className="figure"
                textAlign="start"
                whiteSpace="normal"
                overflowWrap="anywhere"
              >
                {value}
              </Text>
            </Box>
          ))}
        </Grid>
      )}
      <Panel>
        <Heading as="h2" textStyle="title" mb="3">
          {t('management.audit.title')}
        </Heading>
        <AuditPanel />
      </Panel>
    </ManagementFrame>
  );
}
