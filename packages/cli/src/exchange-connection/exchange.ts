import { exchangeConnectionActors } from '@pilotfish/core/exchange-connection/exchange-connection-api';
import {
  type ExchangeKeys,
  exchangeConnectionContract,
  type Permissions,
} from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import { AppError } from '@pilotfish/core/http/problem';
import { createActor, waitFor } from 'xstate';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, ShownFailure, UsageError } from '../app/failure.ts';
import type { Translate } from '../app/texts.ts';
import { type Column, formatOf, printOne } from '../ui/output.ts';
import { CANCELLED, confirm, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';
import { widthOf } from '../ui/terminal-size.ts';
import { hanging } from '../ui/wrap.ts';

const yesNo = (value: boolean | undefined) => (value ? 'yes' : 'no');
const columns = (t: Translate): readonly Column<Permissions>[] => {
  const permission = (key: 'enableReading' | 'enableSpotAndMarginTrading' | 'enableWithdrawals' | 'ipRestrict'): Column<Permissions> => ({
    key,
    value: (row) => yesNo(row[key]),
    shown: (row) => t(`ui.${yesNo(row[key])}`),
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
  return { actor, settled };
}

async function show(context: Context, permissions: Permissions): Promise<void> {
  await printOne(context, { columns: columns(await context.texts()) }, permissions);
  if (formatOf(context) !== 'table') return;
  const t = await context.texts();
  for (const warning of permissions.warnings)
    context.stderr.write(
      `${hanging('! ', `${t(`exchangeConnection.warning.${warning}.title`)}: ${t(`exchangeConnection.warning.${warning}.detail`)}`, widthOf(context))}\n`,
    );
}

export async function connect(context: Context, options: { demo?: true; key?: string; secretStdin?: true }): Promise<void> {
  if (options.demo && (options.key || options.secretStdin)) throw new UsageError('demoOrKeys');
  const typed = options.demo ? undefined : await keysOf(context, options);
  const { actor, settled } = await start(context);
  let snapshot = await settled();
  if (snapshot.matches('unknown')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
  if (snapshot.matches('connected')) {
    if (!(await confirm(context, 'cli.exchange.replace', { key: snapshot.context.permissions?.keyEnding ?? '' })))
      throw new Ended(EXIT.failed);
    actor.send({ type: 'disconnect.requested' });
    snapshot = await settled();
    if (!snapshot.matches('disconnected')) throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
  }
  if (options.demo) {
    actor.send({ type: 'demo.requested' });
    snapshot = await settled();
    if (snapshot.context.problem) throw new ShownFailure(snapshot.context.problem);
  }
  actor.send({ type: 'keys.submitted', ...((typed ?? snapshot.context.offeredKeys) as ExchangeKeys) });
  snapshot = await settled();
  actor.stop();
  if (!snapshot.matches('connected') || !snapshot.context.permissions)
    throw new ShownFailure(snapshot.context.problem ?? { code: 'internal' });
  await context.say('cli.exchange.connected');
  await show(context, snapshot.context.permissions);
}

/** The secret comes by pipe or is typed unseen, never on the command line, where others could read it. */
async function keysOf(context: Context, { key, secretStdin }: { key?: string; secretStdin?: true }): Promise<ExchangeKeys> {
  if (secretStdin) {
    if (!key) throw new UsageError('needsFlag', { flag: '--key' });
    return { clientId: key.trim(), clientSecret: await readStdin(context) };
  }
  if (!key) requireTerminal(context, '--key');
  requireTerminal(context, '--secret-stdin');
  const t = await context.texts();
  const prompts = openPrompts(context);
  try {
    const clientId = key ?? (await prompts.ask(`${t('exchangeConnection.apiKey')}:`));
    if (clientId === CANCELLED) throw new UsageError('cancelled');
    const clientSecret = await prompts.ask(`${t('exchangeConnection.apiSecret')}:`, { hidden: true });
    if (clientSecret === CANCELLED) throw new UsageError('cancelled');
    return { clientId: clientId.trim(), clientSecret: clientSecret.trim() };
  } finally {
    prompts.close();
  }
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
