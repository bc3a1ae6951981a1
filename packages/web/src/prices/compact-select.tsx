import { Box, Flex } from '@chakra-ui/react';
import { useId } from 'react';
import { Icon } from '../ui/icons.tsx';
import { Select } from '../ui/primitives.tsx';

/** A select whose label is for the ear only, in lines where its place says what it is. */
export const CompactSelect = ({
  label,
  value,
  options,
  onChange,
  narrow = false,
  describedBy,
}: {
  label: string;
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
  narrow?: boolean;
  describedBy?: string | undefined;
}) => (
  <Flex position="relative" align="center" flex={narrow ? '0 0 74px' : '1'} minW="0">
    <Select
      id={useId()}
      aria-label={label}
      aria-describedby={describedBy}
      h="8"
      px="2"
      pe="7"
      fontSize="13px"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
    <Box position="absolute" insetEnd="2" color="fg.muted" pointerEvents="none">
      <Icon name="chevron" size={14} />
    </Box>
  </Flex>
);
