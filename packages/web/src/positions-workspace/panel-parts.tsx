import { Box, type BoxProps, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LinkButton, Notice, TextLink } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';

/** A part of the panel below a line. */
export const Part = (props: BoxProps) => <Box px="4" py="2.5" borderTopWidth="1px" borderColor="border.subtle" {...props} />;

/** What happens next, with the way to the reasons where there are some. */
export function Sentence({ children, why }: { children: ReactNode; why?: string }) {
  const { t } = useTranslation();
  return (
    <Part display="flex" gap="2" alignItems="center" fontSize="13px" lineHeight="18px">
      <Box color="brand.fg" flexShrink="0">
        <Icon name="info" size={16} />
      </Box>
      <Text flex="1" minW="0">
        {children}
      </Text>
      {why !== undefined && (
        <LinkButton to={why} size="xs" variant="ghost" color="fg.muted" flexShrink="0">
          {t('positions.panel.why')}
        </LinkButton>
      )}
    </Part>
  );
}

/** It was closed while it was looked at: what is shown of it is old. */
export function Ended({ page }: { page: string }) {
  const { t } = useTranslation();
  return (
    <Box px="4" pb="2.5">
      <Notice tone="warning">
        {t('positions.panel.ended')} <TextLink to={page}>{t('positions.panel.page')}</TextLink>
      </Notice>
    </Box>
  );
}

/** What may be asked of the position; it stays in sight while the rest of the panel scrolls. */
export const Actions = ({ children }: { children: ReactNode }) => (
  <Part position={{ lg: 'sticky' }} bottom="0" mt="auto" pb="3.5" bg="bg.panel" zIndex="1">
    <Flex gap="3" wrap="wrap" align="center" justify="space-between">
      {children}
    </Flex>
  </Part>
);
