import { Command, CommanderError, Option } from 'commander';
import { printing } from '../ui/visible.ts';
import { argumentKey, type CommandSpec, type OptionSpec, optionKey } from './command.ts';
import { GLOBAL_OPTIONS, ROOT } from './commands.ts';
import type { Context, Host, Life } from './context.ts';
import { createContext, type GlobalFlags } from './create-context.ts';
import { EXIT, SIGNAL_EXIT } from './exit-codes.ts';
import { Ended, Interrupted } from './failure.ts';

export type Process = Host & {
  exitCode?: number | string | null | undefined;
  exit(code: number): unknown;
  on(signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void): unknown;
  once(event: 'uncaughtException', listener: (error: unknown) => void): unknown;
};

/** Parses the words, runs the command and sets the exit code. Leaves the terminal as it was, also on a signal. */
export async function runCli(argv: readonly string[], host: Process): Promise<void> {
  const endings = new Set<() => void>();
  const end = () => {
    for (const work of [...endings].reverse()) work();
    endings.clear();
  };
  /** What waits for the first signal, and what for the second. */
  const waiting: (() => void)[] = [];
  const untilSignal = () => new Promise<void>((resolve) => void waiting.push(resolve));
  // Not once: without a listener the next signal would end the process where it stands.
  for (const [signal, code] of Object.entries(SIGNAL_EXIT) as [keyof typeof SIGNAL_EXIT, number][])
    host.on(signal, () => {
      const next = signal === 'SIGHUP' ? undefined : waiting.shift();
      if (next) return next();
      end();
      host.exit(code);
    });
  // Else the trace would stay on the alternate screen, and the prompt come back without a cursor.
  host.once('uncaughtException', (error) => {
    end();
    printing(host.stderr).write(`${error instanceof Error ? error.stack : String(error)}\n`);
    host.exit(EXIT.failed);
  });
  const code = await execute(argv, host, {
    atEnd: (work) => {
      endings.add(work);
      return () => endings.delete(work);
    },
    untilInterrupted: untilSignal,
    untilInterruptedAgain: untilSignal,
    exit: (code) => void host.exit(code),
  });
  end();
  host.exitCode = code;
}

/** For a command that nothing interrupts. */
export const ENDLESS: Life = {
  atEnd: () => () => undefined,
  untilInterrupted: () => new Promise(() => undefined),
  untilInterruptedAgain: () => new Promise(() => undefined),
  exit: () => undefined,
};

/** The exit code of one command line. */
export async function execute(given: readonly string[], host: Host, life: Life = ENDLESS): Promise<number> {
  const words = codesLast(given);
  const argv = isAlone(words) && host.stdin.isTTY && host.stdout.isTTY ? [...words, 'dashboard'] : words;
  let asked: { spec: CommandSpec; path: string[] } | undefined;
  let context: Context | undefined;
  const program = build(ROOT, [], argv, {
    run: async (spec, path, given, globals) => {
      context = createContext(argv, host, globals, life);
      const run = await spec.load?.();
      if (!run) throw new Error(`${path.join(' ')} has nothing to run`);
      await run(context, given as never);
    },
    help: (spec, path) => {
      asked = { spec, path };
    },
  });
  try {
    await program.parseAsync(argv as string[], { from: 'user' });
    return EXIT.done;
  } catch (error) {
    context ??= createContext(argv, host, earlyFlags(argv), life);
    if (error instanceof Ended) return error.exit;
    if (error instanceof Interrupted) return SIGNAL_EXIT.SIGINT;
    if (error instanceof CommanderError && asked) {
      const { showHelp } = await import('./help.ts');
      await showHelp(context, asked.spec, asked.path);
      return EXIT.done;
    }
    const { showError } = await import('./show-error.ts');
    return showError(context, error);
  }
}

/** A code from a mail is random: one in 64 begins with a dash, and would be taken for an option. */
const isCode = (word: string, before: string | undefined): boolean =>
  /^-[\w-]{15,}$/.test(word) && /[A-Z\d_]/.test(word) && !before?.startsWith('-');

function codesLast(argv: readonly string[]): readonly string[] {
  const code = argv.find((word, at) => isCode(word, argv[at - 1]));
  return code === undefined || argv.includes('--') ? argv : [...argv.filter((word) => word !== code), '--', code];
}

/** Nothing but global options: on a terminal, the dashboard is meant. */
function isAlone(argv: readonly string[]): boolean {
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at]!;
    const option = GLOBAL_OPTIONS.find(({ flags }) => `--${optionKey(flags)}` === word.split('=')[0] || flags.split(', ').includes(word));
    if (!option) return false;
    if (option.flags.includes('<') && !word.includes('=')) at += 1;
  }
  return true;
}

/** What errors before the parse need to know. */
function earlyFlags(argv: readonly string[]): GlobalFlags {
  const said =
    argv.find((word) => word.startsWith('--color='))?.slice('--color='.length) ?? argv.find((_, at) => argv[at - 1] === '--color');
  const color = (['always', 'never'] as const).find((each) => each === said);
  return { json: argv.includes('--json'), ...(color && { color }) };
}

type Hooks = {
  run: (spec: CommandSpec, path: string[], given: Record<string, unknown>, globals: GlobalFlags) => Promise<void>;
  help: (spec: CommandSpec, path: string[]) => void;
};

/** The commands that these words can reach; of the others only the names, for suggestions. */
function build(spec: CommandSpec, path: string[], argv: readonly string[], hooks: Hooks): Command {
  const command = new Command(spec.name)
    .exitOverride()
    .helpOption('-h, --help')
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .configureHelp({
      formatHelp: () => {
        hooks.help(spec, path);
        return '';
      },
    });
  if (path.length === 0) for (const each of GLOBAL_OPTIONS) command.addOption(toOption(each));
  for (const each of spec.options ?? []) command.addOption(toOption(each));
  for (const each of spec.arguments ?? []) command.argument(each);
  for (const each of spec.commands ?? []) {
    const isDefault = each.name === spec.otherwise;
    const isReachable = isDefault || argv.includes(each.name);
    command.addCommand(isReachable ? build(each, [...path, each.name], argv, hooks) : new Command(each.name), { isDefault });
  }
  if (spec.commands) command.helpCommand('help [command]');
  if (spec.load)
    command.action(async (...given: unknown[]) => {
      const names = spec.arguments ?? [];
      const named = Object.fromEntries(names.map((name, index) => [argumentKey(name), given[index]]));
      const globals = command.optsWithGlobals() as GlobalFlags;
      await hooks.run(spec, path, { ...command.opts(), ...named }, globals);
    });
  return command;
}

function toOption({ flags, choices, default: byDefault, many }: OptionSpec): Option {
  const option = new Option(flags);
  if (choices) option.choices([...choices]);
  if (byDefault !== undefined) option.default(byDefault);
  if (many) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
  return option;
}
