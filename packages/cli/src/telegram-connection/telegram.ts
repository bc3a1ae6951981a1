import { getAccount } from '@pilotfish/core/account/account-contract';
import type { Client } from '@pilotfish/core/http/client';
import type { Answer } from '@pilotfish/core/http/endpoint';
import { AppError, isConnectivity, type ShownProblem } from '@pilotfish/core/http/problem';
import { type getTelegramLink, telegramConnectionContract } from '@pilotfish/core/telegram-connection/telegram-connection-contract';
import { telegramLinkActors } from '@pilotfish/core/telegram-connection/telegram-link-api';
import { telegramLinkMachine } from '@pilotfish/core/telegram-connection/telegram-link-machine';
import { createElement } from 'react';
import { createActor, waitFor } from 'xstate';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, LocalFailure, ShownFailure, UsageError } from '../app/failure.ts';
import { sayNext } from '../app/next-step.ts';
import { printOne, type Resource } from '../ui/output.ts';
import { ask, canAsk, confirm } from '../ui/prompt.ts';
import { localTime } from '../ui/times.ts';
import { codeIn, whyUnavailable } from './telegram-words.ts';

type Link = Answer<typeof getTelegramLink>;

const link: Pick<Resource<Link>, 'columns'> = {
  columns: [
    { key: 'connected', value: ({ connected }) => String(connected) },
    { key: 'connectedAt', value: ({ connectedAt }) => connectedAt ?? '', shown: ({ connectedAt }) => localTime(connectedAt) },
    { key: 'botName', value: ({ botName }) => botName ?? '' },
    { key: 'available', value: ({ available, reason }) => (available ? 'true' : `false (${reason ?? ''})`) },
    { key: 'mutedUntil', value: ({ mutedUntil }) => mutedUntil ?? '', shown: ({ mutedUntil }) => localTime(mutedUntil) },
  ],
};

/** Whether a chat is linked. A code to link one is not shown here: `connect` asks for it. */
export async function status(context: Context): Promise<void> {
  const client = await context.client(telegramConnectionContract);
  const { link: _link, code: _code, expiresAt: _expiresAt, ...shown } = await client.getTelegramLink();
  await printOne(context, link, shown);
}

type TelegramClient = Client<typeof telegramConnectionContract>;
const machineOf = (client: TelegramClient) => telegramLinkMachine.provide({ actors: telegramLinkActors(client) });
const actorOf = ({ now, timers }: Context, client: TelegramClient, code?: string) =>
  createActor(machineOf(client), { input: { now, code }, clock: timers });
type LinkActor = ReturnType<typeof actorOf>;
const settled = (actor: LinkActor) => waitFor(actor, (snapshot) => !snapshot.hasTag('busy'), { timeout: Number.POSITIVE_INFINITY });

/** Asks for a change, and waits until the machine says whether it was made. */
async function change(context: Context, actor: LinkActor, ask: () => void): Promise<void> {
  const problem = await new Promise<ShownProblem | undefined>((resolve) => {
    actor.on('link.changed', () => resolve(undefined));
    actor.on('link.failed', (failed) => resolve(failed.problem));
    ask();
  });
  if (!problem) return;
  if (isConnectivity(problem)) await context.say('cli.unheard');
  throw new ShownFailure(problem);
}

/** At a terminal a wizard that shows the link to the bot and takes the code it answers with; in a script the code is given. */
export async function connect(context: Context, { code }: { code?: string }): Promise<void> {
  const client = await context.client(telegramConnectionContract);
  const given = code === undefined ? undefined : codeIn(code);
  if (canAsk(context)) {
    const machine = machineOf(client);
    const [watch, { ConnectTelegramWizard }] = await Promise.all([linkedElsewhere(context), import('./connect-telegram-wizard.tsx')]);
    await ask<void>(context, (ending) => createElement(ConnectTelegramWizard, { ...ending, context, machine, code: given, watch }));
  } else if (given === undefined) await showLink(context, client);
  else {
    const actor = actorOf(context, client, given);
    try {
      await change(context, actor, () => actor.start());
    } finally {
      actor.stop();
    }
  }
  await context.say('cli.telegram.connected');
  await sayNext(context, 'channel', { isNew: true });
}

/** What a script can go on with: the link to the bot. The code it answers with is missing then. */
async function showLink(context: Context, client: TelegramClient): Promise<never> {
  const actor = actorOf(context, client).start();
  const snapshot = await settled(actor);
  actor.stop();
  const { link: found, problem } = snapshot.context;
  if (snapshot.matches('unknown')) throw new ShownFailure(problem ?? { code: 'internal' });
  if (snapshot.matches('linked')) throw new LocalFailure('telegramConnected', {}, { exit: EXIT.conflict });
  const t = await context.texts();
  if (!found?.link) throw new LocalFailure('telegramUnavailable', { reason: whyUnavailable(t, found) });
  context.stderr.write(`${t('cli.telegram.open', { bot: `@${found.botName ?? ''}` })}\n\n`);
  context.stderr.write(`${found.link}\n${t('cli.telegram.orType', { code: found.code ?? '' })}\n\n`);
  throw new UsageError('needsFlag', { flag: '[code]' });
}

/** Says when a chat was linked in a browser: by the stream's word, or by the account where that may have been missed. */
async function linkedElsewhere(context: Context): Promise<(onLinked: () => void) => () => void> {
  const [client, { follow }] = await Promise.all([context.client({ getAccount }), import('../ui/stream.ts')]);
  return (onLinked) => {
    const { signal, abort } = leaving();
    const look = () =>
      void client.getAccount(undefined, { signal, quiet: true }).then(
        ({ hasTelegram }) => hasTelegram && onLinked(),
        () => undefined,
      );
    const following = follow(context, {
      topics: ['notifications'],
      signal,
      onReset: look,
      onStatus: (status) => status === 'live' && look(),
      onMessage: (_, payload) => 'item' in payload && payload.item?.code === 'security-telegram-connected' && onLinked(),
    });
    // Whoever is signed out meanwhile is told so by the next question.
    following.catch(() => undefined);
    return abort;
  };
}
const leaving = () => {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
};

export async function disconnect(context: Context): Promise<void> {
  const actor = actorOf(context, await context.client(telegramConnectionContract)).start();
  try {
    const snapshot = await settled(actor);
    if (snapshot.matches('unknown')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
    if (!snapshot.can({ type: 'disconnect.asked' })) throw new AppError('telegram-not-connected');
    if (!(await confirm(context, 'cli.telegram.disconnect', {}))) throw new Ended(EXIT.failed);
    await change(context, actor, () => actor.send({ type: 'disconnect.asked' }));
  } finally {
    actor.stop();
  }
  await context.say('cli.telegram.disconnected');
}
