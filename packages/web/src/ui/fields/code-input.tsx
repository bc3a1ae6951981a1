import { PinInput } from '@chakra-ui/react';
import { masked } from '@pilotfish/core/fields/input-masks';
import { useEffect, useId, useRef, useState } from 'react';

const LENGTH = 6;
const digits = (text: string) => masked('digits', text).slice(0, LENGTH);

/**
 * Six boxes for a six-digit code. Paste fills them, the last digit submits, and `attempt` going up (a wrong code)
 * clears them, shakes once and puts the focus back on the first.
 */
export function CodeInput({
  label,
  digitLabel,
  disabled,
  attempt,
  onComplete,
}: {
  label: string;
  digitLabel: (position: number) => string;
  disabled: boolean;
  attempt: number;
  onComplete: (code: string) => void;
}) {
  const [code, setCode] = useState<string[]>([]);
  const [shaking, setShaking] = useState(false);
  const first = useRef<HTMLInputElement>(null);
  const wrongBefore = useRef(attempt);
  const id = useId();
  useEffect(() => {
    if (attempt === wrongBefore.current || disabled) return;
    wrongBefore.current = attempt;
    setCode([]);
    setShaking(true);
    first.current?.focus();
  }, [attempt, disabled]);
  return (
    <PinInput.Root
      role="group"
      aria-labelledby={id}
      ids={{ label: id }}
      otp
      autoFocus
      selectOnFocus
      placeholder=""
      count={LENGTH}
      value={code}
      disabled={disabled}
      translations={{ inputLabel: (index) => digitLabel(index + 1) }}
      // Anything with a digit in it: what a phone fills in comes as `123 456`.
      pattern="\d"
      sanitizeValue={digits}
      onValueChange={({ value }) => setCode(value)}
      onValueComplete={({ valueAsString }) => onComplete(valueAsString)}
    >
      <PinInput.Label textStyle="label">{label}</PinInput.Label>
      <PinInput.Control
        className={shaking ? 'shake' : undefined}
        onAnimationEnd={() => setShaking(false)}
        onChangeCapture={({ target }) => {
          if (target instanceof HTMLInputElement) target.value = digits(target.value);
        }}
      >
        {Array.from({ length: LENGTH }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are their positions
          <PinInput.Input key={index} index={index} ref={index === 0 ? first : undefined} />
        ))}
      </PinInput.Control>
    </PinInput.Root>
  );
}
