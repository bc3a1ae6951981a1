import { Flex, Text } from '@chakra-ui/react';
import { completeDecimal, editDecimal } from '@pilotfish/core/money/decimal-input';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Field } from '../controls.tsx';
import { Input } from '../primitives.tsx';

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

/** What an empty field listens to while it complains of a key: there is nothing in it that could be taken away. */
type Answers = { onKeyDown: (event: KeyboardEvent) => void; onFocus: () => void };

/** Why an edit was refused, until something is taken away again: what follows may stand in the wrong place. */
function useRefusal() {
  const { t } = useTranslation();
  const [refusal, setRefusal] = useState<{ key: string; ofEmpty: boolean; typed: boolean }>();
  return {
    refusal: refusal && (refusal.ofEmpty && refusal.typed ? t('decimal.typeAgain', { why: t(refusal.key) }) : t(refusal.key)),
    /** Behind a key that was refused a digit would make another number: `1.234,5` would become 1.2345, and `-5` 5. */
    isShut: (held: string) => refusal !== undefined && (held !== '' || refusal.typed),
    /** @param key undefined for an edit that was taken @param pasted what came at once left nothing that another key follows */
    refuse: (key: string | undefined, { held, pasted, ends }: { held: string; pasted: boolean; ends: boolean }) =>
      setRefusal(key === undefined ? (ends ? undefined : refusal) : { key, ofEmpty: held === '', typed: !pasted }),
    answers: (held: string): Answers => {
      const answered = () => {
        if (held === '' && refusal !== undefined) setRefusal(undefined);
      };
      return { onKeyDown: ({ key }) => void (/^(Backspace|Delete)$/.test(key) && answered()), onFocus: answered };
    },
  };
}

/** The edits of a field for a decimal, and why the last one was refused. */
export function useDecimalEdit(): {
  readonly refusal: string | undefined;
  /** What the field holds after an edit. @param next what it would hold @param event the browser's, which tells a paste */
  readonly edited: (held: string, next: string, event: Event) => string;
  /** For the field, which without them would stay shut when it is empty. */
  readonly answers: (held: string) => Answers;
} {
  const { refusal, isShut, refuse, answers } = useRefusal();
  return {
    refusal,
    answers,
    edited: (held, next, event) => {
      // What comes at once was not typed: keyboards of phones put in what was copied as if it had been.
      const pasted = /Paste|Drop/.test((event as InputEvent).inputType ?? '') || next.length > held.length + 1;
      if (!pasted && isShut(held) && next.length > held.length) return held;
      const edit = editDecimal(held, next, pasted);
      const isSeparator = /^[.,]$/.test(next.replace(held, ''));
      refuse(
        edit.accepted ? undefined : edit.reason === 'both-separators' || isSeparator ? 'decimal.bothSeparators' : 'decimal.notADecimal',
        { held, pasted, ends: edit.text.length < held.length || held === '' || (pasted && edit.accepted) },
      );
      return edit.text;
    },
  };
}

/** Digits and one point, nothing else. What is refused, typed or pasted, is told: `1.234,5` must not become 1.2345 unnoticed. */
export function DecimalField({ label, value, onChange, unit, error, hint, disabled, name }: Props) {
  const { refusal, edited, answers } = useDecimalEdit();
  return (
    <Field label={label} error={refusal ?? error} hint={hint}>
      {(control) => (
        <Flex position="relative" align="center">
          <Input
            {...control}
            {...answers(value)}
            name={name}
            value={value}
            disabled={disabled}
            inputMode="decimal"
            autoComplete="off"
            pe={unit ? `${unit.length * 9 + 24}px` : '3'}
            textAlign="end"
            css={{ fontVariantNumeric: 'tabular-nums' }}
            onChange={(event) => {
              const text = edited(value, event.currentTarget.value, event.nativeEvent);
              if (text !== value) onChange(text);
            }}
            onBlur={() => {
              const complete = completeDecimal(value);
              if (complete !== value) onChange(complete);
            }}
          />
          {unit && (
            <Text position="absolute" insetEnd="3" color="fg.muted" fontSize="13px" pointerEvents="none" aria-hidden="true">
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
}: Omit<Props, 'value' | 'onChange'> & { value: number | ''; onChange: (value: number | '') => void }) => {
  const { refusal, isShut, refuse, answers } = useRefusal();
  return (
    <Field label={props.label} error={refusal ?? props.error} hint={props.hint}>
      {(control) => (
        <Flex position="relative" align="center">
          <Input
            {...control}
            {...answers(String(value))}
            name={props.name}
            value={String(value)}
            disabled={props.disabled}
            inputMode="numeric"
            autoComplete="off"
            pe={props.unit ? `${props.unit.length * 9 + 24}px` : '3'}
            textAlign="end"
            css={{ fontVariantNumeric: 'tabular-nums' }}
            onChange={(event) => {
              const typed = event.currentTarget.value.trim();
              const held = String(value);
              const pasted = typed.length > held.length + 1;
              if (!pasted && isShut(held) && typed.length > held.length) return;
              // 1.5 must not become 15: what is no whole number changes nothing.
              const isWhole = /^\d{0,7}$/.test(typed);
              refuse(isWhole ? undefined : /^\d+$/.test(typed) ? 'decimal.tooManyDigits' : 'decimal.notWhole', {
                held,
                pasted,
                ends: typed.length < held.length || held === '',
              });
              if (isWhole) onChange(typed === '' ? '' : Number(typed));
            }}
          />
          {props.unit && (
            <Text position="absolute" insetEnd="3" color="fg.muted" fontSize="13px" pointerEvents="none" aria-hidden="true">
              {props.unit}
            </Text>
          )}
        </Flex>
      )}
    </Field>
  );
};
