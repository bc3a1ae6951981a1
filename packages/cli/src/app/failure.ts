import type { ShownProblem } from '@pilotfish/core/http/problem';
import { EXIT } from './exit-codes.ts';

type Values = Readonly<Record<string, string | number>>;

/** The command line itself is wrong, or there is no terminal to ask on. The text is `cli.usage.<code>`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: string;
  readonly values: Values;
  constructor(code: string, values: Values = {}) {
    super(code);
    this.code = code;
    this.values = values;
  }
}

/** A failure on this side of the wire, e.g. a file that cannot be read. The text is `cli.failures.<code>`. */
export class LocalFailure extends Error {
  override readonly name = 'LocalFailure';
  readonly code: string;
  readonly values: Values;
  readonly exit: number;
  constructor(code: string, values: Values = {}, more: { exit?: number; cause?: unknown } = {}) {
    super(code, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.values = values;
    this.exit = more.exit ?? EXIT.failed;
  }
}

/** What a machine keeps of an error, thrown on to the one place that shows errors. */
export class ShownFailure extends Error {
  override readonly name = 'ShownFailure';
  readonly problem: ShownProblem;
  constructor(problem: ShownProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Ctrl-C at a prompt. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The command has said everything; only its exit code is left. */
export class Ended extends Error {
  override readonly name = 'Ended';
  readonly exit: number;
  constructor(exit: number) {
    super('ended');
    this.exit = exit;
  }
}
