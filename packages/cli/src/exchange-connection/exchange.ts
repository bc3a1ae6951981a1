import { exchangeConnectionActors } from '@pilotfish/core/exchange-connection/exchange-connection-api';
import {
  type ExchangeKeys,
  exchangeConnectionContract,
  type Permissions,
} from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import { AppError } from '@pilotfish/core/http/problem';
import { UNKNOWN } from '@pilotfish/core/money/format';
import { getAppConfig, hasWallet } from '@pilotfish/core/prices/prices-contract';
import { createElement } from 'react';
import { createActor, waitFor } from 'xstate';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, ShownFailure, UsageError } from '../app/failure.ts';
import { sayNext } from '../app/next-step.ts';
import type { Translate } from '../app/texts.ts';
import { type Column, formatOf, printOne } from '../ui/output.ts';
import { ask, canAsk, confirm, readStdin } from '../ui/prompt.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { localTime } from '../ui/times.ts';
import { hanging } from '../ui/wrap.ts';

const yesNo = (value: boolean) => (value ? 'yes' : 'no');
const columns = (t: Translate): readonly Column<Permissions>[] => {
  const permission = (key: 'enableReading' | 'enableSpotAndMarginTrading' | 'enableWithdrawals' | 'ipRestrict'): Column<Permissions> => ({
    key,
    // What the exchange does not say is not a no.
    value: (row) => (row[key] === undefined ? '' : yesNo(row[key])),
    shown: (row) => (row[key] === undefined ? UNKNOWN : t(`ui.${yesNo(row[key])}`)),
  });
  return [
    {
      key: 'exchange',
      value: ({ exchange }) => exchange ?? '',
      shown: ({ exchange }, paint) => (exchange === 'simulated' ? paint.simulated(' SIMULATED ') : (exchange ?? '')),
    },
    { key: 'keyEnding', value: ({ keyEnding }) => (keyEnding ? `…${keyEnding}` : '') },
    permission('enableReading'),
    permission('enableSpotAndMarginTrading'),
    permission('enableWithdrawals'),
    permission('ipRestrict'),
    {
      key: 'tradingEndsAt',
      value: ({ tradingEndsAt }) => tradingEndsAt ?? '',
      shown: ({ tradingEndsAt }) => (tradingEndsAt === undefined ? UNKNOWN : localTime(tradingEndsAt)),
    },
    {
      key: 'warnings',
      value: ({ warnings }) => warnings.join(' '),
      shown: ({ warnings }) => warnings.map((warning) => t(`exchangeConnection.warning.${warning}.title`)).join(', '),
    },
  ];
};

async function start(context: Context) {
  const client = await context.client(exchangeConnectionContract);
  const actor = createActor(exchangeConnectionMachine.provide({ actors: exchangeConnectionActors(client) }));
  actor.start();
  const settled = () => waitFor(actor, (snapshot) => !snapshot.hasTag('busy'), { timeout: 60_000 });
  return { actor, client, settled };
}

async function show(context: Context, permissions: Permissions): Promise<void> {
  await printOne(context, { columns: columns(await context.texts()) }, permissions);
  if (formatOf(context) !== 'table') return;
  const t = await context.texts();
  const say = (title: string, detail: string) => context.stderr.write(`${hanging('! ', `${title}: ${detail}`, widthOf(context))}\n`);
  for (const warning of permissions.warnings)
    say(t(`exchangeConnection.warning.${warning}.title`), t(`exchangeConnection.warning.${warning}.detail`));
  if (permissions.exchange !== undefined && !hasWallet(permissions.exchange))
    say(t('exchangeConnection.unknownTitle'), t('exchangeConnection.unknownLead'));
}

type ConnectOptions = { demo?: true; key?: string; secretStdin?: true };

/** At a terminal a wizard; elsewhere the flags say it all. */
export async function connect(context: Context, options: ConnectOptions): Promise<void> {
  if (options.demo && (options.key || options.secretStdin)) throw new UsageError('demoOrKeys');
  const permissions =
    canAsk(context) && !options.secretStdin ? await connectAsked(context, options) : await connectByFlags(context, options);
  await context.say('cli.exchange.connected');
  await show(context, permissions);
  await sayNext(context, 'exchange');
}

async function connectAsked(context: Context, { demo, key }: ConnectOptions): Promise<Permissions> {
  const [client, { ConnectWizard }] = await Promise.all([
    context.client({ ...exchangeConnectionContract, getAppConfig }),
    import('./connect-wizard.tsx'),
  ]);
  const isChosen = demo === true || key !== undefined || !(await client.getAppConfig()).demoAccounts;
  if (demo !== true) context.stderr.write(`${hanging('', (await context.texts())('exchangeConnection.safety.ip'), widthOf(context))}\n`);
  const given = {
    machine: exchangeConnectionMachine.provide({ actors: exchangeConnectionActors(client) }),
    way: isChosen ? (demo ? ('demo' as const) : ('keys' as const)) : undefined,
    apiKey: key?.trim(),
    isSure: context.globals.yes,
  };
  return ask(context, (ending) => createElement(ConnectWizard, { ...ending, ...given }));
}

async function connectByFlags(context: Context, options: ConnectOptions): Promise<Permissions> {
  const typed = options.demo ? undefined : await keysOf(context, options);
  const { actor, settled } = await start(context);
  try {
    let snapshot = await settled();
    if (snapshot.matches('unknown')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
    if (snapshot.matches('connected')) {
      const key = snapshot.context.permissions?.keyEnding ?? '';
      if (!(await confirm(context, 'cli.exchange.replace', { key }))) throw new Ended(EXIT.failed);
      actor.send({ type: 'replace.requested' });
    }
    if (!typed) {
      actor.send({ type: 'demo.requested' });
      snapshot = await settled();
    }
    const keys = typed ?? snapshot.context.offeredKeys;
    if (keys) {
      actor.send({ type: 'keys.submitted', ...keys });
      snapshot = await settled();
    }
    const { problem, permissions } = snapshot.context;
    if (problem || !permissions) throw new ShownFailure(problem ?? { code: 'internal' });
    return permissions;
  } finally {
    actor.stop();
  }
}

/** The secret comes by pipe, never on the command line, where others could read it. */
async function keysOf(context: Context, { key, secretStdin }: ConnectOptions): Promise<ExchangeKeys> {
  if (!key) throw new UsageError('needsFlag', { flag: '--key' });
  if (!secretStdin) throw new UsageError('needsFlag', { flag: '--secret-stdin' });
  return { clientId: key.trim(), clientSecret: await readStdin(context) };
}

export async function status(context: Context): Promise<void> {
  const { actor, settled } = await start(context);
  const snapshot = await settled();
  actor.stop();
  if (snapshot.matches('unknown')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
  if (!snapshot.context.permissions) throw new AppError('not-connected');
  await show(context, snapshot.context.permissions);
}

export async function disconnect(context: Context): Promise<void> {
  const { actor, settled } = await start(context);
  let snapshot = await settled();
  if (snapshot.matches('disconnected')) throw new AppError('not-connected');
  if (!(await confirm(context, 'cli.exchange.disconnect'))) throw new Ended(EXIT.failed);
  actor.send({ type: 'disconnect.requested' });
  snapshot = await settled();
  actor.stop();
  if (!snapshot.matches('disconnected')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
  await context.say('cli.exchange.disconnected');
}
