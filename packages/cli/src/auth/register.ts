import { type RegistrationContext, registrationMachine } from '@pilotfish/core/auth/registration-machine';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { createActor } from 'xstate';
import type { Context } from '../app/context.ts';
import { CANCELLED, openPrompts, type Prompts, requireTerminal } from '../ui/prompt.ts';
import { showProblem, untilAnswered, whileIn } from './drive.ts';
import { showEnrolment, showRecoveryCodes } from './enrolment.ts';
import { gatewayActors } from './gateway-client.ts';
import { keepSession } from './keep-session.ts';
import { needed } from './login.ts';

export type RegisterOptions = { username?: string; email?: string };

/** Creates an account by the registration machine. Needs a terminal: the authenticator's secret is shown in between. */
export async function run(context: Context, options: RegisterOptions): Promise<void> {
  requireTerminal(context, 'auth register');
  const prompts = openPrompts(context);
  try {
    const { session, username } = await register(context, options, prompts);
    const where = await keepSession(context, session, username);
    await context.say('cli.auth.registered', { username, url: context.profile.url });
    await context.say(`cli.auth.kept.${where}`, { folder: context.profile.folder });
  } finally {
    prompts.close();
  }
}

async function register(
  context: Context,
  options: RegisterOptions,
  prompts: Prompts,
): Promise<{ session: StoredSession; username: string }> {
  const t = await context.texts();
  const { createAccount, confirmTwoFactor } = gatewayActors(context);
  const actor = createActor(registrationMachine.provide({ actors: { createAccount, confirmTwoFactor } }), { input: { now: context.now } });
  let session: StoredSession | undefined;
  let username = '';
  actor.on('registration.succeeded', (event) => {
    session = event.session;
  });
  actor.start();
  let shown: RegistrationContext['problem'];
  let enrolled = '';
  let tries = 0;
  try {
    while (!session) {
      const snapshot = actor.getSnapshot();
      const { problem, enrolment, confirmed } = snapshot.context;
      if (problem !== shown) await showProblem(context, problem, prompts);
      shown = problem;
      if (snapshot.hasTag('busy')) {
        await untilAnswered(actor, 'registration.cancelled', prompts);
      } else if (snapshot.matches('form')) {
        username = (tries === 0 ? options.username : undefined) ?? (await needed(prompts, t('cli.auth.askUsername')));
        const email = (tries === 0 ? options.email : undefined) ?? (await needed(prompts, t('cli.auth.askEmail')));
        const password = await newPassword(context, prompts);
        tries += 1;
        actor.send({ type: 'registration.submitted', username, email, password });
      } else if (snapshot.matches('enrolling')) {
        if (enrolment && enrolled !== enrolment.secretKey) {
          await showEnrolment(context, username, enrolment.secretKey);
          enrolled = enrolment.secretKey;
        }
        const { signal, stop } = whileIn(actor);
        const code = await prompts.ask(t('cli.auth.askCode'), { hidden: true, signal });
        stop();
        if (code !== CANCELLED) actor.send({ type: 'otp.submitted', otpCode: code.trim() });
        else if (!signal.aborted) actor.send({ type: 'registration.cancelled' });
      } else if (snapshot.matches('recoveryCodes')) {
        await showRecoveryCodes(context, confirmed?.recoveryCodes ?? [], prompts);
        actor.send({ type: 'recoveryCodes.saved' });
      }
    }
  } finally {
    actor.stop();
  }
  return { session, username };
}

/** Typed twice, because nobody sees it. */
async function newPassword(context: Context, prompts: Prompts): Promise<string> {
  const t = await context.texts();
  for (;;) {
    const first = await needed(prompts, t('cli.auth.askPassword'), true);
    const second = await needed(prompts, t('cli.auth.askPasswordAgain'), true);
    if (first === second) return first;
    context.stderr.write(`${t('cli.auth.passwordsDiffer')}\n`);
  }
}
