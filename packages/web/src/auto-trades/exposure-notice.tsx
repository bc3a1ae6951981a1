import { Flex, Text } from '@chakra-ui/react';
import { type Exposure, exposureOf } from '@pilotfish/core/auto-trades/exposure';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/controls.tsx';

/** What nothing sells while the server is off, for a bot that trades on the account; nothing when a stop rests at the exchange. */
export function ExposureNotice({
  mode,
  config,
  action,
}: {
  mode: 'paper' | 'live' | undefined;
  config: Parameters<typeof exposureOf>[0];
  /** What helps against it. */
  action?: (exposure: Exposure) => ReactNode;
}) {
  const { t } = useTranslation();
  const exposure = mode === 'live' ? exposureOf(config) : undefined;
  if (!exposure) return null;
  return (
    <Notice tone="warning" title={t('autoTrades.exposed.title')} live={false}>
      <Flex direction="column" gap="2" align="flex-start">
        <Text>{t(`autoTrades.exposed.${exposure}`)}</Text>
        {action?.(exposure)}
      </Flex>
    </Notice>
  );
}
