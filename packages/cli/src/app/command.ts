import type { Context } from './context.ts';

/** One option of a command. Its description is the text `cli.options.<name>`. */
export type OptionSpec = {
  /** As commander reads it: `-f, --file <path>`. */
  readonly flags: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  /** May be named several times. */
  readonly many?: boolean;
  /** Its own text where the name alone means something else elsewhere. */
  readonly text?: string;
};

/**
 * What a person can type: a group of commands, or one that runs. Help, completion and suggestions are made from this
 * table; its description is the text `cli.help.<path>` (`bots.create`). The code behind it is loaded when it runs.
 */
export type CommandSpec = {
  readonly name: string;
  readonly commands?: readonly CommandSpec[];
  /** Of a group: the verb that is meant where none is named, as `ls` in `admin users`. */
  readonly otherwise?: string;
  /** Positional arguments: `<bot>`, `[symbol]`, `<coins...>`. They arrive among the options by their name. */
  readonly arguments?: readonly string[];
  /** What the argument accepts, for the shell to complete. */
  readonly words?: readonly string[];
  readonly options?: readonly OptionSpec[];
  readonly examples?: readonly string[];
  /** What can be done beside it while it runs, as `[command, name]`; what it does is the text `cli.steps.<name>`. */
  readonly steps?: readonly (readonly [string, string])[];
  /** An older way to say it: still runs, is shown nowhere. */
  readonly hidden?: true;
  /** Prints rows, so that --json, --csv and --fields mean something. */
  readonly prints?: boolean;
  readonly load?: () => Promise<(context: Context, options: never) => Promise<void>>;
};

/** `--secret-stdin <x>` → `secretStdin`, as commander names it. */
export const optionKey = (flags: string): string =>
  (/--([\w-]+)/.exec(flags)?.[1] ?? '').replace(/^no-/, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const argumentKey = (argument: string): string =>
  argument.replace(/[<>[\].]/g, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
