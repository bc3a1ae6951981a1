import { Flex, Heading, Text } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { DETOUR_KEY } from '../platform/app.ts';
import { useServices, useStore } from '../platform/app-context.tsx';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { MARKET_PATH, useOpenQuestion } from './use-market-choice.ts';

/**
 * The question of the first run, on an Admin's home until it is answered. Who has just signed in, and was not on the way
 * to another screen, is taken to it once.
 */
export default function MarketQuestion() {
  const { t } = useTranslation();
  const { app, preferences } = useServices();
  const isOpen = useOpenQuestion();
  // Set by a sign-in, and cleared when home is left: coming back from the question is no reason to ask again.
  const begins = useStore(preferences.onward);
  if (!isOpen) return null;
  if (begins === '/' && app.browser.tabStorage.get(DETOUR_KEY) === null) return <Navigate to={MARKET_PATH} />;
  return (
    <Panel borderColor="brand.solid">
      <Flex justify="space-between" align="center" gap="4" wrap="wrap">
        <Flex direction="column" gap="1" minW="0" flex="1 1 320px">
          <Heading as="h2" textStyle="title">
            {t('marketChoice.question')}
          </Heading>
          <Text color="fg.muted">{t('marketChoice.untilThen')}</Text>
        </Flex>
        <LinkButton to={MARKET_PATH} colorPalette="brand">
          {t('marketChoice.open')}
        </LinkButton>
      </Flex>
    </Panel>
  );
}
