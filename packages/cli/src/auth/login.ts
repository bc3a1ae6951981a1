import { type LoginContext, loginMachine } from '@pilotfish/core/auth/login-machine';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { createActor } from 'xstate';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { CANCELLED, openPrompts, type Prompts, readStdin, requireTerminal } from '../ui/prompt.ts';
import { showProblem, untilAnswered, whileIn } from './drive.ts';
import { showEnrolment, showRecoveryCodes } from './enrolment.ts';
import { gatewayActors } from './gateway-client.ts';
import { keepSession } from './keep-session.ts';

export type LoginOptions = { username?: string; passwordStdin?: true; otp?: string };

/** Signs in by the login machine: it decides what is asked next, this side only asks and shows. */
export async function run(context: Context, options: LoginOptions): Promise<void> {
  if (options.passwordStdin) {
    if (!options.username) throw new UsageError('needsFlag', { flag: '--username' });
    if (!options.otp) throw new UsageError('needsFlag', { flag: '--otp' });
  } else {
    if (!options.username) requireTerminal(context, '--username');
    requireTerminal(context, '--password-stdin');
  }
  const password = options.passwordStdin ? await readStdin(context) : undefined;
  const prompts = password === undefined ? openPrompts(context) : undefined;
  try {
    const { session, username } = await signIn(context, options, password, prompts);
    const where = await keepSession(context, session, username);
    await context.say('cli.auth.signedIn', { username, url: context.profile.url });
    await context.say(`cli.auth.kept.${where}`, { folder: context.profile.folder });
  } finally {
    prompts?.close();
  }
}

async function signIn(
  context: Context,
  options: LoginOptions,
  password: string | undefined,
  prompts: Prompts | undefined,
): Promise<{ session: StoredSession; username: string }> {
  const t = await context.texts();
  const actor = createActor(loginMachine.provide({ actors: gatewayActors(context) }), { input: { now: context.now } });
  let session: StoredSession | undefined;
  let signedInAs = '';
  actor.on('login.succeeded', (event) => {
    session = event.session;
  });
  actor.start();
  let shown: LoginContext['problem'];
  let enrolled = '';
  let tries = 0;
  let codes = 0;
  try {
    while (!session) {
      const snapshot = actor.getSnapshot();
      const { problem, username, secretKey, confirmed } = snapshot.context;
      if (problem !== shown) await showProblem(context, problem, prompts);
      shown = problem;
      if (snapshot.hasTag('busy')) {
        await untilAnswered(actor, 'login.cancelled', prompts);
      } else if (snapshot.matches('credentials')) {
        const name = (tries === 0 ? options.username : undefined) ?? (await needed(prompts, t('cli.auth.askUsername')));
        const secret = password ?? (await needed(prompts, t('cli.auth.askPassword'), true));
        tries += 1;
        signedInAs = name;
        actor.send({ type: 'login.submitted', username: name, password: secret });
      } else if (snapshot.matches('awaitingCode') || snapshot.matches('enrolling')) {
        if (secretKey && enrolled !== secretKey) {
          // A script cannot know a secret it is shown only now.
          if (!prompts) throw new UsageError('needsTerminal');
          await showEnrolment(context, username, secretKey);
          enrolled = secretKey;
        }
        const given = codes === 0 ? options.otp : undefined;
        codes += 1;
        const { signal, stop } = whileIn(actor);
        const code = given ?? (await prompts?.ask(t('cli.auth.askCode'), { hidden: true, signal })) ?? CANCELLED;
        stop();
        if (code !== CANCELLED) actor.send({ type: 'otp.submitted', otpCode: code.trim() });
        // The code may have expired while it was asked for; then the machine has moved on by itself.
        else if (!signal.aborted) actor.send({ type: 'login.cancelled' });
      } else if (snapshot.matches('recoveryCodes')) {
        await showRecoveryCodes(context, confirmed?.recoveryCodes ?? [], prompts);
        actor.send({ type: 'recoveryCodes.saved' });
      }
    }
  } finally {
    actor.stop();
  }
  return { session, username: signedInAs };
}

/** Asks until there is an answer; Escape at the first question leaves. */
export async function needed(prompts: Prompts | undefined, label: string, hidden = false): Promise<string> {
  if (!prompts) throw new UsageError('needsTerminal');
  for (;;) {
    const answer = await prompts.ask(label, { hidden });
    if (answer === CANCELLED) throw new UsageError('cancelled');
    if (answer.trim() !== '') return hidden ? answer : answer.trim();
  }
}
