import type { AppContext } from '../app/context.ts';
import type { SignedIn } from '../http/endpoint-handler.ts';
import type { Language } from '../http/texts.ts';
import { sha256 } from '../secrets/secret-box.ts';

/** How long a code of either direction works. */
export const CODE_MS = 10 * 60_000;
/** Deep links one account may ask for within the life of a code. */
export const MOST_CODES = 20;

export type LinkedChat = { readonly account: SignedIn; readonly language: Language; readonly mutedUntil: number | null };
export type CodeProblem = 'code-expired' | 'code-used' | 'wrong-code';

export type TelegramChats = {
  /** A new code for the deep link; undefined when too many were asked for. Codes made before stop working. */
  startCode(accountId: string): Promise<{ code: string; expiresAt: number } | undefined>;
  /** The bot was given a deep link's code in a chat: answers the code that goes back to the app. */
  met(code: string, chat: number): Promise<{ code: string; language: Language } | CodeProblem>;
  /** The app brought back the bot's code: links the chat. */
  connect(accountId: string, code: string): Promise<number | CodeProblem>;
  /** @returns the chat that was linked */
  disconnect(accountId: string): Promise<number | undefined>;
  /** The account of a chat that writes to us. */
  byChat(chat: number): Promise<LinkedChat | undefined>;
  byAccount(accountId: string): Promise<{ chat: number; connectedAt: number; mutedUntil: number | null } | undefined>;
  /** @param until epoch ms; null speaks again */
  mute(accountId: string, until: number | null): Promise<void>;
  chatHash(chat: number): string;
  /** True once per update, over restarts and processes. */
  takeUp(updateId: number): Promise<boolean>;
  /** Keeps a command until its second tap. @returns the id to be tapped with */
  ask(accountId: string, chat: number, command: string, forMs: number): Promise<string>;
  /** The command of a tap: once, in the chat it was asked in, in time. */
  confirmed(id: string, chat: number): Promise<{ accountId: string; command: string } | undefined>;
  purge(): Promise<void>;
};

export const chatBinding = (accountId: string) => ({ user: accountId, kind: 'telegram', field: 'chat' });
/** What of a chat its keyed hash is made of. */
export const chatSubject = (chat: number): string => `telegram:${chat}`;

export function telegramChats({ database, secretBox, now, newId, random }: AppContext): TelegramChats {
  const { queries } = database;
  const newCode = () => Buffer.from(random(18)).toString('base64url');
  const chatHash = (chat: number) => secretBox.fingerprint(chatSubject(chat));

  /** Marks a code as used in one statement, so that only one caller gets it. */
  const spend = async (code: string, kind: 'start' | 'connect', accountId?: string) => {
    const hash = sha256(code);
    let find = queries.selectFrom('telegram_codes').selectAll().where('code_hash', '=', hash).where('kind', '=', kind);
    if (accountId !== undefined) find = find.where('account_id', '=', accountId);
    const row = await find.executeTakeFirst();
    if (row === undefined) return 'wrong-code';
    if (row.used_at !== null) return 'code-used';
    if (row.expires_at <= now()) return 'code-expired';
    const used = await queries
      .updateTable('telegram_codes')
      .set({ used_at: now() })
      .where('code_hash', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 0n ? 'code-used' : row;
  };
  const insert = async (
    kind: 'start' | 'connect',
    accountId: string,
    chat: number | null,
  ): Promise<{ code: string; expiresAt: number }> => {
    const code = newCode();
    const expiresAt = now() + CODE_MS;
    await queries
      .insertInto('telegram_codes')
      .values({
        code_hash: sha256(code),
        kind,
        account_id: accountId,
        chat: chat === null ? null : secretBox.seal(String(chat), chatBinding(accountId)),
        created_at: now(),
        expires_at: expiresAt,
        used_at: null,
      })
      .execute();
    return { code, expiresAt };
  };
  const languageOf = (text: string | undefined): Language => (text === 'tr' ? 'tr' : 'en');

  return {
    startCode: async (accountId) => {
      const recent = await queries
        .selectFrom('telegram_codes')
        .select('code_hash')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'start')
        .where('created_at', '>', now() - CODE_MS)
        .execute();
      if (recent.length >= MOST_CODES) return undefined;
      await queries
        .updateTable('telegram_codes')
        .set({ used_at: now() })
        .where('account_id', '=', accountId)
        .where('kind', '=', 'start')
        .where('used_at', 'is', null)
        .execute();
      return insert('start', accountId, null);
    },
    met: async (code, chat) => {
      const row = await spend(code, 'start');
      if (typeof row === 'string') return row;
      const account = await queries.selectFrom('accounts').select('language').where('id', '=', row.account_id).executeTakeFirst();
      return { code: (await insert('connect', row.account_id, chat)).code, language: languageOf(account?.language) };
    },
    connect: async (accountId, code) => {
      const row = await spend(code, 'connect', accountId);
      if (typeof row === 'string') return row;
      const chat = Number(secretBox.open(row.chat ?? '', chatBinding(accountId)));
      const values = {
        chat_hash: chatHash(chat),
        chat: secretBox.seal(String(chat), chatBinding(accountId)),
        connected_at: now(),
        muted_until: null,
      };
      await database.transaction(async (inside) => {
        // A chat speaks for one account: the newest link counts.
        await inside.deleteFrom('telegram_chats').where('chat_hash', '=', values.chat_hash).execute();
        await inside.deleteFrom('telegram_chats').where('account_id', '=', accountId).execute();
        await inside.deleteFrom('telegram_confirmations').where('account_id', '=', accountId).execute();
        await inside
          .insertInto('telegram_chats')
          .values({ account_id: accountId, ...values })
          .execute();
      });
      return chat;
    },
    disconnect: async (accountId) => {
      const row = await queries.deleteFrom('telegram_chats').where('account_id', '=', accountId).returning('chat').executeTakeFirst();
      await queries.deleteFrom('telegram_confirmations').where('account_id', '=', accountId).execute();
      await queries.deleteFrom('telegram_codes').where('account_id', '=', accountId).execute();
      return row === undefined ? undefined : Number(secretBox.open(row.chat, chatBinding(accountId)));
    },
    byChat: async (chat) => {
      const row = await queries
        .selectFrom('telegram_chats')
        .innerJoin('accounts', 'accounts.id', 'telegram_chats.account_id')
        .select(['accounts.id', 'accounts.username', 'accounts.language', 'telegram_chats.muted_until'])
        .where('chat_hash', '=', chatHash(chat))
        .where('accounts.deleted_at', 'is', null)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const account = { id: row.id, username: row.username, sessionId: 'telegram' };
      return { account, language: languageOf(row.language), mutedUntil: row.muted_until };
    },
    byAccount: async (accountId) => {
      const row = await queries.selectFrom('telegram_chats').selectAll().where('account_id', '=', accountId).executeTakeFirst();
      if (row === undefined) return undefined;
      return { chat: Number(secretBox.open(row.chat, chatBinding(accountId))), connectedAt: row.connected_at, mutedUntil: row.muted_until };
    },
    mute: async (accountId, until) => {
      await queries.updateTable('telegram_chats').set({ muted_until: until }).where('account_id', '=', accountId).execute();
    },
    chatHash,
    takeUp: async (updateId) => {
      const taken = await queries
        .insertInto('telegram_updates')
        .values({ update_id: updateId, taken_at: now() })
        .onConflict((conflict) => conflict.column('update_id').doNothing())
        .executeTakeFirst();
      return (taken.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    ask: async (accountId, chat, command, forMs) => {
      const id = newId();
      await queries
        .insertInto('telegram_confirmations')
        .values({
          id,
          account_id: accountId,
          chat_hash: chatHash(chat),
          command,
          created_at: now(),
          expires_at: now() + forMs,
          used_at: null,
        })
        .execute();
      return id;
    },
    confirmed: async (id, chat) => {
      const row = await queries
        .updateTable('telegram_confirmations')
        .set({ used_at: now() })
        .where('id', '=', id)
        .where('chat_hash', '=', chatHash(chat))
        .where('used_at', 'is', null)
        .where('expires_at', '>', now())
        .returning(['account_id', 'command'])
        .executeTakeFirst();
      return row === undefined ? undefined : { accountId: row.account_id, command: row.command };
    },
    purge: async () => {
      // Telegram keeps updates for a day, and may number them anew after a week without any.
      await queries
        .deleteFrom('telegram_updates')
        .where('taken_at', '<', now() - 3 * 86_400_000)
        .execute();
      await queries
        .deleteFrom('telegram_codes')
        .where('expires_at', '<', now() - 86_400_000)
        .execute();
      await queries
        .deleteFrom('telegram_confirmations')
        .where('expires_at', '<', now() - 86_400_000)
        .execute();
    },
  };
}
