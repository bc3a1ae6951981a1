import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Panel } from './controls.tsx';
import { Icon, type IconName } from './icons.tsx';
import { PageHeader } from './page-header.tsx';
import { EmptyState } from './state-panels.tsx';

/** A screen with nothing in it yet: what it is for, what it will hold, and where to go from here. */
export function FeaturePage({
  feature,
  icon,
  points,
  action,
}: {
  feature: string;
  icon: IconName;
  points: readonly string[];
  action?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t(`features.${feature}.title`)} />
      <Panel>
        <EmptyState icon={icon} title={t(`features.${feature}.empty`)} action={action}>
          <Text>{t(`features.${feature}.lead`)}</Text>
          <Flex as="ul" direction="column" gap="2" mt="4" listStyleType="none" textAlign="start" w="fit-content" mx="auto">
            {points.map((point) => (
              <Flex as="li" key={point} gap="2.5">
                <Box color="brand.fg" flexShrink="0" pt="2px">
                  <Icon name="check" size={16} />
                </Box>
                {t(`features.${feature}.${point}`)}
              </Flex>
            ))}
          </Flex>
        </EmptyState>
      </Panel>
    </>
  );
}
