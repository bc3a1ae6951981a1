import type { Timers } from '@pilotfish/core/time/timers';
import type { Update } from 'grammy/types';
import type { Logger } from 'pino';
import { type TelegramClient, TelegramError } from './telegram-client.ts';

const FIRST_WAIT_MS = 1000;
const MOST_WAIT_MS = 60_000;
/** Another process reads the same bot's messages: a second try too soon would push it out. */
const CONFLICT_WAIT_MS = 30_000;

export type TelegramPoll = { start(): void; stop(): Promise<void> };

/**
 * Long polling. Every update is taken up in the database before it is confirmed or acted on: after a crash it comes
 * again and is then left alone, because acting twice may sell twice. Messages of one chat are handled in their order.
 */
export function telegramPoll({
  client,
  takeUp,
  handle,
  timers,
  log,
}: {
  client: TelegramClient;
  takeUp: (updateId: number) => Promise<boolean>;
  handle: (update: Update) => Promise<void>;
  timers: Pick<Timers, 'after'>;
  log: Logger;
}): TelegramPoll {
  const stopping = new AbortController();
  const turns = new Map<number, Promise<void>>();
  let running: Promise<void> | undefined;

  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const done = () => {
        cancel();
        stopping.signal.removeEventListener('abort', done);
        resolve();
      };
      const cancel = timers.after(milliseconds, done, { ref: true });
      stopping.signal.addEventListener('abort', done);
    });

  const dispatch = (update: Update): void => {
    const chat = update.message?.chat.id ?? update.callback_query?.from.id ?? 0;
    const turn = (turns.get(chat) ?? Promise.resolve())
      .then(() => handle(update))
      .catch((error: unknown) =>
        log.warn(
          { reason: error instanceof TelegramError ? error.message : (error as Error).name },
          'a Telegram message could not be answered',
        ),
      )
      .finally(() => {
        if (turns.get(chat) === turn) turns.delete(chat);
      });
    turns.set(chat, turn);
  };

  const run = async (): Promise<void> => {
    let offset = 0;
    let wait = FIRST_WAIT_MS;
    while (!stopping.signal.aborted) {
      try {
        const updates = await client.updates(offset, stopping.signal);
        for (const update of updates) {
          if (await takeUp(update.update_id)) dispatch(update);
          offset = Math.max(offset, update.update_id + 1);
        }
        wait = FIRST_WAIT_MS;
      } catch (error) {
        if (stopping.signal.aborted) return;
        const { status, retryAfterSeconds } = error instanceof TelegramError ? error : { status: 0, retryAfterSeconds: undefined };
        if (status === 401 || status === 404) {
          log.error('Telegram does not know the bot of TELEGRAM_BOT_TOKEN; the bot stays silent until the next start with a right token');
          return;
        }
        log.warn(
          { status },
          status === 409 ? 'another process reads the messages of the Telegram bot' : 'the messages of the Telegram bot could not be read',
        );
        await pause(status === 409 ? CONFLICT_WAIT_MS : Math.max(wait, (retryAfterSeconds ?? 0) * 1000));
        wait = Math.min(MOST_WAIT_MS, wait * 2);
      }
    }
  };

  return {
    start: () => {
      running ??= run();
    },
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all(turns.values());
    },
  };
}
