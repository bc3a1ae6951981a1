import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Panel } from '../ui/controls.tsx';
import { BrandMark } from '../ui/icons.tsx';

/** The one card of every /auth screen. */
export const AuthCard = ({
  title,
  lead,
  children,
  footer,
}: {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}) => (
  <Flex direction="column" align="center" justify="center" minH={{ md: 'calc(100dvh - 160px)' }}>
    <Panel w="100%" maxW="440px" p={{ base: 5, md: 8 }}>
      <Flex direction="column" gap="5">
        <Flex direction="column" gap="3">
          <BrandMark size={40} />
          <Box>
            <Heading as="h1" textStyle="title">
              {title}
            </Heading>
            {lead && (
              <Text color="fg.muted" mt="1">
                {lead}
              </Text>
            )}
          </Box>
        </Flex>
        {children}
      </Flex>
    </Panel>
    {footer && (
      <Box mt="4" color="fg.muted" textAlign="center">
        {footer}
      </Box>
    )}
  </Flex>
);
