import type { OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { AppContext } from '../app/context.ts';
import { foldName } from '../auth/accounts-store.ts';
import { sha256 } from '../secrets/secret-box.ts';

export type ChannelTroubles = {
  /**
   * A receiver said for good that it takes nothing more: its channel is left alone until it is mended, and its owner is
   * told once, by the others.
   * @param reason a code of `notifications.failures`
   */
  lost(accountId: string, channel: OuterChannel, reason: string): Promise<void>;
  /** The channel works again, or was set up anew. */
  heal(accountId: string, channel: OuterChannel): Promise<void>;
  /** What became of a mail to an address, whoever sent it. */
  mailOutcome(to: string, outcome: 'sent' | 'address-refused'): Promise<void>;
};

/** Where to look at one's channels. */
const SETTINGS_LINK = '/user/notifications';

export function channelTroubles({ database, notifier, now }: Pick<AppContext, 'database' | 'notifier' | 'now'>): ChannelTroubles {
  const { queries } = database;

  const lost: ChannelTroubles['lost'] = async (accountId, channel, reason) => {
    const since = now();
    await database.transaction(async (inside) => {
      const account = await inside
        .selectFrom('accounts')
        .select('email_key')
        .where('id', '=', accountId)
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (account === undefined) return;
      // A chat or a browser that is gone is not set up any more: there is nothing to leave alone.
      if (channel === 'email' || channel === 'webhook') {
        const target = channel === 'email' ? sha256(account.email_key) : '';
        await inside
          .deleteFrom('channel_troubles')
          .where('account_id', '=', accountId)
          .where('channel', '=', channel)
          .where('target', '!=', target)
          .execute();
        const added = await inside
          .insertInto('channel_troubles')
          .values({ account_id: accountId, channel, target, reason, since })
          .onConflict((conflict) => conflict.columns(['account_id', 'channel']).doNothing())
          .executeTakeFirst();
        if ((added.numInsertedOrUpdatedRows ?? 0n) === 0n) return;
      }
      await notifier.enqueue(inside, {
        accountId,
        kind: 'channel-lost',
        code: 'channel-lost',
        facts: { channelKey: `notifications.channels.${channel}`, reasonKey: `notifications.failures.${reason}` },
        link: SETTINGS_LINK,
        key: `channel-lost:${channel}:${since}`,
      });
    });
    notifier.wake();
  };
  const heal: ChannelTroubles['heal'] = async (accountId, channel) => {
    await queries.deleteFrom('channel_troubles').where('account_id', '=', accountId).where('channel', '=', channel).execute();
  };

  return {
    lost,
    heal,
    mailOutcome: async (to, outcome) => {
      const account = await queries
        .selectFrom('accounts')
        .select('id')
        .where('email_key', '=', foldName(to))
        .where('deleted_at', 'is', null)
        .executeTakeFirst();
      if (account === undefined) return;
      if (outcome === 'sent') await heal(account.id, 'email');
      else await lost(account.id, 'email', 'mail-refused');
    },
  };
}
