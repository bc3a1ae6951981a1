/** What failed: a test, or what is around tests (a hook, a file that does not load). */
export type Failure = {
  /** Path from the root of the repository. */
  readonly file: string;
  readonly project: string;
  /** Names of the suites around it and its own; none for a whole file. */
  readonly names: readonly string[];
  readonly isTest: boolean;
  /** The first line of its error, where that is not shown by the test's own report. */
  readonly because?: string | undefined;
  /** Epoch ms. */
  readonly virtualTime?: number | undefined;
};

export type Run = { readonly isDeep: boolean; readonly seed: number; readonly environment: NodeJS.ProcessEnv };

/** Variables that change what a test does. No others: a log must not tell secrets. */
const TOLD = /^(TZ|PILOTFISH_(TEST_DIALECT|SEED|FUZZ_\w+|TRIP_\w+|SOAK_\w+|KILLS|KILL_ROUNDS|CRASHES|PARITY_HOURS|E2E_BUILD))$/;

/** One word for a POSIX shell, whatever is in it. */
const quoted = (text: string): string => (/^[\w./:@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** As a regular expression that matches only this text; a line break or tab, which no command line should hold, is any character. */
const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, '[^]');

/** `NAME=value` for what the run was given, in front of the command. A faked date goes on from its beginning. */
function given(environment: NodeJS.ProcessEnv): string[] {
  const told = Object.entries(environment)
    .filter(([name, value]) => TOLD.test(name) && value !== undefined)
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([name, value = '']) => `${name}=${quoted(value)}`);
  const date = environment.PILOTFISH_DATE;
  if (date === undefined) return told;
  return [
    ...told,
    `PILOTFISH_DATE=${quoted(date)}`,
    'PILOTFISH_DATE_SINCE="$(date +%s)000"',
    'NODE_OPTIONS="--import $PWD/scripts/faked-date.mjs"',
  ];
}

/** Says what failed with what it depends on, and the command, for a shell at the root, that runs only this. */
export function failureLines(failure: Failure, { isDeep, seed, environment }: Run): string[] {
  const { file, project, names, isTest, because, virtualTime } = failure;
  const facts = [`seed ${seed}`, ...(virtualTime === undefined ? [] : [`virtual time ${new Date(virtualTime).toISOString()}`])];
  const name = names.length === 0 ? file : names.join(' > ').replaceAll(/\s/g, ' ');
  // Vitest looks for the pattern in the names of the suites and the test, with a space between them.
  const pattern = `^${literally(names.join(' '))}${isTest ? '$' : ' '}`;
  const words = [
    ...given(environment),
    'npx vitest run',
    ...(isDeep ? ['--config vitest.deep.config.ts'] : []),
    `--project ${project}`,
    quoted(file),
    ...(names.length === 0 ? [] : ['-t', quoted(pattern)]),
  ];
  return [`Failed: ${name}${because === undefined ? '' : `: ${because}`} (${facts.join(', ')})`, `  alone: ${words.join(' ')}`];
}
