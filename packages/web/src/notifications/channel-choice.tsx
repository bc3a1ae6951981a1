import { chakra, Flex, Text } from '@chakra-ui/react';
import { OUTER_CHANNELS, type OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { TextLink } from '../ui/controls.tsx';
import { SET_UP, useNotificationSettings } from './use-notifications.ts';

/** Where something is told besides the list in the apps, with what does not work yet and why. */
export function ChannelChoice({ chosen, onChange }: { chosen: readonly string[]; onChange: (channels: OuterChannel[]) => void }) {
  const { t } = useTranslation();
  const { data } = useNotificationSettings();
  const id = useId();
  return (
    <Flex direction="column" gap="2">
      <Text fontSize="13px" color="fg.muted">
        {t('notifications.alwaysInApps')}
      </Text>
      <Flex as="ul" listStyleType="none" gap="4" rowGap="2" wrap="wrap">
        {OUTER_CHANNELS.map((channel) => {
          const state = data?.channels.find((each) => each.channel === channel);
          const on = chosen.includes(channel);
          const why = state?.reason ? `${id}-${channel}` : undefined;
          return (
            <Flex as="li" key={channel} gap="2" align="flex-start" minW="150px" maxW="230px">
              <chakra.input
                id={`${id}-${channel}-box`}
                type="checkbox"
                checked={on}
                aria-describedby={why}
                onChange={() => onChange(OUTER_CHANNELS.filter((each) => (each === channel ? !on : chosen.includes(each))))}
                w="18px"
                h="18px"
                mt="2px"
                flexShrink="0"
                accentColor="var(--chakra-colors-brand-solid)"
              />
              <div>
                <chakra.label htmlFor={`${id}-${channel}-box`} textStyle="label" cursor="pointer">
                  {t(`notifications.channels.${channel}`)}
                </chakra.label>
                {state?.reason && (
                  <Text id={why} fontSize="12px" color="fg.muted">
                    {t(`notifications.channelReasons.${state.reason}`)}{' '}
                    {state.reason !== 'not-configured' && <TextLink to={SET_UP[channel]}>{t('notifications.setUp')}</TextLink>}
                  </Text>
                )}
              </div>
            </Flex>
          );
        })}
      </Flex>
    </Flex>
  );
}
