import { Box, Flex, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import * as z from 'zod';
import { flagField, pageField, useAddress } from '../platform/use-address.ts';
import { Notice, Panel, Segments } from '../ui/controls.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { EmptyState, ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { Pager } from '../ui/tables/pager.tsx';
import { NotificationItem } from './notification-item.tsx';
import { NotificationSettings } from './notification-settings.tsx';
import { PAGE_SIZE, TOLD_KINDS, useNotificationList, useReading } from './use-notifications.ts';

const VIEW = { tab: z.enum(['list', 'settings']).default('list') };
const LISTED = { kind: z.enum(TOLD_KINDS).optional(), unread: flagField, page: pageField };

/** Everything that was told, and what is told where. */
export default function NotificationsPage() {
  const { t } = useTranslation();
  const [{ tab }, change] = useAddress(VIEW);
  return (
    <>
      <PageHeader title={t('routes.notifications')} lead={t('notifications.lead')} />
      <Box mb="5">
        <Segments
          label={t('notifications.views')}
          size="sm"
          value={tab}
          options={[
            { value: 'list', label: t('notifications.title') },
            { value: 'settings', label: t('notifications.settings') },
          ]}
          onChange={(next) => change({ tab: next })}
        />
      </Box>
      {tab === 'settings' ? <NotificationSettings /> : <List />}
    </>
  );
}

function List() {
  const { t } = useTranslation();
  const [{ kind, unread, page }, change] = useAddress(LISTED);
  const { data, hasFailed, problem, retry, isStale } = useNotificationList('list', {
    page,
    ...(unread ? { unread: 'true' as const } : {}),
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
              ...TOLD_KINDS.map((each) => ({ value: each, label: t(`notifications.kinds.${each}`) })),
            ]}
            onChange={(next) => change({ kind: next || undefined })}
          />
        </Box>
        <Flex align="center" minH={{ md: '10' }}>
          <SwitchField label={t('notifications.onlyUnread')} checked={unread} onChange={(on) => change({ unread: on })} />
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
          <Pager page={page} pages={Math.max(1, Math.ceil(data.total / PAGE_SIZE))} onPage={(next) => change({ page: next })} />
        </>
      )}
    </Panel>
  );
}
