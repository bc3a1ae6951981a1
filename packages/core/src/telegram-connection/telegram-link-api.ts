import { fromPromise } from 'xstate';
import type { Client } from '../http/client.ts';
import type { telegramConnectionContract } from './telegram-connection-contract.ts';
import type { TelegramLink } from './telegram-link-machine.ts';

/** The calls of the machine of the Telegram link, as its `provide({ actors })` wants them. */
export const telegramLinkActors = (client: Client<typeof telegramConnectionContract>) => ({
  getLink: fromPromise<TelegramLink>(({ signal }) => client.getTelegramLink(undefined, { signal, quiet: true })),
  // Without the signal: what is under way is not taken back by leaving the screen.
  connect: fromPromise<void, { code: string }>(({ input }) =>
    client.connectTelegram(undefined, { headers: { code: input.code }, quiet: true }),
  ),
  disconnect: fromPromise<void>(() => client.disconnectTelegram(undefined, { quiet: true })),
});
