import { AppError, toAppError } from '@pilotfish/core/http/problem';
import { formatDuration } from '@pilotfish/core/time/duration';
import type { CallbackQuery, Message, Update } from 'grammy/types';
import * as z from 'zod';
import type { AppContext } from '../app/context.ts';
import type { InProcessCaller } from '../http/in-process-calls.ts';
import { problemOf } from '../http/problem-reply.ts';
import type { Language } from '../http/texts.ts';
import { writeLimiter } from '../http/write-limiter.ts';
import { timeZoneOf } from '../notifications/notifier.ts';
import { alertCommands } from './alert-commands.ts';
import { botCommands, perform } from './bot-commands.ts';
import { moneyCommands } from './money-commands.ts';
import type { LinkedChat, TelegramChats } from './telegram-chats.ts';
import type { TelegramClient } from './telegram-client.ts';
import { type Command, type CommandContext, CommandRefusal, type Deed, type Reply } from './telegram-command.ts';
import { bold, lines, markup } from './telegram-markup.ts';

/** How long a second tap may take. */
export const CONFIRM_MS = 60_000;
const MAX_LINE = 500;

export const COMMANDS: readonly Command[] = [...botCommands, ...moneyCommands, ...alertCommands];

const deedSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('sell'), autoTradeId: z.string(), positionId: z.string(), symbol: z.string(), bot: z.string() }),
  z.object({ do: z.literal('stopall') }),
  z.object({ do: z.enum(['enable', 'disable']), autoTradeId: z.string(), bot: z.string(), sellNow: z.literal(true).optional() }),
]) satisfies z.ZodType<Deed>;

/** `/sell@pilotfish_bot BTC 1` as a command and what follows it; undefined for anything else. */
export function commandOf(text: string): { name: string; line: string; args: string[] } | undefined {
  const match = /^\/([a-z_]{1,32})(?:@\w{1,64})?(?:\s+([\s\S]*))?$/i.exec(text.slice(0, MAX_LINE).trim());
  if (match === null) return undefined;
  const line = (match[2] ?? '').trim();
  return { name: (match[1] ?? '').toLowerCase(), line, args: line === '' ? [] : line.split(/\s+/) };
}

export type TelegramDispatch = { handle(update: Update): Promise<void> };

/** What is done with a message or a tap: who sent it, what it asks for, and the answer. */
export function telegramDispatch(
  context: Pick<AppContext, 'now' | 'log' | 'texts' | 'publicUrl' | 'database'>,
  { chats, client, call }: { chats: TelegramChats; client: TelegramClient; call: InProcessCaller },
): TelegramDispatch {
  const { now, log, texts, publicUrl, database } = context;
  const linkedPace = writeLimiter(now, { perMinute: 20, burst: 12 });
  const unknownPace = writeLimiter(now, { perMinute: 0.5, burst: 5 });
  const warned = writeLimiter(now, { perMinute: 1, burst: 1 });

  const sayer =
    (language: Language) =>
    (key: string, values?: Readonly<Record<string, string | number>>): string =>
      texts.text(language, `telegram.${key}`, values);

  const commandContext = async (linked: LinkedChat, updateId: number): Promise<CommandContext> => {
    const { account, language, mutedUntil } = linked;
    const origin = { address: 'telegram', device: 'Telegram', requestId: `telegram-${updateId}` };
    const timeZone = await timeZoneOf(database.queries, account.id);
    return {
      call: (id, input) => call(id, input, { account, origin, language }),
      say: sayer(language),
      text: (key, values) => texts.text(language, key, values),
      language,
      timeZone,
      now: now(),
      mutedUntil,
      mute: (until) => chats.mute(account.id, until),
    };
  };

  /** What went wrong, in words of the account's language. */
  const problem = (error: unknown, { say, language }: Pick<CommandContext, 'say' | 'language'>): Reply => {
    if (error instanceof CommandRefusal) return { text: lines(say(error.key, error.values)) };
    const known = toAppError(error);
    if (known.code === 'internal') log.error({ err: error }, 'a Telegram command failed');
    const { title, detail, errors = [] } = problemOf(known.code === 'internal' ? new AppError('internal') : known, texts, language, '');
    return { text: lines(bold(title), detail, ...errors.slice(0, 5).map(({ message }) => message)) };
  };

  const help = ({ say }: Pick<CommandContext, 'say'>): Reply => ({
    text: lines(
      bold(say('help')),
      ...COMMANDS.map(({ name, takes }) => markup`/${name}${takes === undefined ? '' : ` ${takes}`} – ${say(`about.${name}`)}`),
    ),
  });

  const reply = async (chat: number, linked: LinkedChat, answer: Reply): Promise<void> => {
    if (answer.confirm === undefined) return client.send(chat, answer.text);
    const say = sayer(linked.language);
    const id = await chats.ask(linked.account.id, chat, JSON.stringify(answer.confirm), CONFIRM_MS);
    await client.send(chat, lines(answer.text, say('within', { time: formatDuration(CONFIRM_MS, linked.language) })), [
      { text: say('yes'), data: `y:${id}` },
      { text: say('no'), data: `n:${id}` },
    ]);
  };

  const start = async (chat: number, code: string, language: Language): Promise<void> => {
    const met = await chats.met(code, chat);
    if (typeof met === 'string')
      return client.send(chat, lines(sayer(language)('badCode', { link: `${publicUrl()}/user/telegram-connect` })));
    const link = `${publicUrl()}/user/telegram-connect?code=${met.code}`;
    await client.send(chat, lines(sayer(met.language)('confirmInApp'), link));
  };

  const onMessage = async (message: Message, updateId: number): Promise<void> => {
    const { chat, from, text } = message;
    const guess: Language = from?.language_code?.startsWith('tr') === true ? 'tr' : 'en';
    // In a group everybody would read balances and could sell.
    if (chat.type !== 'private') {
      if (unknownPace.take(String(chat.id)) === 0) await client.send(chat.id, lines(sayer(guess)('privateOnly')));
      return;
    }
    const typed = text === undefined ? undefined : commandOf(text);
    const linked = await chats.byChat(chat.id);
    const isCode = typed?.name === 'start' && typed.line !== '';
    if (linked === undefined || isCode) {
      if (unknownPace.take(String(chat.id)) > 0) return;
      if (isCode) return start(chat.id, typed.line, linked?.language ?? guess);
      return client.send(chat.id, lines(sayer(guess)('howToLink', { link: `${publicUrl()}/user/telegram-connect` })));
    }
    const command = await commandContext(linked, updateId);
    const wait = linkedPace.take(String(chat.id));
    if (wait > 0) {
      if (warned.take(String(chat.id)) === 0)
        await client.send(chat.id, lines(command.say('slower', { time: formatDuration(wait * 1000, linked.language) })));
      return;
    }
    if (typed === undefined || typed.name === 'help' || typed.name === 'start') return client.send(chat.id, help(command).text);
    const known = COMMANDS.find(({ name }) => name === typed.name);
    if (known === undefined) return client.send(chat.id, lines(command.say('unknownCommand', { name: typed.name })));
    const answer = await known.run(command, typed.args, typed.line).catch((error: unknown) => problem(error, command));
    await reply(chat.id, linked, answer);
  };

  const onTap = async (tap: CallbackQuery, updateId: number): Promise<void> => {
    const { message, data = '', from, id } = tap;
    const match = /^([yn]):([\da-f-]{36})$/.exec(data);
    const chat = message?.chat;
    const linked = chat?.type === 'private' && chat.id === from.id ? await chats.byChat(chat.id) : undefined;
    if (chat === undefined || linked === undefined || match === null || message === undefined) return client.answerTap(id);
    const command = await commandContext(linked, updateId);
    const asked = await chats.confirmed(match[2] ?? '', chat.id);
    if (asked === undefined || asked.accountId !== linked.account.id) {
      await client.answerTap(id, command.say('tooLate'));
      return client.edit(chat.id, message.message_id, lines(command.say('tooLate')));
    }
    await client.answerTap(id).catch(() => undefined);
    if (match[1] === 'n') return client.edit(chat.id, message.message_id, lines(command.say('left')));
    const deed = deedSchema.parse(JSON.parse(asked.command));
    const answer = await perform(command, deed).catch((error: unknown) => problem(error, command));
    await client.edit(chat.id, message.message_id, answer.text);
    // What was asked turns out to be more: that is asked for by itself.
    if (answer.confirm !== undefined) await reply(chat.id, linked, answer);
  };

  return {
    handle: async ({ update_id, message, callback_query }) => {
      if (message !== undefined) return onMessage(message, update_id);
      if (callback_query !== undefined) return onTap(callback_query, update_id);
    },
  };
}
