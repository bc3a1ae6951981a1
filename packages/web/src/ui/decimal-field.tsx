import { Flex, Text } from '@chakra-ui/react';
import { completeDecimal, editDecimal } from '@pilotfish/core/money/decimal-input';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from './controls.tsx';
import { Input } from './primitives.tsx';

type Props = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Said inside the field at its end, e.g. `%` or `USDT`. */
  unit?: string;
  error?: string | undefined;
  hint?: ReactNode;
  disabled?: boolean;
  name?: string;
};

/** Digits and one point, nothing else. A refused paste says why. */
export function DecimalField({ label, value, onChange, unit, error, hint, disabled, name }: Props) {
  const { t } = useTranslation();
  const [refusal, setRefusal] = useState<string>();
  return (
    <Field label={label} error={refusal ?? error} hint={hint}>
      {(control) => (
        <Flex position="relative">
          <Input
            {...control}
            name={name}
            value={value}
            disabled={disabled}
            inputMode="decimal"
            autoComplete="off"
            pe={unit ? `${unit.length * 9 + 24}px` : '3'}
            textAlign="end"
            css={{ fontVariantNumeric: 'tabular-nums' }}
            onChange={(event) => {
              const { inputType } = event.nativeEvent as InputEvent;
              const pasted = inputType === 'insertFromPaste' || inputType === 'insertFromDrop';
              const edit = editDecimal(value, event.currentTarget.value, pasted);
              setRefusal(
                edit.accepted || !pasted
                  ? undefined
                  : t(edit.reason === 'both-separators' ? 'decimal.bothSeparators' : 'decimal.notADecimal'),
              );
              if (edit.text !== value) onChange(edit.text);
            }}
            onBlur={() => {
              const complete = completeDecimal(value);
              if (complete !== value) onChange(complete);
            }}
          />
          {unit && (
            <Text position="absolute" insetEnd="3" top="10px" color="fg.muted" fontSize="13px" pointerEvents="none" aria-hidden="true">
              {unit}
            </Text>
          )}
        </Flex>
      )}
    </Field>
  );
}

/** Whole numbers only; empty is kept as empty so that it can be typed anew. */
export const WholeField = ({
  value,
  onChange,
  ...props
}: Omit<Props, 'value' | 'onChange'> & { value: number | ''; onChange: (value: number | '') => void }) => (
  <Field label={props.label} error={props.error} hint={props.hint}>
    {(control) => (
      <Flex position="relative">
        <Input
          {...control}
          name={props.name}
          value={String(value)}
          disabled={props.disabled}
          inputMode="numeric"
          autoComplete="off"
          pe={props.unit ? `${props.unit.length * 9 + 24}px` : '3'}
          textAlign="end"
          css={{ fontVariantNumeric: 'tabular-nums' }}
          onChange={(event) => {
            const digits = event.currentTarget.value.replace(/\D/g, '').slice(0, 7);
            onChange(digits === '' ? '' : Number(digits));
          }}
        />
        {props.unit && (
          <Text position="absolute" insetEnd="3" top="10px" color="fg.muted" fontSize="13px" pointerEvents="none" aria-hidden="true">
            {props.unit}
          </Text>
        )}
      </Flex>
    )}
  </Field>
);
