import { Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { PageTitle } from './page-title.tsx';

/** The title of a screen, in the top bar; below it what the screen is for, and what can be done on it. */
export const PageHeader = ({ title, lead, actions }: { title: ReactNode; lead?: ReactNode; actions?: ReactNode }) => (
  <>
    <PageTitle>{title}</PageTitle>
    {(lead || actions) && (
      <Flex justify="space-between" align="center" gap="3" mb="3" wrap="wrap">
        {lead && (
          <Text color="fg.muted" maxW="80ch" flex="1 1 280px" textWrap="pretty">
            {lead}
          </Text>
        )}
        {actions && (
          <Flex gap="2" wrap="wrap">
            {actions}
          </Flex>
        )}
      </Flex>
    )}
  </>
);
