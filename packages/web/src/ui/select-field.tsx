import { Box, Flex } from '@chakra-ui/react';
import { Field, type FieldProps } from './controls.tsx';
import { Icon } from './icons.tsx';
import { Select } from './primitives.tsx';

/** One of many. */
export const SelectField = ({
  label,
  error,
  hint,
  options,
  value,
  onChange,
  name,
}: Omit<FieldProps, 'children'> & {
  name?: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChange: (value: string) => void;
}) => (
  <Field label={label} error={error} hint={hint}>
    {(control) => (
      <Flex position="relative" align="center">
        <Select {...control} name={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
        <Box position="absolute" insetEnd="3" color="fg.muted" pointerEvents="none">
          <Icon name="chevron" size={16} />
        </Box>
      </Flex>
    )}
  </Field>
);
