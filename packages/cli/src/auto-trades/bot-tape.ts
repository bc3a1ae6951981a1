import { writeFile } from 'node:fs/promises';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { botsClient, findBot } from './find-bot.ts';

/** What a bot was told while its instance recorded, as a file for `replay` and `backtest run --ticks`. */
export async function tape(context: Context, { bot: wanted, file }: { bot: string; file: string }): Promise<void> {
  const client = await botsClient(context);
  const bot = await findBot(client, wanted);
  const text = await client.downloadAutoTradeTape({ params: { id: bot.id } });
  if (text === '') throw new LocalFailure('noTape', { bot: bot.name }, { exit: EXIT.notFound });
  if (file === '-') return void context.stdout.write(text);
  await writeFile(file, text, { mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new LocalFailure('cannotWrite', { file, reason: error.code ?? '' }, { exit: EXIT.failed, cause: error });
  });
  await context.say('cli.bots.tape', { file, bot: bot.name });
}
