import { useId } from 'react';
import { Select } from '../../ui/primitives.tsx';

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
  <Select
    size="xs"
    box={{ flex: narrow ? '0 0 74px' : '1' }}
    id={useId()}
    aria-label={label}
    aria-describedby={describedBy}
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
);
