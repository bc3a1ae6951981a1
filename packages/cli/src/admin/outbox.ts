import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { outboxFolder } from '@pilotfish/server/mail/mailer';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { readMail } from './read-mail.ts';
import { serverSettings } from './server-settings.ts';

type Listed = { id: string; at: string; to: string; subject: string };
const messages: Resource<Listed> = {
  empty: 'outbox',
  columns: [
    { key: 'id', value: ({ id }) => id },
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    { key: 'to', value: ({ to }) => to },
    { key: 'subject', value: ({ subject }) => subject },
  ],
};

/** Mails that a server without a mail server laid into its folder: the list, or one of them to read. */
export async function run(context: Context, { message, dataDir }: { message?: string; dataDir?: string }): Promise<void> {
  const folder = outboxFolder(serverSettings(context, dataDir).dataDir);
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.eml'))
        .sort()
    : [];
  const read = (name: string) => readMail(readFileSync(join(folder, name), 'utf8'));
  if (message === undefined) {
    const rows = names.map((name) => {
      const { headers } = read(name);
      return {
        id: name.slice(0, -'.eml'.length),
        at: new Date(headers.get('date') ?? 0).toISOString(),
        to: headers.get('to') ?? headers.get('x-pilotfish-phone') ?? '',
        subject: headers.get('subject') ?? '',
      };
    });
    await printRows(context, messages, rows);
    return;
  }
  const found = names.filter((name) => name.startsWith(message) || name.endsWith(`${message}.eml`));
  const [only] = found;
  if (!only || found.length > 1) throw new LocalFailure('noSuchMessage', { wanted: message }, { exit: EXIT.notFound });
  const { headers, body } = read(only);
  if (context.globals.json) context.stdout.write(`${JSON.stringify({ ...Object.fromEntries(headers), body })}\n`);
  else context.stdout.write(`${headers.get('subject') ?? ''}\n\n${body.trimEnd()}\n`);
}
