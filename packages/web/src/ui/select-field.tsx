import { Field, type FieldProps } from './controls.tsx';
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
      <Select {...control} name={name} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
