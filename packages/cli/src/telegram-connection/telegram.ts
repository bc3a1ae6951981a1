import type { Answer } from '@pilotfish/core/http/endpoint';
import { type getTelegramLink, telegramConnectionContract } from '@pilotfish/core/telegram-connection/telegram-connection-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, Interrupted, LocalFailure } from '../app/failure.ts';
import { localTime, printOne, type Resource } from '../ui/output.ts';
import { CANCELLED, confirm, openPrompts, requireTerminal } from '../ui/prompt.ts';
import { qrCode } from '../ui/qr-code.ts';

type Link = Answer<typeof getTelegramLink>;

const link: Pick<Resource<Link>, 'columns'> = {
  columns: [
    { key: 'connected', value: ({ connected }) => String(connected) },
    { key: 'connectedAt', value: ({ connectedAt }) => connectedAt ?? '', shown: ({ connectedAt }) => localTime(connectedAt) },
    { key: 'botName', value: ({ botName }) => botName ?? '' },
    { key: 'available', value: ({ available, reason }) => (available ? 'true' : `false (${reason ?? ''})`) },
    { key: 'mutedUntil', value: ({ mutedUntil }) => mutedUntil ?? '', shown: ({ mutedUntil }) => localTime(mutedUntil) },
  ],
};

/** Whether a chat is linked. A code to link one is not shown here: `connect` asks for it. */
export async function status(context: Context): Promise<void> {
  const client = await context.client(telegramConnectionContract);
  const { link: _link, code: _code, expiresAt: _expiresAt, ...shown } = await client.getTelegramLink();
  await printOne(context, link, shown);
}

/** Shows the link to the bot, then takes the code that the bot answers with. */
export async function connect(context: Context, { code }: { code?: string }): Promise<void> {
  const client = await context.client(telegramConnectionContract);
  const answer = code ?? (await askForCode(context, await client.getTelegramLink()));
  await client.connectTelegram(undefined, { headers: { code: answer.trim() } });
  await context.say('cli.telegram.connected');
}

async function askForCode(context: Context, found: Link): Promise<string> {
  const { available, reason, connected, link: deepLink, code, botName } = found;
  if (connected) throw new LocalFailure('telegramConnected', {}, { exit: EXIT.conflict });
  if (!available || deepLink === undefined) throw new LocalFailure('telegramUnavailable', { reason: reason ?? '' });
  const t = await context.texts();
  context.stderr.write(`${t('cli.telegram.open', { bot: botName ?? '' })}\n\n`);
  context.stderr.write(await qrCode(context, deepLink));
  context.stderr.write(`${deepLink}\n${t('cli.telegram.orType', { code: code ?? '' })}\n\n`);
  requireTerminal(context, '[code]');
  const prompts = openPrompts(context);
  try {
    const typed = await prompts.ask(t('cli.telegram.code'));
    if (typed === CANCELLED) throw new Interrupted();
    // The bot answers with a link; its code alone is enough.
    return /[?&]code=([^&\s]+)/.exec(typed)?.[1] ?? typed;
  } finally {
    prompts.close();
  }
}

export async function disconnect(context: Context): Promise<void> {
  const client = await context.client(telegramConnectionContract);
  if (!(await confirm(context, 'cli.telegram.disconnect', {}))) throw new Ended(EXIT.failed);
  await client.disconnectTelegram();
  await context.say('cli.telegram.disconnected');
}
