import { Box, Flex } from '@chakra-ui/react';
import { Icon } from './icons.tsx';
import { Select } from './primitives.tsx';

/** A filter of one choice among some, as wide as what is chosen; its label is for the ear, since the choices say what they are. */
export const ChipSelect = <Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}) => (
  <Flex position="relative" align="center" flexShrink="0" maxW="100%">
    <Select
      aria-label={label}
      h={{ base: '11', md: '8' }}
      ps="2.5"
      pe="7"
      w="auto"
      maxW="200px"
      bg="transparent"
      borderColor="border"
      color={value === options[0]?.value ? 'fg.muted' : 'fg'}
      fontSize="12px"
      fontWeight="520"
      textOverflow="ellipsis"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
    <Box position="absolute" insetEnd="2" color="fg.muted" pointerEvents="none">
      <Icon name="chevron" size={13} />
    </Box>
  </Flex>
);
