import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type SentMessage = {
  chat: number;
  messageId: number;
  text: string;
  buttons: { text: string; callback_data: string }[];
  edited: boolean;
};

/** A person's chat with the bot, as Telegram would show it. */
export type BotChat = {
  readonly id: number;
  /** Says something and waits for the bot's next message in this chat. */
  say(text: string): Promise<SentMessage>;
  /** Says something without waiting. */
  post(text: string): void;
  /** Taps a button of a message and waits for the message to change. */
  tap(message: SentMessage, button: number): Promise<SentMessage>;
  /** Everything the bot wrote here, newest last. */
  messages(): SentMessage[];
  /** The bot's next message here. */
  next(): Promise<SentMessage>;
};

export type BotApiServer = {
  readonly url: string;
  readonly token: string;
  chat(id: number, type?: 'private' | 'group'): BotChat;
  /** Names of the methods called, in order. */
  readonly calls: string[];
  readonly tapAnswers: { id: string; text: string | undefined }[];
  /** The next calls of a method answer this error. */
  fail(method: string, error: { status: number; description: string; retryAfter?: number }, times?: number): void;
  /** Sends every update so far once more, as after a lost confirmation. */
  replay(): void;
  close(): Promise<void>;
};

const TOKEN = '123456:AAcanary-bot-token-0123456789';

/**
 * A Bot API server on loopback: long polling with offsets, messages, buttons and taps, errors with `retry_after`. One
 * poll at a time, as the real one: a second gets 409.
 */
export async function startBotApiServer(): Promise<BotApiServer> {
  type Update = { update_id: number } & Record<string, unknown>;
  const all: Update[] = [];
  let pending: Update[] = [];
  let poll: { offset: number; response: ServerResponse } | undefined;
  let lastUpdate = 1000;
  let lastMessage = 0;
  let lastTap = 0;
  const sent: SentMessage[] = [];
  const waiters: { chat: number; edited: boolean | undefined; resolve: (message: SentMessage) => void }[] = [];
  const failures = new Map<string, { status: number; description: string; retryAfter?: number }[]>();
  const calls: string[] = [];
  const tapAnswers: BotApiServer['tapAnswers'] = [];

  const reply = (response: ServerResponse, status: number, body: object) => {
    if (!response.writableEnded) response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const ok = (response: ServerResponse, result: unknown) => reply(response, 200, { ok: true, result });
  const flush = () => {
    if (poll === undefined) return;
    const { offset, response } = poll;
    pending = pending.filter(({ update_id }) => update_id >= offset);
    if (pending.length === 0) return;
    poll = undefined;
    ok(response, pending);
  };
  const push = (content: Record<string, unknown>) => {
    lastUpdate += 1;
    const update = { update_id: lastUpdate, ...content };
    all.push(update);
    pending.push(update);
    flush();
  };
  const told = (message: SentMessage) => {
    sent.push(message);
    const index = waiters.findIndex(({ chat, edited }) => chat === message.chat && (edited ?? message.edited) === message.edited);
    if (index >= 0) waiters.splice(index, 1)[0]?.resolve(message);
  };

  const methods: Record<string, (body: Record<string, unknown>, response: ServerResponse) => void> = {
    getMe: (_, response) => ok(response, { id: 123456, is_bot: true, first_name: 'Pilotfish', username: 'pilotfish_test_bot' }),
    getUpdates: ({ offset }, response) => {
      if (poll !== undefined) {
        reply(response, 409, { ok: false, error_code: 409, description: 'Conflict: terminated by other getUpdates request' });
        return;
      }
      const mine = { offset: Number(offset ?? 0), response };
      poll = mine;
      response.on('close', () => {
        if (poll === mine) poll = undefined;
      });
      flush();
    },
    sendMessage: ({ chat_id, text, reply_markup, parse_mode }, response) => {
      if (parse_mode === 'HTML' && /<(?!\/?b>)/.test(String(text))) {
        reply(response, 400, { ok: false, error_code: 400, description: "Bad Request: can't parse entities" });
        return;
      }
      lastMessage += 1;
      const buttons = (reply_markup as { inline_keyboard?: SentMessage['buttons'][] } | undefined)?.inline_keyboard?.flat() ?? [];
      const message = { chat: Number(chat_id), messageId: lastMessage, text: String(text), buttons, edited: false };
      ok(response, { message_id: lastMessage, date: 0, chat: { id: Number(chat_id), type: 'private' }, text });
      told(message);
    },
    editMessageText: ({ chat_id, message_id, text }, response) => {
      ok(response, { message_id, date: 0, chat: { id: Number(chat_id), type: 'private' }, text });
      told({ chat: Number(chat_id), messageId: Number(message_id), text: String(text), buttons: [], edited: true });
    },
    answerCallbackQuery: ({ callback_query_id, text }, response) => {
      tapAnswers.push({ id: String(callback_query_id), text: typeof text === 'string' ? text : undefined });
      ok(response, true);
    },
    setMyCommands: (_, response) => ok(response, true),
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
    if (token !== TOKEN) return reply(response, 401, { ok: false, error_code: 401, description: 'Unauthorized' });
    calls.push(method);
    const failure = failures.get(method)?.shift();
    if (failure !== undefined) {
      const { status, description, retryAfter } = failure;
      const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
      return reply(response, status, { ok: false, error_code: status, description, ...parameters });
    }
    const known = methods[method];
    if (known === undefined) return reply(response, 404, { ok: false, error_code: 404, description: 'Not Found' });
    known(text === '' ? {} : (JSON.parse(text) as Record<string, unknown>), response);
  };
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const chat = (id: number, type: 'private' | 'group' = 'private'): BotChat => {
    const from = { id: Math.abs(id), is_bot: false, first_name: 'Somebody', language_code: 'en' };
    const nextOf = (edited?: boolean) => new Promise<SentMessage>((resolve) => waiters.push({ chat: id, edited, resolve }));
    const post = (text: string) => {
      lastMessage += 1;
      push({ message: { message_id: lastMessage, date: 0, chat: { id, type }, from, text } });
    };
    return {
      id,
      next: () => nextOf(),
      post,
      say: (text) => {
        const answer = nextOf(false);
        post(text);
        return answer;
      },
      tap: (message, button) => {
        const answer = nextOf(true);
        lastTap += 1;
        const data = message.buttons[button]?.callback_data;
        push({
          callback_query: {
            id: `tap-${lastTap}`,
            from,
            chat_instance: '1',
            data,
            message: { message_id: message.messageId, date: 1, chat: { id, type } },
          },
        });
        return answer;
      },
      messages: () => sent.filter((message) => message.chat === id),
    };
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: TOKEN,
    chat,
    calls,
    tapAnswers,
    fail: (method, error, times = 1) => {
      failures.set(method, [...(failures.get(method) ?? []), ...Array.from({ length: times }, () => error)]);
    },
    replay: () => {
      pending = [...all];
      flush();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
