import { Box } from 'ink';
import { useRef, useState } from 'react';
import { Line, useKeys, useTools } from './prompt-screen.tsx';
import type { Ways } from './questions.tsx';

export type Option<Value> = {
  readonly value: Value;
  readonly label: string;
  /** Stands below the list while the cursor is on it. */
  readonly hint?: string | undefined;
};
/** Options that stand there at a time. */
const SHOWN = 10;
const UP = ['k', '\u001b[A', '\u001bOA'];
const DOWN = ['j', '\t', '\u001b[B', '\u001bOB'];

type ChoiceWays<Value> = Ways<Value> & {
  readonly options: readonly Option<Value>[];
  /** The option the cursor stands on first. */
  readonly startAt?: number;
};

/** One of several: arrows, and Enter. */
export function ChoiceQuestion<Value>({ label, options, error, startAt = 0, onAnswer, onCancel }: ChoiceWays<Value>) {
  const { t, paint, print, unicode } = useTools();
  const [at, move] = useState(startAt);
  // Keys typed ahead arrive before anything is drawn again.
  const chosen = useRef(startAt);
  useKeys((key) => {
    const option = options[chosen.current];
    if ((key === '\r' || key === '\n') && option) {
      print(`${label} ${option.label}\n`);
      onAnswer(option.value);
      return 'done';
    }
    if (key === '\u001b') {
      print(`${label}\n`);
      onCancel();
      return 'done';
    }
    const step = DOWN.includes(key) ? 1 : UP.includes(key) ? options.length - 1 : 0;
    chosen.current = (chosen.current + step) % options.length;
    move(chosen.current);
    return undefined;
  });
  const from = Math.max(0, Math.min(at - Math.floor(SHOWN / 2), options.length - SHOWN));
  return (
    <Box flexDirection="column">
      {error !== undefined && <Line>{paint.red(error)}</Line>}
      <Line>{`${label} ${paint.dim(t('cli.prompt.arrows'))}`}</Line>
      {options.slice(from, from + SHOWN).map((option, index) => (
        <Line key={option.label}>{`${from + index === at ? paint.cyan(unicode ? '❯' : '>') : ' '} ${option.label}`}</Line>
      ))}
      {options[at]?.hint && <Line>{paint.dim(options[at].hint)}</Line>}
    </Box>
  );
}
