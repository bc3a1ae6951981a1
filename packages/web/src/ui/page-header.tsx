import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The title of a screen, what it is for, and what can be done on it. */
export const PageHeader = ({ title, lead, actions }: { title: ReactNode; lead?: ReactNode; actions?: ReactNode }) => (
  <Flex
    justify="space-between"
    align={{ base: 'stretch', sm: 'flex-end' }}
    direction={{ base: 'column', sm: 'row' }}
    gap="4"
    mb="5"
    wrap="wrap"
  >
    <Box minW="0">
      <Heading as="h1" textStyle="display">
        {title}
      </Heading>
      {lead && (
        <Text color="fg.muted" mt="1" maxW="70ch">
          {lead}
        </Text>
      )}
    </Box>
    {actions && (
      <Flex gap="2" wrap="wrap">
        {actions}
      </Flex>
    )}
  </Flex>
);
