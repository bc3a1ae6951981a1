import { Box, chakra, Flex, Text } from '@chakra-ui/react';
import type { Notification } from '@pilotfish/core/notifications/notifications-contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Icon } from '../ui/icons.tsx';
import { useMoment } from '../ui/use-moment.ts';

/** One notification: following it marks it as read, so does its button. */
export function NotificationItem({ item, onRead }: { item: Notification; onRead: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const isPath = item.link?.startsWith('/') && !item.link.startsWith('//');
  const title = (
    <Text as="span" fontWeight={item.read ? 500 : 650} overflowWrap="anywhere">
      {item.title}
    </Text>
  );
  return (
    <Flex as="li" gap="2.5" py="3" borderTopWidth="1px" borderColor="border.subtle" css={{ '&:first-of-type': { borderTopWidth: 0 } }}>
      <Box w="8px" h="8px" mt="7px" flexShrink="0" borderRadius="full" bg={item.read ? 'transparent' : 'brand.solid'} aria-hidden="true" />
      <Box minW="0" flex="1">
        {!item.read && <span className="visually-hidden">{t('notifications.unread')}: </span>}
        {isPath ? (
          <chakra.span _hover={{ textDecoration: 'underline' }}>
            <Link to={item.link!} onClick={() => !item.read && onRead()}>
              {title}
            </Link>
          </chakra.span>
        ) : (
          title
        )}
        {item.text.trim() !== '' && (
          <Text fontSize="13px" color="fg.muted" overflowWrap="anywhere">
            {item.text}
          </Text>
        )}
        <Text fontSize="12px" color="fg.muted">
          {t(`notifications.kinds.${item.kind}`)} · <time dateTime={item.at}>{moment(item.at)}</time>
        </Text>
        {item.undelivered.map(({ channel, reason, attempts }) => (
          <Flex key={channel} gap="1.5" fontSize="12px" color="danger.fg" align="flex-start">
            <Box pt="2px" flexShrink="0">
              <Icon name="warning" size={13} />
            </Box>
            {t('notifications.notDelivered', {
              channel: t(`notifications.channels.${channel}`),
              why: t(`notifications.failures.${reason}`, { defaultValue: reason }),
              count: attempts,
            })}
          </Flex>
        ))}
      </Box>
      {!item.read && (
        <chakra.button
          type="button"
          aria-label={t('notifications.markRead', { title: item.title })}
          title={t('notifications.markRead', { title: item.title })}
          onClick={onRead}
          color="fg.muted"
          w="8"
          h="8"
          display="grid"
          placeItems="center"
          borderRadius="control"
          cursor="pointer"
          _hover={{ bg: 'bg.raised', color: 'fg' }}
        >
          <Icon name="check" size={16} />
        </chakra.button>
      )}
    </Flex>
  );
}
