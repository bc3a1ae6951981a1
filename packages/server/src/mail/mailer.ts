import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Timers } from '@pilotfish/core/time/timers';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import type { Logger } from 'pino';
import * as z from 'zod';
import type { Settings } from '../app/settings.ts';
import type { Database, Queries } from '../database/database.ts';
import { credentialsApart } from '../http/url-credentials.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import { refusalOf } from './mail-refusal.ts';

const messageSchema = z.object({ to: z.string(), subject: z.string(), text: z.string() });
export type Message = z.infer<typeof messageSchema>;

/** Sends one message; a throw means "try again later". */
type Carrier = (id: string, message: Message) => Promise<void>;

export type Mailer = {
  /**
   * Puts a message into the outbox, in the transaction of what caused it.
   * @param message undefined for a decoy: the same work, nothing sent
   */
  enqueue(queries: Queries, channel: 'mail' | 'sms', message: Message | undefined): Promise<void>;
  /** Sends one message at once, past the outbox, for callers that keep their own. @throws whatever the carrier says */
  send(channel: 'mail' | 'sms', id: string, message: Message): Promise<void>;
  /** Sends what is due; resolves when nothing is left to do now. */
  deliver(): Promise<void>;
  /** Wakes the sender after a commit, without waiting for it. */
  wake(): void;
  /** Waits for a delivery under way. */
  settle(): Promise<void>;
  /** Told of every mail that left, and of every address that was refused for good. Given once. */
  onOutcome(listener: (to: string, outcome: 'sent' | 'address-refused') => Promise<void>): void;
  /** Forgets messages that left or were given up long ago. */
  purge(): Promise<void>;
};

const FROM = 'Pilotfish <pilotfish@localhost>';
const BATCH = 20;
/** Seconds until the next try, by tries made. */
const RETRY_SECONDS = [10, 60, 300, 1800, 7200, 21_600];
/** After that nobody waits for the message any more; the last try is at the end of it. */
export const MAIL_LIFE_MS = 48 * 3_600_000;
/** How long what left, or was given up, is kept. */
const KEPT_MS = 30 * 86_400_000;

export const mailBinding = (id: string) => ({ user: 'instance', kind: 'mail', field: id });
export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox');

export function createMailer(options: {
  database: Database;
  secretBox: SecretBox;
  settings: Pick<Settings, 'dataDir' | 'smtpUrl' | 'smsWebhookUrl'>;
  now: () => number;
  timers: Pick<Timers, 'deadline'>;
  newId: () => string;
  log: Logger;
}): Mailer {
  const { database, secretBox, settings, now, timers, newId, log } = options;
  const carriers: Record<'mail' | 'sms', Carrier> = {
    mail: settings.smtpUrl === undefined ? intoFolder(settings.dataDir, now) : overSmtp(settings.smtpUrl),
    sms: settings.smsWebhookUrl === undefined ? intoFolder(settings.dataDir, now) : overWebhook(settings.smsWebhookUrl, timers),
  };

  type Row = { id: string; channel: 'mail' | 'sms'; message: string | null; attempts: number; created_at: number };
  let tellOutcome: Parameters<Mailer['onOutcome']>[0] = async () => undefined;
  const told = (to: string, outcome: 'sent' | 'address-refused') =>
    tellOutcome(to, outcome).catch((error: unknown) => log.error({ err: error }, 'what became of a mail could not be told'));

  const sendOne = async (row: Row): Promise<void> => {
    const time = now();
    const endsAt = row.created_at + MAIL_LIFE_MS;
    const delay = (RETRY_SECONDS[Math.min(row.attempts, RETRY_SECONDS.length - 1)] ?? 60) * 1000;
    // Claimed by moving its due time, so a second process leaves it alone while this one sends.
    const claimed = await database.queries
      .updateTable('mail_outbox')
      .set({ attempts: row.attempts + 1, due_at: time < endsAt ? Math.min(time + delay, endsAt) : time + delay })
      .where('id', '=', row.id)
      .where('attempts', '=', row.attempts)
      .where('sent_at', 'is', null)
      .where('failed_at', 'is', null)
      .executeTakeFirst();
    if (claimed.numUpdatedRows === 0n) return;
    let message: Message | undefined;
    try {
      if (row.message !== null) {
        message = messageSchema.parse(JSON.parse(secretBox.open(row.message, mailBinding(row.id))));
        await carriers[row.channel](row.id, message);
      }
      const failure = row.message === null ? 'decoy' : null;
      await database.queries.updateTable('mail_outbox').set({ sent_at: now(), message: null, failure }).where('id', '=', row.id).execute();
      if (message !== undefined && row.channel === 'mail') await told(message.to, 'sent');
    } catch (error) {
      const { permanent, address } = refusalOf(row.channel, error);
      const gaveUp = permanent || now() >= endsAt;
      const reason = toldOf(error);
      const failure = [reason.reason, reason.status].filter((part) => part !== undefined).join(' ');
      await database.queries
        .updateTable('mail_outbox')
        .set({ failure, failed_at: gaveUp ? now() : null })
        .where('id', '=', row.id)
        .execute();
      log.warn(
        { ...reason, channel: row.channel, attempts: row.attempts + 1 },
        gaveUp ? 'a message could not be sent; it was given up' : 'a message could not be sent; it stays in the outbox',
      );
      if (address && message !== undefined) await told(message.to, 'address-refused');
    }
  };

  const deliver = async (): Promise<void> => {
    for (;;) {
      const rows = await database.queries
        .selectFrom('mail_outbox')
        .select(['id', 'channel', 'message', 'attempts', 'created_at'])
        .where('sent_at', 'is', null)
        .where('failed_at', 'is', null)
        .where('due_at', '<=', now())
        .orderBy('due_at')
        .limit(BATCH)
        .execute();
      if (rows.length === 0) return;
      for (const row of rows) await sendOne(row);
    }
  };

  let running: Promise<void> | undefined;
  let again = false;
  const wake = (): void => {
    if (running !== undefined) {
      again = true;
      return;
    }
    // After the answer that caused it is on its way: whether there is anything to send must not show in its time.
    running = new Promise<void>((resolve) => setImmediate(resolve))
      .then(deliver)
      .catch((error: unknown) => log.error({ err: error }, 'the outbox could not be read'))
      .finally(() => {
        running = undefined;
        if (again) {
          again = false;
          wake();
        }
      });
  };

  return {
    enqueue: async (queries, channel, message) => {
      const id = newId();
      const time = now();
      const sealed = secretBox.seal(JSON.stringify(message ?? { to: '', subject: '', text: '' }), mailBinding(id));
      await queries
        .insertInto('mail_outbox')
        .values({
          id,
          channel,
          message: message === undefined ? null : sealed,
          attempts: 0,
          due_at: time,
          created_at: time,
          sent_at: null,
          failed_at: null,
          failure: null,
        })
        .execute();
    },
    send: (channel, id, message) => carriers[channel](id, message),
    deliver,
    wake,
    settle: async () => {
      while (running !== undefined) await running;
    },
    onOutcome: (listener) => {
      tellOutcome = listener;
    },
    purge: async () => {
      const before = now() - KEPT_MS;
      await database.queries
        .deleteFrom('mail_outbox')
        .where((build) => build.or([build('sent_at', '<', before), build('failed_at', '<', before)]))
        .execute();
    },
  };
}

/** What the log says of a failure. Only codes: the other side's words may repeat an address or the password. */
function toldOf(error: unknown): { reason: string; status: number | undefined } {
  const { name, code, responseCode, cause } = error as { name: string; code?: string; responseCode?: unknown; cause?: { code?: string } };
  return { reason: code ?? cause?.code ?? name, status: typeof responseCode === 'number' ? responseCode : undefined };
}

function overSmtp(url: string): Carrier {
  const transport = createTransport(url);
  return async (id, { to, subject, text }) => {
    // The same Message-ID at every try lets the receiver recognise a repetition.
    await transport.sendMail({ from: FROM, to, subject, text, messageId: `<${id}@pilotfish>` });
  };
}

function overWebhook(webhook: string, timers: Pick<Timers, 'deadline'>): Carrier {
  const { url, headers } = credentialsApart(webhook);
  return async (id, { to, text }) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': id, ...headers },
      body: JSON.stringify({ to, text }),
      redirect: 'error',
      signal: timers.deadline(10_000),
    });
    await answer.body?.cancel();
    if (!answer.ok) throw Object.assign(new Error('The SMS webhook refused the message.'), { responseCode: answer.status });
  };
}

/** Without a mail server every message becomes a file that `pilotfish admin outbox` reads. */
function intoFolder(dataDir: string, now: () => number): Carrier {
  return async (id, { to, subject, text }) => {
    const folder = outboxFolder(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A phone number is no address, so a text message names it in a header of its own.
    const receiver = to.includes('@') ? { to } : { headers: { 'X-Pilotfish-Phone': to } };
    const content = await new MailComposer({
      from: FROM,
      ...receiver,
      subject,
      text,
      date: new Date(now()),
      messageId: `<${id}@pilotfish>`,
    })
      .compile()
      .build();
    const file = join(folder, `${id}.eml`);
    writeFileSync(`${file}.new`, content, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
}
