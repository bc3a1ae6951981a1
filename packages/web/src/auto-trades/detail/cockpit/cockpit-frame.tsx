import { Box, Flex, Grid } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Panel } from '../../../ui/controls.tsx';

/** The page before its first answer: what will stand where, so that nothing moves when it comes. */
export function CockpitFrame() {
  const { t } = useTranslation();
  return (
    <Flex direction="column" gap={{ base: 2.5, md: 3 }} role="status">
      <span className="visually-hidden">{t('ui.loading')}</span>
      <Box className="skeleton" h={{ base: '58px', lg: '9' }} w="min(560px, 100%)" />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 316px' }} gap={{ base: 2.5, md: 3 }} alignItems="start">
        <Panel p="3">
          <Box className="skeleton" h={{ base: '520px', md: '558px' }} />
        </Panel>
        <Flex direction="column" gap={{ base: 2.5, md: 3 }} gridRow={{ lg: 'span 2' }}>
          <Panel p="4">
            <Box className="skeleton" h="280px" />
          </Panel>
          <Panel p="4">
            <Box className="skeleton" h="220px" />
          </Panel>
        </Flex>
        <Panel p="4">
          <Box className="skeleton" h="180px" />
        </Panel>
      </Grid>
    </Flex>
  );
}
