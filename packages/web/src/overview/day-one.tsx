import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';

type Step = { readonly key: 'account' | 'connect' | 'bot'; readonly done: boolean };

/** The three steps to a first bot, in place of figures that do not exist yet. */
export function DayOne({ isConnected, isPractice }: { isConnected: boolean; isPractice: boolean }) {
  const { t } = useTranslation();
  const steps: readonly Step[] = [
    { key: 'account', done: true },
    { key: 'connect', done: isConnected },
    { key: 'bot', done: false },
  ];
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('overview.dayOne.title')}
      </Heading>
      <Flex as="ol" direction="column" gap="2.5" listStyleType="none" mb="5">
        {steps.map(({ key, done }, index) => (
          <Flex as="li" key={key} gap="3" align="center">
            <Flex
              w="6"
              h="6"
              flexShrink="0"
              align="center"
              justify="center"
              borderRadius="full"
              bg={done ? 'brand.muted' : 'bg.raised'}
              color={done ? 'brand.fg' : 'fg.muted'}
              fontSize="12px"
              fontWeight="650"
            >
              {done ? <Icon name="check" size={14} /> : index + 1}
            </Flex>
            <Text color={done ? 'fg.muted' : 'fg'}>
              {t(`overview.dayOne.${key}`)}
              {done && <span className="visually-hidden"> {t('overview.dayOne.done')}</span>}
            </Text>
          </Flex>
        ))}
      </Flex>
      <Flex gap="2" wrap="wrap">
        {!isConnected && (
          <LinkButton to="/user/exchange-connect" colorPalette="brand">
            {t('features.connectExchange')}
          </LinkButton>
        )}
        <LinkButton
          to="/auto-trade/create"
          colorPalette="brand"
          variant={isConnected ? 'solid' : 'outline'}
          color={isConnected ? undefined : 'fg'}
        >
          {t('autoTrades.createFirst')}
        </LinkButton>
      </Flex>
      {!isConnected && (
        <Box mt="3" color="fg.muted" fontSize="13px">
          {t(isPractice ? 'overview.dayOne.practice' : 'overview.dayOne.paper')}
        </Box>
      )}
    </Panel>
  );
}
