import type { AppContext } from '../app/context.ts';
import { refusalOf } from '../mail/mail-refusal.ts';
import { DeliveryError } from './delivery-error.ts';
import type { Carrier } from './delivery-outbox.ts';

/** Notifications as mails to the account's confirmed address. */
export function emailChannel({
  database,
  mailer,
  texts,
  publicUrl,
}: Pick<AppContext, 'database' | 'mailer' | 'texts' | 'publicUrl'>): Carrier {
  return async ({ id, accountId, title, text, link, language }) => {
    const account = await database.queries
      .selectFrom('accounts')
      .select(['email', 'email_confirmed'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (account?.email_confirmed !== 1) throw new DeliveryError('channel-gone');
    const parts = [text, link, texts.text(language, 'notifications.mail.footer', { link: `${publicUrl()}/user/my-account` })];
    const body = parts.filter((part) => part !== null && part !== '').join('\n\n');
    try {
      // A line break in a subject would begin another header; nodemailer folds it, and we send none.
      await mailer.send('mail', id, { to: account.email, subject: `Pilotfish: ${title.replace(/\s+/g, ' ')}`, text: body });
    } catch (error) {
      const { permanent, address } = refusalOf('mail', error);
      throw new DeliveryError('mail-refused', { permanent, channelLost: address, cause: error });
    }
  };
}
