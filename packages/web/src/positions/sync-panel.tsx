import { Box, Flex, Text } from '@chakra-ui/react';
import { shareOfHistory } from '@pilotfish/core/overview/first-days';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { formatDuration } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { TitledPanel } from '../ui/kit/titled-panel.tsx';
import { Button } from '../ui/primitives.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useStartSync, useSync } from './use-positions.ts';

/** How far the trade history has been read, and what of it could not be; the differences it leaves are the page's own. */
export function SyncPanel() {
  const { t } = useTranslation();
  const sync = useSync();
  const { data } = sync;
  const { start, starting } = useStartSync();
  return (
    <TitledPanel
      title={t('positions.sync.title')}
      count={data && <SyncMoment sync={data} />}
      actions={
        data &&
        data.state !== 'running' && (
          <>
            <Button size="chip" variant="outline" color="fg" disabled={starting} onClick={() => void start(false)}>
              <Icon name="refresh" size={14} />
              {t('positions.sync.newOnes')}
            </Button>
            {data.state !== 'never' && (
              <Button size="chip" variant="ghost" color="fg.muted" disabled={starting} onClick={() => void start(true)}>
                {t('positions.sync.all')}
              </Button>
            )}
          </>
        )
      }
      query={sync}
      rows={1}
      flush
    >
      {data && <SyncDetails sync={data} />}
    </TitledPanel>
  );
}

/** When it was read last, in the heading: most of the time that is all there is to say. */
function SyncMoment({ sync: { state, finishedAt, comparedAt } }: { sync: SyncStatus }) {
  const { t } = useTranslation();
  const moment = useMoment();
  if (state === 'running' || state === 'failed') return null;
  return (
    <span role="status">
      {state === 'never' || finishedAt === null
        ? t('positions.sync.never')
        : `${t('positions.sync.upToDate', { time: moment(finishedAt) })}${comparedAt === null ? ` · ${t('positions.sync.notCompared')}` : ''}`}
    </span>
  );
}

function SyncDetails({ sync }: { sync: SyncStatus }) {
  const { t } = useTranslation();
  const { state, unread = [], withoutTransfers } = sync;
  if (state !== 'running' && state !== 'failed' && unread.length === 0 && !withoutTransfers) return null;
  return (
    <Flex direction="column" gap="3" px={{ base: '3.5', md: '4' }} pb="3.5">
      {state === 'running' && <Progress sync={sync} />}
      {state === 'failed' && (
        <Notice tone="error" title={t('positions.sync.failed')}>
          <Text color="fg.muted">
            {sync.error ? t(`errors.${sync.error}.detail`, { defaultValue: t('errors.internal.detail') }) : ''} {t('positions.sync.kept')}
          </Text>
        </Notice>
      )}
      <Unread rows={unread} />
      {withoutTransfers && (
        <Text color="fg.muted" fontSize="13px">
          {t('positions.sync.withoutTransfers')}
        </Text>
      )}
    </Flex>
  );
}

function Progress({ sync }: { sync: SyncStatus }) {
  const { t, i18n } = useTranslation();
  return (
    <Box>
      <Flex justify="space-between" fontSize="13px" gap="3" wrap="wrap" mb="1.5">
        <Text>
          {t('positions.sync.running', { done: sync.done, total: sync.total })}
          {sync.symbol && (
            <Text as="span" color="fg.muted" lang="en" translate="no">
              {' · '}
              {sync.symbol}
            </Text>
          )}
        </Text>
        <Text color="fg.muted">
          {t('positions.sync.found', { count: sync.tradesFound })}
          {sync.etaSeconds !== null && ` · ${t('positions.sync.left', { time: formatDuration(sync.etaSeconds * 1000, i18n.language, 1) })}`}
        </Text>
      </Flex>
      <ProgressBar label={t('positions.sync.title')} share={shareOfHistory(sync)} />
    </Box>
  );
}

export const ProgressBar = ({ label, share }: { label: string; share: number | undefined }) => (
  <Box
    role="progressbar"
    aria-label={label}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={share}
    h="6px"
    bg="bg.raised"
    borderRadius="full"
    overflow="hidden"
  >
    <Box
      h="100%"
      bg="secondary.solid"
      transition="width 150ms"
      style={{ width: `${share ?? 100}%`, opacity: share === undefined ? 0.5 : 1 }}
    />
  </Box>
);

function Unread({ rows }: { rows: NonNullable<SyncStatus['unread']> }) {
  const { t } = useTranslation();
  if (rows.length === 0) return null;
  return (
    <Notice tone="warning" title={t('positions.sync.unread', { count: rows.length })}>
      <Text color="fg.muted">{t('positions.sync.unreadAgain')}</Text>
      <Flex as="ul" direction="column" listStyleType="none" fontSize="13px" lang="en" translate="no">
        {rows.map(({ list, row, field }) => (
          <Box as="li" key={`${list} ${row}`} wordBreak="break-word">
            {list} {row} ({field})
          </Box>
        ))}
      </Flex>
    </Notice>
  );
}
