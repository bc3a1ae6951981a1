import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure } from '../app/failure.ts';
import { pricePlaces } from '../app/price-places.ts';
import type { Translate } from '../app/texts.ts';
import { colours } from '../ui/colour.ts';
import { printOne } from '../ui/output.ts';
import { confirm, requireTerminal } from '../ui/prompt.ts';
import { type Checked, checkBot } from './bot-check.ts';
import { bots } from './bot-columns.ts';
import { loadNames, type Names, toFile } from './bot-names.ts';
import { parseBots } from './bot-source.ts';
import { toYaml } from './bot-yaml.ts';
import { diffLines, positionLines, sellsNow } from './diff-lines.ts';
import { type BotsClient, botsClient, findBot } from './find-bot.ts';
import { settingsDiff } from './settings-diff.ts';

/** Begins the comments that are written into the file; they are taken out again when it is read. */
const MARK = '#!';

/**
 * Opens the settings of a bot in the person's editor until they are right or given up, shows what would change, and
 * saves them in place of the version that was opened. What was typed is never lost: where it is not saved, its file
 * stays and is named.
 */
export async function edit(context: Context, { bot: wanted, applyToOpen }: { bot: string; applyToOpen?: true }): Promise<void> {
  if (!context.globals.yes) requireTerminal(context, '--yes');
  const client = await botsClient(context);
  const [bot, names, t] = await Promise.all([findBot(client, wanted), loadNames(context), context.texts()]);
  const folder = mkdtempSync(join(context.env.TMPDIR || tmpdir(), 'pilotfish-edit-'));
  const file = join(folder, 'bot.yaml');
  const original = await toYaml(toFile(bot.config, names));
  let isKept = false;
  try {
    const found = await editUntilRight(context, { client, bot, names, t, file, original, applyToOpen: applyToOpen === true });
    const diff = found ? settingsDiff(toFile(bot.config, names), toFile(found.config, names)) : [];
    if (!found || diff.length === 0) return await context.say('cli.bots.unchanged', { name: bot.name });
    const drawing = { paint: colours(context, context.stderr), unicode: context.unicode, places: await pricePlaces(context) };
    const open = found.openPositions.length > 0 ? [`  ${t('cli.bots.openChange')}`, ...positionLines(found.openPositions, t, drawing)] : [];
    context.stderr.write(`${[drawing.paint.bold(bot.name), ...diffLines(diff, drawing), ...open].join('\n')}\n`);
    if (!(await confirm(context, 'cli.bots.save', { name: bot.name }))) throw new Ended(EXIT.failed);
    // Agreed to is what was shown; what would be sold only now is refused.
    const query = {
      version: String(bot.configVersion),
      applyToOpen: String(applyToOpen === true),
      sellNow: String(sellsNow(found.openPositions)),
    };
    const saved = await client.updateAutoTrade({ params: { id: bot.id }, body: found.config, query });
    if (saved.autoTrade) await printOne(context, bots(t), saved.autoTrade);
  } catch (error) {
    isKept = isTyped(file, original);
    if (isKept) await context.say('cli.bots.editKept', { file });
    throw error;
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}

const isTyped = (file: string, original: string): boolean =>
  existsSync(file) && ![original, ''].includes(withoutMarks(readFileSync(file, 'utf8')));

type Editing = {
  client: BotsClient;
  bot: AutoTrade;
  names: Names;
  t: Translate;
  file: string;
  original: string;
  applyToOpen: boolean;
};
type Found = Checked & { config: AutoTradeConfig };
type Complaint = { line: number; message: string };

/** Undefined when nothing was changed. @throws LocalFailure `editGivenUp` when errors come back as they were */
async function editUntilRight(context: Context, editing: Editing): Promise<Found | undefined> {
  const { bot, t, file, original } = editing;
  const head = [t('cli.bots.editHead', { name: bot.name, version: bot.configVersion }), t('cli.bots.editHelp')];
  const headed = (lines: readonly string[], body: string) => `${lines.map((line) => `${MARK} ${line}\n`).join('')}${body}`;
  let text = headed(head, original);
  let refused: string | undefined;
  for (;;) {
    writeFileSync(file, text, { mode: 0o600 });
    await openEditor(context, file);
    const written = withoutMarks(readFileSync(file, 'utf8'));
    if (written.trim() === '' || written === original) return undefined;
    if (written === refused) throw new LocalFailure('editGivenUp');
    const { complaints, found } = await inspect(written, editing);
    if (found) return found;
    await context.say('cli.bots.editWrong', { count: complaints.length });
    text = headed([...head, t('cli.bots.editAgain', { count: complaints.length })], annotated(written, complaints));
    refused = written;
  }
}

async function inspect(text: string, { client, bot, names, t, applyToOpen }: Editing): Promise<{ complaints: Complaint[]; found?: Found }> {
  try {
    const [source, ...more] = await parseBots('bot.yaml', text);
    if (!source || more.length > 0) throw new LocalFailure('manyBots', { file: 'bot.yaml', count: more.length + 1 });
    const checked = await checkBot(client, source.draft, { names, t, bot, applyToOpen });
    if (checked.config) return { complaints: [], found: { ...checked, config: checked.config } };
    return { complaints: checked.problems.map(({ path, message }) => ({ line: source.lineOf(path), message: `${path}: ${message}` })) };
  } catch (error) {
    if (!(error instanceof LocalFailure)) throw error;
    const line = Number(/:(\d+)$/.exec(String(error.values.file))?.[1] ?? 1);
    return { complaints: [{ line, message: t(`cli.failures.${error.code}`, error.values) }] };
  }
}

/** Each complaint as a comment above the line it is about. */
export function annotated(text: string, complaints: readonly Complaint[]): string {
  const lines = text.split('\n');
  for (const { line, message } of [...complaints].sort((a, b) => b.line - a.line)) {
    const at = Math.min(Math.max(0, line - 1), lines.length - 1);
    const indent = /^ */.exec(lines[at] ?? '')?.[0] ?? '';
    lines.splice(at, 0, `${indent}${MARK} ${message.replace(/\s+/g, ' ')}`);
  }
  return lines.join('\n');
}

export const withoutMarks = (text: string): string =>
  text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith(MARK))
    .join('\n');

async function openEditor(context: Context, file: string): Promise<void> {
  const editor = context.env.VISUAL || context.env.EDITOR || (process.platform === 'win32' ? 'notepad' : 'vi');
  // Editors come with options ("code --wait"), so a shell reads the words; the file's name is no part of them.
  const [command, words] =
    process.platform === 'win32' ? ['cmd', ['/c', `${editor} "${file}"`]] : ['sh', ['-c', `${editor} "$@"`, editor, file]];
  const ended = await new Promise<number | string>((resolve) => {
    // Data that is read from a pipe must not be mixed with what an editor draws.
    const child = spawn(command as string, words as string[], {
      stdio: ['inherit', context.stdout.isTTY ? 'inherit' : 2, 'inherit'],
      env: context.env as NodeJS.ProcessEnv,
    });
    child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'error'));
  });
  if (ended !== 0) throw new LocalFailure('editorFailed', { editor, reason: ended });
}
