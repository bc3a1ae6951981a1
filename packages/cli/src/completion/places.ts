import { argumentKey, type CommandSpec, type OptionSpec, optionKey } from '../app/command.ts';
import { GLOBAL_OPTIONS, ROOT } from '../app/commands.ts';

/** What may stand at the cursor. */
export type Place = {
  /** What stands there up to the cursor, without an option's name. */
  readonly prefix: string;
  /** Written before every choice: `--watchlist=`. */
  readonly before: string;
  /** Commands, each with its path; below those that were typed. */
  readonly commands: readonly { readonly spec: CommandSpec; readonly path: readonly string[] }[];
  readonly options: readonly OptionSpec[];
  /** Words that are known beforehand: the choices of an option, the values of an argument. */
  readonly words: readonly string[];
  /** What else is meant, by the names of the argument or option: `bot`, `watchlist`, `file`. */
  readonly kinds: readonly string[];
  /** The options before the cursor, as they were typed. */
  readonly given: Readonly<Record<string, string>>;
};

const takesValue = ({ flags }: OptionSpec): boolean => /[<[]/.test(flags);
/** `-f, --file <path>` → `-f`, `--file`. */
export const flagsOf = ({ flags }: OptionSpec): string[] => flags.match(/(?<![\w-])--?[a-z][\w-]*/gi) ?? [];
const placeholderOf = ({ flags }: OptionSpec): string[] => {
  const [placeholder] = /[<[][^>\]]+[>\]]/.exec(flags) ?? [];
  return placeholder === undefined ? [] : [argumentKey(placeholder)];
};

/** What a word of a command line comes to; after an option that takes a value, the next one is that. */
class Walk {
  path: readonly CommandSpec[] = [ROOT];
  positional = 0;
  awaiting: OptionSpec | undefined;
  given: Record<string, string> = {};

  get spec(): CommandSpec {
    return this.path.at(-1)!;
  }
  get options(): readonly OptionSpec[] {
    return [...(this.spec.options ?? []), ...GLOBAL_OPTIONS];
  }
  find = (flag: string): OptionSpec | undefined => this.options.find((option) => flagsOf(option).includes(flag));
  /** The verb that a group means where none is named. */
  standsIn(): CommandSpec | undefined {
    return this.spec.commands?.find(({ name }) => name === this.spec.otherwise);
  }

  take(word: string): void {
    if (this.awaiting) {
      this.given[optionKey(this.awaiting.flags)] = word;
      this.awaiting = undefined;
    } else if (word.startsWith('-')) {
      const [flag = '', ...value] = word.split('=');
      const option = this.find(flag);
      if (option && takesValue(option) && value.length === 0) this.awaiting = option;
      else if (option && value.length > 0) this.given[optionKey(option.flags)] = value.join('=');
    } else {
      const next = this.positional === 0 ? this.spec.commands?.find(({ name }) => name === word) : undefined;
      if (next) this.path = [...this.path, next];
      else this.positional += 1;
    }
  }
}

/** Bash takes `--url=http://host` for five words: `=` and `:` stand alone between two of them. */
function joined(words: readonly string[]): string[] {
  const whole: string[] = [];
  for (const word of words) {
    const before = whole.at(-1) ?? '';
    const goesOn = word === ':' || before.endsWith(':') || (before.startsWith('--') && (word === '=' || /^--[\w-]+=$/.test(before)));
    if (whole.length > 0 && goesOn) whole.push(`${whole.pop()}${word}`);
    else whole.push(word);
  }
  return whole;
}

/** @param words what stands after the program's name, up to the cursor; the last one, which may be empty, is completed */
export function placeOf(words: readonly string[]): Place {
  const whole = joined(words);
  const last = whole.pop() ?? '';
  const walk = new Walk();
  for (const word of whole) walk.take(word);
  const nothing: Place = { prefix: last, before: '', commands: [], options: [], words: [], kinds: [], given: walk.given };
  const value = (option: OptionSpec, over: Partial<Place> = {}): Place => ({
    ...nothing,
    words: option.choices ?? [],
    kinds: [...placeholderOf(option), optionKey(option.flags)],
    ...over,
  });
  if (walk.awaiting) return value(walk.awaiting);
  const equals = last.indexOf('=');
  if (last.startsWith('--') && equals > 0) {
    const option = walk.find(last.slice(0, equals));
    return option ? value(option, { prefix: last.slice(equals + 1), before: last.slice(0, equals + 1) }) : nothing;
  }
  if (last.startsWith('-')) return { ...nothing, options: walk.options };
  const verb = walk.spec.commands ? walk.standsIn() : walk.spec;
  const names = verb?.arguments ?? [];
  const at = Math.min(walk.positional, names.length - 1);
  const argument = walk.positional < names.length || names.at(-1)?.includes('...') ? names[at] : undefined;
  const path = walk.path.slice(1).map(({ name }) => name);
  return {
    ...nothing,
    commands: (walk.positional === 0 ? (walk.spec.commands ?? []) : [])
      .filter(({ hidden }) => !hidden)
      .map((spec) => ({ spec, path: [...path, spec.name] })),
    words: walk.positional === 0 ? (verb?.words ?? []) : [],
    kinds: argument === undefined ? [] : [argumentKey(argument)],
  };
}
