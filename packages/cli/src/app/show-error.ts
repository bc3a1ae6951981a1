import { ERROR_CODES, isErrorCode } from '@pilotfish/core/http/error-codes';
import type { FieldError, ShownProblem } from '@pilotfish/core/http/problem';
import { CommanderError } from 'commander';
import { colours } from '../ui/colour.ts';
import type { Context } from './context.ts';
import { EXIT, exitCodeOf } from './exit-codes.ts';
import { LocalFailure, ShownFailure, UsageError } from './failure.ts';
import type { Translate } from './texts.ts';

/** The HTTP status that says the same as an exit code, for problem documents about this side of the wire. */
const STATUS_OF_EXIT: Readonly<Record<number, number>> = { [EXIT.usage]: 400, [EXIT.notFound]: 404, [EXIT.conflict]: 409 };

/** One error as a person and as a program reads it. */
export type Told = { sentence: string; code: string; fix: string; exit: number; status: number; fields: readonly FieldError[] };

/** The one mapping of everything that can go wrong to a sentence, a code, a fix and an exit code. */
export function tell(error: unknown, t: Translate): Told {
  const fixOf = (code: string, values: Readonly<Record<string, string | number>> = {}) => {
    const fix = t(`cli.fixes.${code}`, { ...values, defaultValue: '' });
    return fix === `cli.fixes.${code}` ? '' : fix;
  };
  /** What a screen, which goes on, promises about itself is not so for a command, which ends here. */
  const endedBy = (code: string) => {
    const sentence = t(`cli.ended.${code}`, { defaultValue: '' });
    return sentence === `cli.ended.${code}` ? '' : sentence;
  };
  if (error instanceof CommanderError) return commandLine(error, t);
  if (error instanceof UsageError)
    return {
      sentence: t(`cli.usage.${error.code}`, error.values),
      code: error.code,
      fix: t('cli.fixes.usage'),
      exit: EXIT.usage,
      status: 400,
      fields: [],
    };
  if (error instanceof LocalFailure)
    return {
      sentence: t(`cli.failures.${error.code}`, error.values),
      code: error.code,
      fix: fixOf(error.code, error.values),
      exit: error.exit,
      status: STATUS_OF_EXIT[error.exit] ?? 500,
      fields: [],
    };
  const problem = error instanceof ShownFailure ? error.problem : isProblem(error) ? error : undefined;
  if (problem) {
    const told = problem.detail && problem.detail !== problem.code ? problem.detail : t(`errors.${problem.code}.detail`);
    const sentence = endedBy(problem.code) || told;
    const wait = problem.retryAfter === undefined ? '' : ` ${t('auth.retryAfter', { count: Math.ceil(problem.retryAfter) })}`;
    return {
      sentence: sentence + wait,
      code: problem.code,
      fix: fixOf(problem.code),
      exit: exitCodeOf(problem.code),
      status: (error as { status?: number }).status ?? ERROR_CODES[problem.code].status,
      fields: problem.fields ?? [],
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { sentence: message, code: 'internal', fix: '', exit: EXIT.failed, status: 500, fields: [] };
}

/** A problem that a machine keeps, as it stands at a question: the sentence, then each field that is wrong. */
export function problemText(t: Translate, problem: ShownProblem): string {
  const { sentence, fields } = tell(new ShownFailure(problem), t);
  return [sentence, ...fields.map(({ path, message }) => `  ${path}: ${message}`)].join('\n');
}

const isProblem = (error: unknown): error is ShownProblem =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && isErrorCode(error.code);

/** The parser's complaints, in the person's language. */
function commandLine(error: CommanderError, t: Translate): Told {
  const word = /'([^']*)'/.exec(error.message)?.[1] ?? '';
  const suggestion = /\(Did you mean (?:one of )?([^)?]+)\??\)/.exec(error.message)?.[1];
  const known: Record<string, string> = {
    'commander.unknownOption': 'unknownOption',
    'commander.unknownCommand': 'unknownCommand',
    'commander.missingArgument': 'missingArgument',
    'commander.optionMissingArgument': 'missingValue',
    'commander.invalidArgument': 'invalidValue',
    'commander.excessArguments': 'tooMany',
  };
  const code = known[error.code] ?? 'unknownCommand';
  const allowed = /Allowed choices are ([^.]+)\./.exec(error.message)?.[1] ?? '';
  return {
    sentence: t(`cli.usage.${code}`, { word, allowed }),
    code,
    fix: suggestion ? t('cli.fixes.didYouMean', { suggestion }) : t('cli.fixes.usage'),
    exit: EXIT.usage,
    status: 400,
    fields: [],
  };
}

/** Prints it on stderr, a problem document with --json, and answers the exit code. */
export async function showError(context: Context, error: unknown): Promise<number> {
  const t = await context.texts();
  const told = tell(error, t);
  if (context.globals.json || context.globals.jsonl) {
    const { sentence: detail, code, status, fix, fields } = told;
    const title = t([`errors.${code}.title`, 'cli.words.failed']);
    const document = {
      type: 'about:blank',
      title,
      status,
      detail,
      code,
      ...(fix ? { fix } : {}),
      ...(fields.length > 0 ? { errors: fields } : {}),
    };
    context.stderr.write(`${JSON.stringify(document)}\n`);
    return told.exit;
  }
  const paint = colours(context, context.stderr);
  const lines = [`${paint.red(t('cli.words.error'))} ${told.sentence} ${paint.dim(`(${told.code})`)}`];
  for (const { path, message } of told.fields) lines.push(`  ${path ? `${paint.bold(path)}: ` : ''}${message}`);
  if (told.fix) lines.push(told.fix);
  if (context.env.PILOTFISH_DEBUG && error instanceof Error)
    lines.push(String(error.stack), error.cause instanceof Error ? String(error.cause.stack) : '');
  context.stderr.write(`${lines.join('\n')}\n`);
  return told.exit;
}
