import { Box } from 'ink';
import { type ReactElement, useRef, useState } from 'react';
import { CANCELLED } from './prompt.ts';
import { type Ending, Line, useKeys, useTools } from './prompt-screen.tsx';

export type Ways<Answer> = {
  readonly label: string;
  /** Shown at the question until it is answered: why it is asked again. */
  readonly error?: string | undefined;
  readonly onAnswer: (answer: Answer) => void;
  /** Escape. */
  readonly onCancel: () => void;
};

type TextWays = Ways<string> & {
  /** Nothing of what is typed is shown. */
  readonly hidden?: boolean;
  /** Stands below the line until it is answered: what could be typed. */
  readonly hint?: string | undefined;
  /** Says why a text is none that can be taken. */
  readonly check?: ((text: string) => string | undefined) | undefined;
  /** Enter begins another line of this text: a pasted key has several. */
  readonly goesOn?: ((text: string) => boolean) | undefined;
};

/** One line of text, or a secret. */
export function TextQuestion({ label, error, hidden = false, hint, check, goesOn, onAnswer, onCancel }: TextWays) {
  const { paint, print } = useTools();
  const [problem, refuse] = useState(error);
  const [shown, show] = useState('');
  // Keys of one paste arrive before anything is drawn again.
  const typed = useRef('');
  const problemLine = problem === undefined ? '' : `${paint.red(problem)}\n`;
  const line = (text: string) => `${label} ${hidden ? '' : text}`;
  useKeys((key) => {
    const text = typed.current;
    if ((key === '\r' || key === '\n') && goesOn?.(text)) typed.current += '\n';
    else if (key === '\r' || key === '\n') {
      const refusal = check?.(text);
      if (refusal === undefined) {
        print(`${problemLine}${line(text)}\n`);
        onAnswer(text);
        return 'done';
      }
      typed.current = '';
      refuse(refusal);
    } else if (key === '\u001b' || (key === '\u0004' && text === '')) {
      print(`${problemLine}${line(text)}\n`);
      onCancel();
      return 'done';
    } else if (key === '\u007f' || key === '\b') typed.current = Array.from(text).slice(0, -1).join('');
    else if (key === '\u0015') typed.current = '';
    else if (key >= ' ' && !key.startsWith('\u001b')) typed.current += key;
    show(typed.current);
    return undefined;
  });
  return (
    <Box flexDirection="column">
      {problem !== undefined && <Line>{paint.red(problem)}</Line>}
      <Line>{line(shown) + paint.marked(' ')}</Line>
      {hint !== undefined && <Line>{paint.dim(hint)}</Line>}
    </Box>
  );
}

/** Yes or no; Enter alone is no. */
export function ConfirmQuestion({ label, onAnswer, onCancel, error }: Ways<boolean>) {
  const { t } = useTools();
  const answerOf = (text: string): boolean | undefined =>
    /^(y|yes|e|evet)$/i.test(text.trim()) ? true : /^(|n|no|h|hayır|hayir)$/i.test(text.trim()) ? false : undefined;
  return (
    <TextQuestion
      label={`${label} ${t('cli.words.yesNo')}`}
      error={error}
      check={(text) => (answerOf(text) === undefined ? t('cli.prompt.yesOrNo') : undefined)}
      onAnswer={(text) => onAnswer(answerOf(text) === true)}
      onCancel={onCancel}
    />
  );
}

/** While a call is under way: Escape gives it up where that is possible, other keys are for the next question. */
export function Waiting({ label, onCancel }: { label?: string; onCancel?: (() => void) | undefined }) {
  const { paint } = useTools();
  useKeys((key) => {
    if (key !== '\u001b' || !onCancel) return 'left';
    onCancel();
    return undefined;
  });
  return <Line>{paint.dim(label ?? '…')}</Line>;
}

/** A field of a form. Its `check` may send the person back to an earlier field. */
export type Field = {
  readonly key: string;
  readonly label: string;
  readonly hidden?: boolean;
  readonly optional?: boolean;
  readonly goesOn?: (text: string) => boolean;
  readonly check?: (text: string, answers: Answers) => string | { readonly error: string; readonly backTo: string } | undefined;
};
export type Answers = Readonly<Record<string, string>>;

/** Fields one after the other. What is known already is not asked; `errors` stand at the fields they belong to. */
export function Form({
  fields,
  known = {},
  error,
  errors = {},
  onAnswer,
  onCancel,
}: {
  fields: readonly Field[];
  known?: Answers;
  error?: string | undefined;
  errors?: Answers;
  onAnswer: (answers: Answers) => void;
  onCancel: () => void;
}): ReactElement | null {
  const { t } = useTools();
  const [{ answers, wrong }, go] = useState<{ answers: Answers; wrong: Answers }>(() => {
    const first = fields.find(({ key }) => known[key] === undefined);
    return { answers: known, wrong: { ...(error !== undefined && first && { [first.key]: error }), ...errors } };
  });
  const field = fields.find(({ key }) => answers[key] === undefined);
  if (!field) return null;
  const take = (text: string) => {
    const answer = field.hidden ? text : text.trim();
    const refusal = field.check?.(answer, answers);
    if (typeof refusal === 'object') {
      const from = fields.findIndex(({ key }) => key === refusal.backTo);
      const kept = Object.entries(answers).filter(([key]) => fields.findIndex((each) => each.key === key) < from);
      return go({ answers: Object.fromEntries(kept), wrong: { [refusal.backTo]: refusal.error } });
    }
    const next = { ...answers, [field.key]: answer };
    go({ answers: next, wrong });
    if (fields.every(({ key }) => next[key] !== undefined)) onAnswer(next);
  };
  const check = (text: string) => {
    if (!field.optional && text.trim() === '') return t('cli.prompt.empty');
    const refusal = field.check?.(field.hidden ? text : text.trim(), answers);
    return typeof refusal === 'string' ? refusal : undefined;
  };
  return (
    <TextQuestion
      // The same field asked again begins empty.
      key={`${field.key} ${wrong[field.key] ?? ''} ${Object.keys(answers).length}`}
      label={field.label}
      hidden={field.hidden ?? false}
      error={wrong[field.key]}
      check={check}
      goesOn={field.goesOn}
      onAnswer={take}
      onCancel={onCancel}
    />
  );
}

/** A question by itself, as `Prompts.show` draws it. */
export const textQuestion =
  (label: string, { hidden = false }: { hidden?: boolean } = {}) =>
  ({ answer }: Ending<string | typeof CANCELLED>) => (
    <TextQuestion label={label} hidden={hidden} onAnswer={answer} onCancel={() => answer(CANCELLED)} />
  );

export const confirmQuestion =
  (label: string) =>
  ({ answer }: Ending<boolean>) => <ConfirmQuestion label={label} onAnswer={answer} onCancel={() => answer(false)} />;
