import { Field, type FieldProps } from '../controls.tsx';
import { Select } from '../primitives.tsx';

/** One of many. */
export const SelectField = <Value extends string>({
  label,
  error,
  hint,
  options,
  value,
  onChange,
  name,
}: Omit<FieldProps, 'children'> & {
  name?: string;
  options: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
}) => (
  <Field label={label} error={error} hint={hint}>
    {(control) => (
      <Select {...control} name={name} value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Select>
    )}
  </Field>
);
