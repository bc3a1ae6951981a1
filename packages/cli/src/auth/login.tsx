import { loginMachine } from '@pilotfish/core/auth/login-machine';
import { createActor, waitFor } from 'xstate';
import { giveZone } from '../app/account-zone.ts';
import type { Context } from '../app/context.ts';
import { ShownFailure, UsageError } from '../app/failure.ts';
import { hintAtMarket } from '../app/first-market.tsx';
import { keepSession } from '../app/session-actor.ts';
import { ask, readStdin, requireTerminal } from '../ui/prompt.ts';
import { gatewayActors } from './gateway-client.ts';
import type { SignedIn } from './login-wizard.tsx';

export type LoginOptions = { username?: string; passwordStdin?: true; otp?: string };

/** Signs in by the login machine: at a terminal it asks, with a password from stdin it takes what the flags give. */
export async function run(context: Context, options: LoginOptions): Promise<void> {
  const { session, username } = options.passwordStdin ? await signInByFlags(context, options) : await signIn(context, options);
  const where = await keepSession(context, session, username);
  await context.say('cli.auth.signedIn', { username, url: context.profile.url });
  await context.say(`cli.auth.kept.${where}`, { folder: context.profile.folder });
  await giveZone(context);
  if (!options.passwordStdin) await hintAtMarket(context);
}

const machineOf = (context: Context) => loginMachine.provide({ actors: gatewayActors(context) });

async function signIn(context: Context, { username, otp }: LoginOptions): Promise<SignedIn> {
  if (!username) requireTerminal(context, '--username');
  requireTerminal(context, '--password-stdin');
  const { LoginWizard } = await import('./login-wizard.tsx');
  const machine = machineOf(context);
  return ask(context, (ending) => <LoginWizard {...ending} context={context} machine={machine} username={username} otp={otp} />);
}

/** Each question of the machine is answered once; what it asks again has failed. */
async function signInByFlags(context: Context, { username, otp }: LoginOptions): Promise<SignedIn> {
  if (!username) throw new UsageError('needsFlag', { flag: '--username' });
  if (!otp) throw new UsageError('needsFlag', { flag: '--otp' });
  const password = await readStdin(context);
  const actor = createActor(machineOf(context), { input: { now: context.now }, clock: context.timers });
  let session: SignedIn['session'] | undefined;
  actor.on('login.succeeded', (event) => {
    session = event.session;
  });
  actor.start();
  const settled = async () => {
    const snapshot = await waitFor(actor, ({ tags }) => !tags.has('busy'));
    const { problem } = snapshot.context;
    if (problem) throw new ShownFailure(problem);
    // A script cannot know a secret it is shown only now.
    if (snapshot.matches('enrolling')) throw new UsageError('needsTerminal');
  };
  try {
    actor.send({ type: 'login.submitted', username, password });
    await settled();
    actor.send({ type: 'otp.submitted', otpCode: otp.trim() });
    await settled();
  } finally {
    actor.stop();
  }
  return { session: session!, username };
}
