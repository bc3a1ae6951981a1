import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { Notice, Panel } from '../ui/controls.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useStepUp } from './step-up.tsx';

const LOOK_MS = 700;

/** Everything the account owns as one file: asked for, watched, fetched, forgotten after a day. */
export function ExportPanel() {
  const { t } = useTranslation();
  const moment = useMoment();
  const app = useApp();
  const deed = useDeed({ toasts: true });
  const { ask, dialog } = useStepUp();
  const { data, hasFailed, problem, retry } = useQuery(
    'account-export',
    (client, _: null, signal) => client.getAccountExport(undefined, { signal, quiet: true }),
    null,
  );
  const running = data?.state === 'running';
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => app.queries.invalidate('account-export'), LOOK_MS);
    return () => clearInterval(timer);
  }, [running, app]);
  const attempt = (work: Promise<unknown>) => said(deed(work, ['account-export', 'audit-log', 'limits']));
  const start = async () => {
    const headers = await ask('any', t('stepUp.why.export'));
    if (headers) attempt(app.client.startAccountExport(undefined, { headers, quiet: true }));
  };
  const save = async () => {
    const text = await app.client.downloadAccountExport(undefined, { quiet: true });
    const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'pilotfish-account.json' }).click();
    URL.revokeObjectURL(url);
  };
  const share = data && data.total > 0 ? Math.round((data.done / data.total) * 100) : 0;
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="1">
        {t('account.export.title')}
      </Heading>
      <Text color="fg.muted" mb="4">
        {t('account.export.lead')}
      </Text>
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={2} height={24} />
        )
      ) : (
        <Flex direction="column" gap="3" align="flex-start">
          {data.state === 'failed' && <Notice tone="error">{t('account.export.failed')}</Notice>}
          {running && (
            <Box w="100%" role="status">
              <Text fontSize="13px" color="fg.muted" mb="1.5">
                {t('account.export.running', { done: data.done, total: data.total, rows: data.rows.toLocaleString('en-US') })}
              </Text>
              <Box h="6px" bg="bg.raised" borderRadius="full" overflow="hidden">
                <Box h="100%" w={`${share}%`} bg="brand.solid" />
              </Box>
            </Box>
          )}
          {data.state === 'ready' && (
            <Text fontSize="13px" color="fg.muted">
              {t('account.export.ready', {
                size: Math.max(1, Math.round(data.bytes / 1024)).toLocaleString('en-US'),
                rows: data.rows.toLocaleString('en-US'),
                until: moment(data.expiresAt ?? ''),
              })}
            </Text>
          )}
          <Flex gap="2" wrap="wrap">
            {data.state === 'ready' && (
              <Button colorPalette="brand" onClick={() => attempt(save())}>
                <Icon name="down" size={16} />
                {t('account.export.save')}
              </Button>
            )}
            {!running && (
              <Button variant="outline" color="fg" onClick={() => void start()}>
                {t(data.state === 'ready' ? 'account.export.again' : 'account.export.start')}
              </Button>
            )}
            {(running || data.state === 'ready') && (
              <Button variant="ghost" color="fg" onClick={() => attempt(app.client.deleteAccountExport())}>
                {t(running ? 'ui.cancel' : 'account.export.remove')}
              </Button>
            )}
          </Flex>
        </Flex>
      )}
      {dialog}
    </Panel>
  );
}
