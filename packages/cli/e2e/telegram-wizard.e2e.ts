import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Terminal } from './screen.ts';
import { type Account, openAccount, openStage, type Stage } from './stage.ts';

// A chat is linked at a terminal: the bot's code is asked for until it is right, and what a browser does meanwhile counts.

let stage: Stage;
let account: Account;
let chats = 5000;
beforeEach(async () => {
  stage = await openStage();
  account = await openAccount();
});
afterEach(() => account?.close());

const open = (words: readonly string[] = []) => account.open(['telegram', 'connect', ...words], { columns: 120, rows: 80 });
const LINK = /\?start=([\w-]+)\n/g;
const QUESTION = /Code or link from the bot:$/;
/** The bot's answer to the newest link on the screen. */
async function pressStart(terminal: Terminal): Promise<{ address: string; code: string }> {
  const shown = await terminal.see(QUESTION);
  const start = [...shown.matchAll(LINK)].at(-1)?.[1] ?? '';
  chats += 1;
  const { text } = await stage.telegram.chat(chats).say(`/start ${start}`);
  const [address = '', code = ''] = /https?:\S*telegram-connect\?code=([\w-]+)/.exec(text) ?? [];
  return { address, code };
}
const isLinked = async () => (await account.pipe.json<{ connected: boolean }>(['telegram', 'status'])).connected;

test('a code that is refused is asked for again with its reason; a link counts, and the second factor is asked for inside', async () => {
  await stage.server.context.database.queries.updateTable('sessions').set({ second_factor_at: 0 }).execute();
  const terminal = open();
  await terminal.see(QUESTION);
  terminal.type('a-guess\r');
  await terminal.see(/ten minutes[\s\S]*Authenticator code:$/);
  const factor = stage.server.nextCode(account.user.secretKey);
  terminal.type(`${factor}\r`);
  const refused = await terminal.see(/a-guess[\s\S]*\n[^\n]*code[^\n]*\nCode or link[^\n]*:$/);
  // The old link went with its code; the new one stands above the question.
  expect([...refused.matchAll(LINK)]).toHaveLength(2);
  const { address } = await pressStart(terminal);
  terminal.type(`${address}\r`);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toContain('The chat is linked.');
  expect(terminal.raw()).not.toContain(factor);
  expect(await isLinked()).toBe(true);
  expect(await open().ended()).toMatchObject({ exitCode: 8 });
});

test('where the link of the bot is opened in a browser, the terminal ends by itself', async () => {
  const terminal = open();
  const { code } = await pressStart(terminal);
  const connected = await account.user.call('/gateway/v2/account/connect/telegram', { method: 'POST', headers: { code } });
  expect(connected.status).toBe(204);
  expect(await terminal.ended()).toMatchObject({ exitCode: 0 });
  expect(terminal.screen()).toContain('The chat is linked.');
});

test('Escape and Ctrl-C leave no chat linked', async () => {
  const left = open();
  await left.see(QUESTION);
  left.press('escape');
  expect(await left.ended()).toMatchObject({ exitCode: 2 });
  const cut = open(['--lang', 'tr']);
  await cut.see(/Bottan gelen kod ya da bağlantı:$/);
  cut.press('ctrl-c');
  expect(await cut.ended()).toMatchObject({ exitCode: 130 });
  expect(await isLinked()).toBe(false);
});

test('a script brings the code, and is told what is missing; what is not linked is not unlinked', async () => {
  const shown = await account.pipe.run(['telegram', 'connect']);
  expect(shown).toMatchObject({ exit: 2, stderr: expect.stringMatching(/\?start=[\w-]+\n[\s\S]*\[code\]/) });
  const start = /\?start=([\w-]+)/.exec(shown.stderr)?.[1];
  chats += 1;
  const { text } = await stage.telegram.chat(chats).say(`/start ${start}`);
  const [address = ''] = /https?:\S*telegram-connect\?code=[\w-]+/.exec(text) ?? [];
  expect(await account.pipe.run(['telegram', 'connect', 'a-guess'])).toMatchObject({ exit: 4, stdout: '' });
  expect(await account.pipe.run(['telegram', 'disconnect', '--yes'])).toMatchObject({ exit: 8 });
  expect(await account.pipe.run(['telegram', 'connect', address])).toMatchObject({ exit: 0, stderr: 'The chat is linked.\n' });
  expect(await account.pipe.run(['telegram', 'connect'])).toMatchObject({ exit: 8 });
  expect(await account.pipe.run(['telegram', 'disconnect', '--yes'])).toMatchObject({ exit: 0 });
});
