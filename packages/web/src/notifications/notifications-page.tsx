import { Box, Flex, Text } from '@chakra-ui/react';
import type { NotificationKind } from '@pilotfish/core/notifications/notification-kinds';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { Notice, Panel, Segments } from '../ui/controls.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Pager } from '../ui/pager.tsx';
import { Button } from '../ui/primitives.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { SwitchField } from '../ui/switch-field.tsx';
import { NotificationItem } from './notification-item.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { PAGE_SIZE, TOLD_KINDS, useNotificationList, useReading } from './use-notifications.ts';

/** Everything that was told, and what is told where. */
export default function NotificationsPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const isSettings = query.get('tab') === 'settings';
  const set = (changes: Record<string, string | undefined>) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes))
          if (value === undefined) next.delete(name);
          else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <>
      <PageHeader title={t('routes.notifications')} lead={t('notifications.lead')} />
      <Box mb="5">
        <Segments
          label={t('notifications.views')}
          size="sm"
          value={isSettings ? 'settings' : 'list'}
          options={[
            { value: 'list', label: t('notifications.title') },
            { value: 'settings', label: t('notifications.settings') },
          ]}
          onChange={(tab) => set({ tab: tab === 'settings' ? tab : undefined })}
        />
      </Box>
      {isSettings ? <NotificationSettings /> : <List query={query} set={set} />}
    </>
  );
}

function List({ query, set }: { query: URLSearchParams; set: (changes: Record<string, string | undefined>) => void }) {
  const { t } = useTranslation();
  const kind = TOLD_KINDS.find((each) => each === query.get('kind'));
  const onlyUnread = query.get('unread') === 'true';
  const page = Math.max(1, Math.floor(Number(query.get('page') ?? '1')) || 1);
  const { data, hasFailed, problem, retry, isStale } = useNotificationList('list', {
    page,
    ...(onlyUnread ? { unread: 'true' as const } : {}),
    ...(kind ? { kind } : {}),
  });
  const { read, readAll } = useReading();
  return (
    <Panel>
      <Flex gap="5" wrap="wrap" align="flex-end" mb="3">
        <Box w={{ base: '100%', sm: '260px' }}>
          <SelectField
            label={t('notifications.kind')}
            value={kind ?? ''}
            options={[
              { value: '', label: t('notifications.allKinds') },
              ...TOLD_KINDS.map((each: NotificationKind) => ({ value: each, label: t(`notifications.kinds.${each}`) })),
            ]}
            onChange={(next) => set({ kind: next === '' ? undefined : next, page: undefined })}
          />
        </Box>
        <Flex align="center" minH={{ md: '10' }}>
          <SwitchField
            label={t('notifications.onlyUnread')}
            checked={onlyUnread}
            onChange={(on) => set({ unread: on ? 'true' : undefined, page: undefined })}
          />
        </Flex>
        <Box flex="1" />
        {data && data.unread > 0 && (
          <Button size="sm" variant="outline" color="fg" onClick={() => void readAll()}>
            {t('notifications.readAll')} ({data.unread})
          </Button>
        )}
      </Flex>
      {isStale && <Notice tone="warning">{t('alerts.page.stale')}</Notice>}
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={6} height={44} />
        )
      ) : data.total === 0 ? (
        <EmptyState icon="alerts" title={t('notifications.none')}>
          <Text>{t('notifications.noneLead')}</Text>
        </EmptyState>
      ) : (
        <>
          <Flex as="ul" direction="column" listStyleType="none">
            {data.items.map((item) => (
              <NotificationItem key={item.id} item={item} onRead={() => void read(item.id)} />
            ))}
          </Flex>
          <Pager
            page={page}
            pages={Math.max(1, Math.ceil(data.total / PAGE_SIZE))}
            onPage={(next) => set({ page: next === 1 ? undefined : String(next) })}
          />
        </>
      )}
    </Panel>
  );
}
