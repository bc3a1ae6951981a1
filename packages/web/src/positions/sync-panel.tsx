import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { isLess } from '@pilotfish/core/money/figure';
import { formatChange, formatQuantity } from '@pilotfish/core/money/format';
import type { SyncStatus } from '@pilotfish/core/positions/positions-contract';
import { formatDuration } from '@pilotfish/core/time/duration';
import { useTranslation } from 'react-i18next';
import { Notice, Panel, TextLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { useMoment } from '../ui/use-moment.ts';
import { useStartSync, useSync } from './use-positions.ts';

/** How far the trade history has been read, and what of the balances it does not explain. */
export function SyncPanel() {
  const { t } = useTranslation();
  const sync = useSync();
  const { start, starting } = useStartSync();
  return (
    <Panel>
      <Flex justify="space-between" align="flex-start" gap="3" wrap="wrap" mb="3">
        <Heading as="h2" textStyle="title">
          {t('positions.sync.title')}
        </Heading>
        {sync.data && sync.data.state !== 'running' && (
          <Flex gap="2" wrap="wrap">
            <Button size="xs" variant="outline" color="fg" disabled={starting} onClick={() => void start(false)}>
              <Icon name="refresh" size={14} />
              {t('positions.sync.newOnes')}
            </Button>
            {sync.data.state !== 'never' && (
              <Button size="xs" variant="ghost" color="fg.muted" disabled={starting} onClick={() => void start(true)}>
                {t('positions.sync.all')}
              </Button>
            )}
          </Flex>
        )}
      </Flex>
      {sync.hasFailed ? (
        sync.problem?.code === 'not-connected' ? (
          <Text color="fg.muted">{t('positions.sync.notConnected')}</Text>
        ) : (
          <ErrorPanel problem={sync.problem} onRetry={sync.retry} />
        )
      ) : !sync.data ? (
        <Skeleton rows={2} />
      ) : (
        <Flex direction="column" gap="4">
          <SyncState sync={sync.data} />
          <Differences sync={sync.data} />
          <Unread rows={sync.data.unread ?? []} />
          {sync.data.withoutTransfers && (
            <Text color="fg.muted" fontSize="13px">
              {t('positions.sync.withoutTransfers')}
            </Text>
          )}
        </Flex>
      )}
    </Panel>
  );
}

function SyncState({ sync }: { sync: SyncStatus }) {
  const { t, i18n } = useTranslation();
  const moment = useMoment();
  const finished = sync.finishedAt ? moment(sync.finishedAt) : undefined;
  if (sync.state === 'running') {
    const share = sync.total > 0 ? Math.round((sync.done / sync.total) * 100) : 0;
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
            {sync.etaSeconds !== null &&
              ` · ${t('positions.sync.left', { time: formatDuration(sync.etaSeconds * 1000, i18n.language, 1) })}`}
          </Text>
        </Flex>
        <ProgressBar label={t('positions.sync.title')} share={share} />
      </Box>
    );
  }
  if (sync.state === 'failed')
    return (
      <Notice tone="error" title={t('positions.sync.failed')}>
        <Text color="fg.muted">
          {sync.error ? t(`errors.${sync.error}.detail`, { defaultValue: t('errors.internal.detail') }) : ''} {t('positions.sync.kept')}
        </Text>
      </Notice>
    );
  return (
    <Text color="fg.muted" role="status">
      {sync.state === 'never' || finished === undefined ? t('positions.sync.never') : t('positions.sync.upToDate', { time: finished })}
    </Text>
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

function Differences({ sync: { differences, state, comparedAt } }: { sync: SyncStatus }) {
  const { t } = useTranslation();
  if (comparedAt === null && state === 'idle')
    return (
      <Text color="fg.muted" fontSize="13px">
        {t('positions.sync.notCompared')}
      </Text>
    );
  if (differences.length === 0)
    return state === 'idle' ? (
      <Flex gap="2" color="fg.muted" fontSize="13px" align="center">
        <Box color="brand.fg">
          <Icon name="check" size={16} />
        </Box>
        {t('positions.sync.explained')}
      </Flex>
    ) : null;
  return (
    <Box>
      <Text fontWeight="600" mb="1">
        {t('positions.sync.differences', { count: differences.length })}
      </Text>
      <Flex as="ul" direction="column" listStyleType="none">
        {differences.map(({ asset, balance, known, difference, reasons }) => (
          <Box as="li" key={asset} py="2.5" borderTopWidth="1px" borderColor="border.subtle" fontSize="13px">
            <Flex justify="space-between" gap="3" wrap="wrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
              <Text fontWeight="600" lang="en" translate="no">
                {asset}
              </Text>
              <Text color="fg.muted">
                {t('positions.sync.difference', {
                  balance: formatQuantity(balance),
                  known: formatQuantity(known),
                })}{' '}
                <Text as="b" color="fg" fontWeight="600">
                  {formatChange(difference)}
                </Text>
              </Text>
            </Flex>
            {reasons.map((reason) => (
              <Text key={reason} color="fg.muted">
                {reason}
              </Text>
            ))}
            <Flex gap="4" mt="1">
              <TextLink to={`/positions/migration?asset=${asset}`}>
                {t(isLess(difference) ? 'positions.fixMissing' : 'positions.fixCost')}
              </TextLink>
              <TextLink to="/positions/import">{t('positions.fixImport')}</TextLink>
            </Flex>
          </Box>
        ))}
      </Flex>
    </Box>
  );
}
