import type { Database } from '../database/database.ts';

/** A message that did not leave. Its words and its receiver stay sealed. */
export type UnsentMail = {
  readonly id: string;
  /** Epoch ms. */
  readonly createdAt: number;
  readonly channel: 'mail' | 'sms';
  /** `given-up`: tried no more. */
  readonly state: 'waiting' | 'given-up';
  readonly attempts: number;
  readonly failure: string | null;
};

/** Everything that waits or was given up, oldest first. */
export async function unsentMails({ queries }: Pick<Database, 'queries'>): Promise<UnsentMail[]> {
  const rows = await queries
    .selectFrom('mail_outbox')
    .select(['id', 'created_at', 'channel', 'failed_at', 'attempts', 'failure'])
    .where('sent_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ created_at, failed_at, ...row }) => ({
    ...row,
    createdAt: created_at,
    state: failed_at === null ? 'waiting' : 'given-up',
  }));
}

/**
 * Lets messages begin anew, with a life of their own; a running server takes them up within seconds.
 * @param id undefined for all that were given up. @returns how many
 */
export async function sendAgain({ queries }: Pick<Database, 'queries'>, time: number, id?: string): Promise<number> {
  let update = queries
    .updateTable('mail_outbox')
    .set({ attempts: 0, created_at: time, due_at: time, failed_at: null })
    .where('sent_at', 'is', null);
  update = id === undefined ? update.where('failed_at', 'is not', null) : update.where('id', '=', id);
  return Number((await update.executeTakeFirst()).numUpdatedRows);
}
