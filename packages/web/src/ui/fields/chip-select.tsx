import { Select } from '../primitives.tsx';

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
  <Select
    size="xs"
    box={{ w: 'auto', maxW: '200px', flexShrink: '0' }}
    aria-label={label}
    bg="transparent"
    borderColor="border"
    color={value === options[0]?.value ? 'fg.muted' : 'fg'}
    fontWeight="520"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value as Value)}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </Select>
);
