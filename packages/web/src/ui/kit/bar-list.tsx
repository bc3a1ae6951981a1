import { Box, chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

export type BarRow = {
  key: string;
  label: ReactNode;
  /** Draws the bar: below zero to the left. Floats, for pixels; what is read is `figure`. */
  size: number;
  figure: ReactNode;
  note?: ReactNode;
  /** How many things came to it, beside the label. */
  count?: ReactNode;
};

/** Results side by side: a bar to the right for a gain, to the left for a loss, from one line in the middle. */
export function BarList({ label, rows, labelWidth = 88 }: { label: string; rows: readonly BarRow[]; labelWidth?: number }) {
  // The line stands where both sides have the room they need, on one scale.
  const [loss, gain] = [Math.max(0, ...rows.map(({ size }) => -size)), Math.max(0, ...rows.map(({ size }) => size))];
  const whole = loss + gain || 1;
  const zero = (loss / whole) * 100;
  return (
    <Flex as="ul" direction="column" listStyleType="none" aria-label={label} fontSize="13px">
      {rows.map(({ key, label: name, size, figure, note, count }) => {
        const part = (Math.abs(size) / whole) * 100;
        return (
          <Flex
            as="li"
            key={key}
            align="center"
            gap="3"
            // A button in the label may take the whole row.
            position="relative"
            minH="9"
            borderTopWidth="1px"
            borderColor="border.subtle"
            _first={{ borderTopWidth: '0' }}
          >
            <Box flex={`0 1 ${labelWidth}px`} minW="64px" overflow="hidden" textOverflow="ellipsis" whiteSpace="nowrap">
              {name}
            </Box>
            {count !== undefined && (
              <chakra.span flexShrink="0" minW="6" color="fg.subtle" css={{ fontVariantNumeric: 'tabular-nums' }}>
                {count}
              </chakra.span>
            )}
            <Box flex="1 1 120px" minW="48px" h="10px" position="relative" aria-hidden="true">
              {size !== 0 && (
                <Box
                  position="absolute"
                  top="0"
                  h="10px"
                  borderRadius="2px"
                  bg={size < 0 ? 'chart.down' : 'chart.up'}
                  style={{ insetInlineStart: `${size < 0 ? zero - part : zero}%`, width: `${part}%`, minWidth: '2px' }}
                />
              )}
              <Box position="absolute" top="-4px" h="18px" w="1px" bg="border" style={{ insetInlineStart: `${zero}%` }} />
            </Box>
            <chakra.span flexShrink="0" minW="72px" textAlign="end" fontWeight="600" css={{ fontVariantNumeric: 'tabular-nums' }}>
              {figure}
            </chakra.span>
            {note !== undefined && (
              <chakra.span
                flexShrink="0"
                minW="64px"
                textAlign="end"
                color="fg.muted"
                fontSize="12px"
                css={{ fontVariantNumeric: 'tabular-nums' }}
                display={{ base: 'none', sm: 'inline' }}
              >
                {note}
              </chakra.span>
            )}
          </Flex>
        );
      })}
    </Flex>
  );
}
