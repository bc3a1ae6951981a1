import type { AppContext } from '../app/context.ts';
import { DeliveryError } from '../notifications/delivery-error.ts';
import type { Carrier } from '../notifications/delivery-outbox.ts';
import type { TelegramChats } from './telegram-chats.ts';
import { type TelegramClient, TelegramError } from './telegram-client.ts';
import { bold, lines } from './telegram-markup.ts';

/** Notifications as messages to the linked chat. */
export function telegramChannel({ now, log }: Pick<AppContext, 'now' | 'log'>, chats: TelegramChats, client: TelegramClient): Carrier {
  return async ({ accountId, title, text, link, kind }) => {
    const chat = await chats.byAccount(accountId);
    if (chat === undefined) throw new DeliveryError('channel-gone');
    if (kind !== 'test' && chat.mutedUntil !== null && chat.mutedUntil > now()) throw new DeliveryError('muted');
    try {
      await client.send(chat.chat, lines(bold(title), text === '' ? undefined : text, link ?? undefined));
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      if (error.status === 403) {
        // Who blocked the bot wants no messages; the link is taken away, as if they had disconnected.
        log.info('a Telegram chat blocked the bot; it is unlinked');
        await chats.disconnect(accountId);
        throw new DeliveryError('chat-blocked', { channelLost: true });
      }
      if (error.status === 429) throw new DeliveryError('telegram-busy', { retryAfterMs: (error.retryAfterSeconds ?? 1) * 1000 });
      if (error.status === 0 || error.status >= 500) throw new DeliveryError('unreachable');
      throw new DeliveryError('telegram-refused', { permanent: error.status === 400 });
    }
  };
}
