import { type TelegramLink, type TelegramLinkContext, telegramLinkMachine } from '../src/telegram-connection/telegram-link-machine.ts';
import { type MachinePath, transitionPaths } from './machine-paths.ts';

const none: TelegramLink = { available: false, reason: 'unreachable', connected: false, connectedAt: null, mutedUntil: null };
const offered: TelegramLink = {
  ...none,
  available: true,
  reason: null,
  botName: 'pilot',
  link: 'https://t.me/pilot?start=abc',
  code: 'abc',
  expiresAt: '1970-01-01T00:10:00.000Z',
};
const linked: TelegramLink = { ...none, available: true, reason: null, connected: true, connectedAt: '1970-01-01T00:00:00.000Z' };

export const telegramLinkInput = { now: () => 0 };
export const telegramLinkIdentity = ({ link, code, problem }: TelegramLinkContext) => [
  link ? (link.connected ? 'linked' : link.link ? 'offered' : 'none') : '',
  code && 'code',
  problem?.code ?? '',
];

/** The paths of a chat that is linked and unlinked, with what the server may answer. */
export const pathsOfATelegramLink: readonly MachinePath[] = transitionPaths(telegramLinkMachine, {
  input: telegramLinkInput,
  identity: telegramLinkIdentity,
  cases: {
    'code.brought': [{ code: 'from-the-chat' }],
    'xstate.done.actor.getLink': [{ output: none }, { output: offered }, { output: linked }],
    'xstate.error.actor.getLink': [{ error: { code: 'offline' } }],
    'xstate.done.actor.connect': [{ output: undefined }],
    'xstate.error.actor.connect': [{ error: { code: 'code-expired' } }],
    'xstate.done.actor.disconnect': [{ output: undefined }],
    'xstate.error.actor.disconnect': [{ error: { code: 'telegram-not-connected' } }],
  },
});
