import { AppError } from '@pilotfish/core/http/problem';
import type { Cancel } from '@pilotfish/core/time/timers';
import type { AppContext } from '../app/context.ts';
import type { Feature } from '../app/feature.ts';
import type { Origin } from '../http/endpoint-handler.ts';
import type { InProcessCaller } from '../http/in-process-calls.ts';
import { writeLimiter } from '../http/write-limiter.ts';
import type { Carrier } from '../notifications/delivery-outbox.ts';
import { telegramChannel } from './telegram-channel.ts';
import { type TelegramChats, telegramChats } from './telegram-chats.ts';
import { type TelegramClient, telegramClient } from './telegram-client.ts';
import { COMMANDS, telegramDispatch } from './telegram-dispatch.ts';
import { lines } from './telegram-markup.ts';
import { telegramPoll } from './telegram-poll.ts';

const PURGE_MS = 3_600_000;

export type Telegram = {
  readonly chats: TelegramChats;
  /** Absent on an instance without a bot. */
  readonly client: TelegramClient | undefined;
  readonly carrier: Carrier | undefined;
};

export function openTelegram(context: AppContext): Telegram {
  const { telegramBotToken, telegramApiRoot } = context.settings;
  const chats = telegramChats(context);
  const client = telegramBotToken === undefined ? undefined : telegramClient(telegramBotToken, telegramApiRoot, context.timers);
  return { chats, client, carrier: client && telegramChannel(context, chats, client) };
}

/** Linking a chat, and the bot that answers it. */
export function telegramFeature(context: AppContext, { chats, client }: Telegram, call: InProcessCaller): Feature {
  const { accountExtras, audit, database, log, notifier, now, texts, timers } = context;
  const tries = writeLimiter(now, { perMinute: 1, burst: 10 });
  let botName: string | undefined;

  const nameOf = async (of: TelegramClient): Promise<string | undefined> => {
    botName ??= await of.me().then(
      ({ username }) => username,
      () => undefined,
    );
    return botName;
  };
  const iso = (time: number | null | undefined) => (time == null ? null : new Date(time).toISOString());

  accountExtras.hasTelegram = async (accountId) => (await chats.byAccount(accountId)) !== undefined;
  accountExtras.beforeDelete.push(async (accountId) => {
    await chats.disconnect(accountId);
  });

  const unlink = async (accountId: string, origin: Origin): Promise<void> => {
    const chat = await chats.disconnect(accountId);
    if (chat === undefined) throw new AppError('telegram-not-connected');
    await audit.record({ accountId, action: 'telegram.disconnect', origin });
    const account = await database.queries.selectFrom('accounts').select('language').where('id', '=', accountId).executeTakeFirst();
    const farewell = lines(texts.text(account?.language === 'tr' ? 'tr' : 'en', 'telegram.unlinked'));
    await client?.send(chat, farewell).catch(() => log.warn('an unlinked Telegram chat could not be told'));
  };
  accountExtras.connections.push({
    kind: 'telegram',
    list: async (accountId, queries) => {
      const rows = await queries.selectFrom('telegram_chats').select('connected_at').where('account_id', '=', accountId).execute();
      return rows.map((row) => ({ name: '', addedAt: row.connected_at }));
    },
    end: unlink,
  });

  const dispatch = client && telegramDispatch(context, { chats, client, call });
  const poll =
    client &&
    dispatch &&
    telegramPoll({ client, takeUp: (id) => chats.takeUp(id), handle: (update) => dispatch.handle(update), timers, log });
  const introduce = async (): Promise<void> => {
    if (client === undefined) return;
    for (const language of ['en', 'tr'] as const) {
      const about = (name: string) => texts.text(language, `telegram.about.${name}`);
      const menu = [...COMMANDS.map(({ name }) => name), 'help'].map((command) => ({ command, description: about(command) }));
      await client.setCommands(menu, language);
    }
  };

  let purger: Cancel | undefined;
  const purge = () => chats.purge().catch((error: unknown) => log.error({ err: error }, 'old Telegram codes could not be cleared'));
  return {
    handlers: {
      getTelegramLink: async ({ account }) => {
        const chat = await chats.byAccount(account.id);
        const known = {
          connected: chat !== undefined,
          connectedAt: iso(chat?.connectedAt),
          mutedUntil: chat?.mutedUntil != null && chat.mutedUntil > now() ? iso(chat.mutedUntil) : null,
        };
        if (client === undefined) return { ...known, available: false, reason: 'not-configured' as const };
        const name = await nameOf(client);
        if (name === undefined) return { ...known, available: false, reason: 'unreachable' as const };
        if (chat !== undefined) return { ...known, available: true, reason: null, botName: name };
        const made = await chats.startCode(account.id);
        if (made === undefined) throw new AppError('throttled', { retryAfter: 60 });
        const { code, expiresAt } = made;
        return {
          ...known,
          available: true,
          reason: null,
          botName: name,
          link: `https://t.me/${name}?start=${code}`,
          code,
          expiresAt: new Date(expiresAt).toISOString(),
        };
      },
      connectTelegram: async ({ account, header, origin, language }) => {
        if (client === undefined) throw new AppError('channel-unavailable');
        const wait = tries.take(account.id);
        if (wait > 0) throw new AppError('throttled', { retryAfter: wait });
        const linked = await chats.connect(account.id, header('code') ?? '');
        if (typeof linked === 'string') {
          await audit.record({ accountId: account.id, action: 'telegram.connect', outcome: 'failure', origin });
          throw new AppError(linked, { parameters: { context: 'telegram' } });
        }
        await database.transaction(async (queries) => {
          await audit.record({ accountId: account.id, action: 'telegram.connect', origin }, queries);
          await notifier.enqueue(queries, {
            accountId: account.id,
            kind: 'security',
            code: 'security-telegram-connected',
            facts: {},
            link: '/user/telegram-connect',
            key: `telegram:${origin.requestId}:${now()}`,
            channels: ['app', 'email', 'push', 'webhook'],
          });
        });
        notifier.wake();
        const greeting = texts.text(language, 'telegram.linked', { username: account.username });
        await client.send(linked, lines(greeting)).catch(() => log.warn('a linked Telegram chat could not be greeted'));
      },
      muteTelegram: async ({ account, body: { minutes } }) => {
        if ((await chats.byAccount(account.id)) === undefined) throw new AppError('telegram-not-connected');
        const until = minutes === null ? null : now() + minutes * 60_000;
        await chats.mute(account.id, until);
        return { mutedUntil: iso(until ?? undefined) };
      },
      disconnectTelegram: ({ account, origin }) => unlink(account.id, origin),
    },
    start: async () => {
      await chats.purge();
      purger = timers.every(PURGE_MS, () => void purge());
      if (poll === undefined) return;
      poll.start();
      introduce().catch(() => log.info('the commands could not be shown in Telegram; they work all the same'));
    },
    stop: async () => {
      purger?.();
      await poll?.stop();
    },
  };
}
