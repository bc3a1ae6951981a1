import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDecimalText } from '@pilotfish/core/money/decimal';
import type { Document, Node, Pair } from 'yaml';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { readStdin } from '../ui/prompt.ts';

/** Settings before the server has checked them: a tree of what was written. */
export type Draft = { [key: string]: unknown };

/** One bot as it is written in a file. */
export type BotSource = {
  /** As the person named it; `-` is stdin. */
  readonly file: string;
  readonly draft: Draft;
  /** The line that a setting stands on, counted from 1; of what is not written, the line of what should hold it. */
  readonly lineOf: (path: string) => number;
};

const unreadable = (file: string, error: unknown) =>
  new LocalFailure('cannotRead', { file, reason: String((error as NodeJS.ErrnoException).code) }, { exit: EXIT.usage, cause: error });

/**
 * The bots of a file, of all YAML and JSON files of a folder in the order of their names, or of stdin (`-`). A file
 * may hold several, divided by `---`; `<<: *name` takes over what `&name` marks.
 * @throws LocalFailure `cannotRead`, `notYaml`, `notSettings`, `noBotFiles`
 */
export async function readBotSources(context: Pick<Context, 'stdin'>, path: string): Promise<BotSource[]> {
  if (path === '-') return parseBots(path, await readStdin(context));
  let files: readonly string[];
  try {
    files = statSync(path).isDirectory()
      ? readdirSync(path)
          .filter((name) => /^[^.].*\.(ya?ml|json)$/i.test(name))
          .sort((a, b) => (a < b ? -1 : 1))
          .map((name) => join(path, name))
      : [path];
  } catch (error) {
    throw unreadable(path, error);
  }
  if (files.length === 0) throw new LocalFailure('noBotFiles', { folder: path }, { exit: EXIT.usage });
  return (await Promise.all(files.map(async (file) => parseBots(file, readText(file))))).flat();
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** The bots of a text. @throws LocalFailure `notYaml`, `notSettings` naming the file and the line */
export async function parseBots(file: string, text: string): Promise<BotSource[]> {
  const yaml = await import('yaml');
  const lines = new yaml.LineCounter();
  const parsed = yaml.parseAllDocuments(text, { lineCounter: lines, merge: true });
  const documents: Document[] = 'empty' in parsed ? [] : parsed;
  const written = documents.filter(
    ({ contents, errors }) => errors.length > 0 || (contents !== null && !(yaml.isScalar(contents) && contents.value === null)),
  );
  if (written.length === 0) throw new LocalFailure('notSettings', { file }, { exit: EXIT.usage });
  return written.map((document) => {
    const notYaml = (reason: string, line: number, cause: unknown) =>
      new LocalFailure('notYaml', { file: `${file}:${line}`, reason: reason.replace(/:$/, '') }, { exit: EXIT.usage, cause });
    const [error] = document.errors;
    if (error) throw notYaml(error.message.split('\n')[0] ?? '', error.linePos?.[0].line ?? 1, error);
    const { contents } = document;
    const place = (offset: number | undefined) => lines.linePos(offset ?? 0).line;
    if (!yaml.isMap(contents)) throw new LocalFailure('notSettings', { file }, { exit: EXIT.usage });
    amountsAsWritten(document, yaml);
    let draft: Draft;
    try {
      draft = document.toJS() as Draft;
    } catch (cause) {
      throw notYaml((cause as Error).message, place(contents.range?.[0]), cause);
    }
    return { file, draft, lineOf: (path) => place(offsetOf(contents, path, yaml)) };
  });
}

/** Settings whose values are counts; every other number is money or a percentage, which travel as text. */
const COUNTS = /(Min|Sec|Hours|max(OpenPositions|Reprices|PositionsPerCoin))$|^(hours|count|minTrades|minMinutesBetween)$/;

/** Rules of the screener compare with numbers. */
const RULES: ReadonlySet<string> = new Set(['rules', 'conditions']);

type Yaml = typeof import('yaml');
const keyOf = ({ key }: Pair, { isScalar }: Yaml): string => (isScalar(key) ? String(key.value) : '');

/** `size: 15` in YAML is a number; amounts are text on the wire, digit for digit as they were written. */
function amountsAsWritten(document: Document, yaml: Yaml): void {
  yaml.visit(document, {
    Pair: (_, pair) => (RULES.has(keyOf(pair, yaml)) ? yaml.visit.SKIP : undefined),
    Scalar: (_, scalar, path) => {
      if (typeof scalar.value !== 'number') return;
      const pair = path.findLast((each) => yaml.isPair(each)) as Pair | undefined;
      if (pair && COUNTS.test(keyOf(pair, yaml))) return;
      const { source = '' } = scalar;
      scalar.value = isDecimalText(source) ? source : String(scalar.value);
    },
  });
}

/** What the server calls otherwise than a file does. */
const WRITTEN: Readonly<Record<string, string>> = { walletId: 'wallet', coinFilterIds: 'filters' };

/** Where a path begins: its key, or the deepest part of it that is written. */
function offsetOf(root: Node, path: string, yaml: Yaml): number | undefined {
  let node: unknown = root;
  let offset = root.range?.[0];
  for (const part of path.split('.')) {
    if (yaml.isMap(node)) {
      const { items }: { items: Pair[] } = node;
      const pair = items.find((each) => keyOf(each, yaml) === part) ?? items.find((each) => keyOf(each, yaml) === WRITTEN[part]);
      if (!pair) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (yaml.isSeq(node)) {
      // A list of rules stands for a group: the group's own name is not written.
      if (!/^\d+$/.test(part)) continue;
      const item = node.items[Number(part)] as Node | undefined;
      if (!item) return offset;
      offset = item.range?.[0] ?? offset;
      node = item;
    } else return offset;
  }
  return offset;
}
