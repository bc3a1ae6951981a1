import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton } from '../ui/controls.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { NotificationItem } from './notification-item.tsx';
import { useNotificationList, useReading } from './use-notifications.ts';

const NEWEST = 8;

/** The newest notifications under the bell. */
export default function NotificationsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const { data, hasFailed, problem, retry } = useNotificationList('newest', { page: 1 });
  const { read, readAll } = useReading();
  useEffect(() => panel.current?.focus(), []);
  return (
    <Flex
      ref={panel}
      role="dialog"
      aria-labelledby={id}
      tabIndex={-1}
      outline="none"
      direction="column"
      position={{ base: 'fixed', md: 'absolute' }}
      insetEnd={{ base: '8px', md: '0' }}
      insetStart={{ base: '8px', md: 'auto' }}
      top={{ base: '60px', md: 'calc(100% + 6px)' }}
      w={{ base: 'auto', md: '400px' }}
      maxH="min(560px, 78dvh)"
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border"
      borderRadius="panel"
      boxShadow="0 12px 32px rgb(0 0 0 / 35%)"
    >
      <Flex justify="space-between" align="center" gap="3" px="4" pt="3" pb="1">
        <Heading as="h2" id={id} textStyle="title">
          {t('notifications.title')}
        </Heading>
        {data && data.unread > 0 && (
          <Button size="xs" variant="ghost" color="brand.fg" onClick={() => void readAll()}>
            {t('notifications.readAll')}
          </Button>
        )}
      </Flex>
      <Box px="4" overflowY="auto" flex="1" minH="0" tabIndex={0} role="group" aria-labelledby={id}>
        {!data ? (
          hasFailed ? (
            <ErrorPanel problem={problem} onRetry={retry} />
          ) : (
            <Skeleton rows={4} height={44} />
          )
        ) : data.items.length === 0 ? (
          <Text color="fg.muted" py="4">
            {t('notifications.none')}
          </Text>
        ) : (
          <Flex as="ul" direction="column" listStyleType="none">
            {data.items.slice(0, NEWEST).map((item) => (
              <NotificationItem key={item.id} item={item} onRead={() => void read(item.id)} />
            ))}
          </Flex>
        )}
      </Box>
      <Flex gap="2" px="4" py="2.5" borderTopWidth="1px" borderColor="border.subtle" justify="space-between">
        <LinkButton to="/user/notifications" size="sm" variant="ghost" color="brand.fg" px="1" onClick={onClose}>
          {t('notifications.showAll')}
        </LinkButton>
        <LinkButton to="/user/notifications?tab=settings" size="sm" variant="ghost" color="fg.muted" px="1" onClick={onClose}>
          {t('notifications.settings')}
        </LinkButton>
      </Flex>
    </Flex>
  );
}
