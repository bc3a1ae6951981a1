import { Box, Text } from '@chakra-ui/react';

/** A named figure of a description list. */
export const Figure = ({ term, value, tone = '' }: { term: string; value: string; tone?: string }) => (
  <Box minW="0">
    <Text as="dt" color="fg.muted" fontSize="12px">
      {term}
    </Text>
    <Text as="dd" className={tone} fontWeight="600" css={{ fontVariantNumeric: 'tabular-nums' }} overflowWrap="anywhere">
      {value}
    </Text>
  </Box>
);
