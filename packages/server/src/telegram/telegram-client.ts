import type { Timers } from '@pilotfish/core/time/timers';
import { Api, GrammyError, HttpError } from 'grammy';
import type { Update, UserFromGetMe } from 'grammy/types';
import type { Markup } from './telegram-markup.ts';

export type Button = { readonly text: string; readonly data: string };

/** A failed call of the Bot API, without the address that carries the token. */
export class TelegramError extends Error {
  override readonly name = 'TelegramError';
  /** Status of the answer; 0 when there was none. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, description: string, retryAfterSeconds?: number) {
    super(`${status} ${description}`);
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export type TelegramClient = {
  me(signal?: AbortSignal): Promise<UserFromGetMe>;
  /** @param offset the first update wanted; everything before it is confirmed */
  updates(offset: number, signal: AbortSignal): Promise<Update[]>;
  send(chat: number, text: Markup, buttons?: readonly Button[]): Promise<void>;
  edit(chat: number, messageId: number, text: Markup): Promise<void>;
  answerTap(tapId: string, text?: string): Promise<void>;
  /** The menu of commands, by language. */
  setCommands(commands: readonly { command: string; description: string }[], language: 'en' | 'tr'): Promise<void>;
};

const POLL_SECONDS = 25;
const CALL_MS = 10_000;
const PREVIEW = { is_disabled: true } as const;

/** The Bot API calls we use, over grammY. @param root another server of the same protocol */
export function telegramClient(token: string, root: string | undefined, timers: Pick<Timers, 'deadline'>): TelegramClient {
  const api = new Api(token, { ...(root === undefined ? {} : { apiRoot: root.replace(/\/+$/, '') }), timeoutSeconds: POLL_SECONDS + 15 });
  const call = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof GrammyError) throw new TelegramError(error.error_code, error.description, error.parameters.retry_after);
      // The cause names the whole address, token included: it ends here.
      if (error instanceof HttpError) throw new TelegramError(0, 'the Bot API could not be reached');
      throw new TelegramError(0, (error as Error).name);
    }
  };
  // grammY is typed for the AbortSignal of a library of its own.
  const limited = (signal = timers.deadline(CALL_MS)) => signal as never;
  return {
    me: (signal) => call(api.getMe(limited(signal))),
    updates: (offset, signal) =>
      call(api.getUpdates({ offset, timeout: POLL_SECONDS, limit: 50, allowed_updates: ['message', 'callback_query'] }, limited(signal))),
    send: async (chat, text, buttons = []) => {
      const keyboard =
        buttons.length === 0
          ? {}
          : { reply_markup: { inline_keyboard: [buttons.map(({ text: label, data }) => ({ text: label, callback_data: data }))] } };
      await call(api.sendMessage(chat, text.html, { parse_mode: 'HTML', link_preview_options: PREVIEW, ...keyboard }, limited()));
    },
    edit: async (chat, messageId, text) => {
      await call(api.editMessageText(chat, messageId, text.html, { parse_mode: 'HTML', link_preview_options: PREVIEW }, limited()));
    },
    answerTap: async (tapId, text) => {
      await call(api.answerCallbackQuery(tapId, text === undefined ? {} : { text }, limited()));
    },
    setCommands: async (commands, language) => {
      await call(api.setMyCommands([...commands], language === 'en' ? {} : { language_code: language }, limited()));
    },
  };
}
