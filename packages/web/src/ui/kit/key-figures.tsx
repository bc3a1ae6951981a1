import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export type KeyFigure = { label: string; figure: ReactNode; note?: ReactNode };

/**
 * A row of figures that a page is read by, each with its name above and a note below. They share the width; on a phone they
 * stand two in a row.
 * @param large for the one answer of a page: its first figure is the hero
 */
export const KeyFigures = ({
  label,
  figures,
  isStale = false,
  onPhone = 2,
}: {
  label: string;
  figures: readonly KeyFigure[];
  isStale?: boolean;
  /** How many stand in a row on a phone. */
  onPhone?: 2 | 3;
}) => {
  // So many would cut their names on a tablet: there they stand three in a row.
  const areMany = figures.length > 5;
  return (
    <Flex
      as="dl"
      aria-label={label}
      className={isStale ? 'stale' : undefined}
      color={isStale ? 'fg.subtle' : undefined}
      wrap={{ base: 'wrap', md: areMany ? 'wrap' : 'nowrap', lg: 'nowrap' }}
      bg="bg.panel"
      borderWidth="1px"
      borderColor="border.subtle"
      borderRadius="panel"
      overflow="hidden"
    >
      {figures.map((each) => (
        <Box
          key={each.label}
          flex={{ base: onPhone === 2 ? '1 0 50%' : '1 0 33%', md: areMany ? '1 0 33%' : '1', lg: '1' }}
          minW="0"
          px={{ base: onPhone === 2 ? '3.5' : '3', md: '4' }}
          py="2.5"
          // The lines between them: a row that begins has none at its start, and those above it one below.
          borderColor="border.subtle"
          borderInlineStartWidth="1px"
          borderTopWidth="1px"
          ms="-1px"
          mt="-1px"
        >
          <Text as="dt" color={isStale ? undefined : 'fg.muted'} fontSize="12px" lineHeight="16px" truncate>
            {each.label}
          </Text>
          <Text as="dd" textStyle="figure" whiteSpace="nowrap" css={{ fontVariantNumeric: 'tabular-nums' }}>
            {each.figure}
          </Text>
          {each.note !== undefined && (
            <Text
              as="dd"
              color={isStale ? undefined : 'fg.muted'}
              fontSize="12px"
              lineHeight="16px"
              truncate
              // Three in a row leave a note on a phone no room for its last word.
              whiteSpace={onPhone === 3 ? { base: 'normal', md: 'nowrap' } : 'nowrap'}
            >
              {each.note}
            </Text>
          )}
        </Box>
      ))}
    </Flex>
  );
};
