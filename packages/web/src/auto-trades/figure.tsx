import { Box, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A named figure of a description list. */
export const Figure = ({ term, value, tone = '', children }: { term: string; value: ReactNode; tone?: string; children?: ReactNode }) => (
  <Box minW="0">
    <Text as="dt" color="fg.muted" fontSize="12px">
      {term}
    </Text>
    <Text as="dd" className={tone} fontWeight="600" css={{ fontVariantNumeric: 'tabular-nums' }} overflowWrap="anywhere">
      {value}
      {children}
    </Text>
  </Box>
);
