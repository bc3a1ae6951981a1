import { chakra, Flex } from '@chakra-ui/react';
import { masked } from '@pilotfish/core/fields/input-masks';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';

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
  const [code, setCode] = useState<string[]>(() => Array(LENGTH).fill(''));
  const [shaking, setShaking] = useState(false);
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const wrongBefore = useRef(attempt);
  const id = useId();

  useEffect(() => {
    if (attempt === wrongBefore.current || disabled) return;
    wrongBefore.current = attempt;
    setCode(Array(LENGTH).fill(''));
    setShaking(true);
    boxes.current[0]?.focus();
  }, [attempt, disabled]);
  useEffect(() => boxes.current[0]?.focus(), []);

  const fill = (text: string, from = 0) => {
    const next = [...code];
    for (const [offset, digit] of text.split('').entries()) if (from + offset < LENGTH) next[from + offset] = digit;
    setCode(next);
    boxes.current[Math.min(from + text.length, LENGTH - 1)]?.focus();
    if (next.every(Boolean)) onComplete(next.join(''));
  };
  const onKeyDown = (position: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    const move = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (move) {
      event.preventDefault();
      boxes.current[position + move]?.focus();
    } else if (event.key === 'Backspace' && !code[position] && position > 0) {
      event.preventDefault();
      setCode(code.map((digit, index) => (index === position - 1 ? '' : digit)));
      boxes.current[position - 1]?.focus();
    }
  };
  const onPaste = (event: ClipboardEvent) => {
    event.preventDefault();
    const text = digits(event.clipboardData.getData('text'));
    if (text) fill(text);
  };

  return (
    <Flex role="group" aria-labelledby={id} direction="column" gap="2">
      <chakra.span id={id} textStyle="label">
        {label}
      </chakra.span>
      <Flex gap={{ base: 1.5, sm: 2 }} className={shaking ? 'shake' : undefined} onAnimationEnd={() => setShaking(false)}>
        {code.map((digit, position) => (
          <chakra.input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are their positions
            key={position}
            ref={(box: HTMLInputElement | null) => {
              boxes.current[position] = box;
            }}
            aria-label={digitLabel(position + 1)}
            value={digit}
            disabled={disabled}
            inputMode="numeric"
            autoComplete={position === 0 ? 'one-time-code' : 'off'}
            onFocus={(event) => event.currentTarget.select()}
            onKeyDown={onKeyDown(position)}
            onPaste={onPaste}
            onChange={(event) => {
              const text = digits(event.currentTarget.value);
              if (text) fill(text.length === 2 && text.startsWith(digit) ? text.slice(1) : text, position);
              else setCode(code.map((old, index) => (index === position ? '' : old)));
            }}
            flex="1"
            minW="0"
            h="14"
            textAlign="center"
            fontSize="20px"
            fontWeight="600"
            bg="bg.input"
            borderWidth="1px"
            borderColor="border.control"
            borderRadius="control"
            outline="none"
            _focus={{ borderColor: 'brand.solid', boxShadow: '0 0 0 1px var(--chakra-colors-brand-solid)' }}
            _disabled={{ opacity: 0.6 }}
          />
        ))}
      </Flex>
    </Flex>
  );
}
