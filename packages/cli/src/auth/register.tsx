import { registrationMachine } from '@pilotfish/core/auth/registration-machine';
import { giveZone } from '../app/account-zone.ts';
import type { Context } from '../app/context.ts';
import { askFirstMarket } from '../app/first-market.tsx';
import { keepSession } from '../app/session-actor.ts';
import { ask, requireTerminal } from '../ui/prompt.ts';
import { gatewayActors } from './gateway-client.ts';
import type { SignedIn } from './login-wizard.tsx';
import { setupCodeBeside } from './setup-code.ts';

export type RegisterOptions = { username?: string; email?: string };

/** Creates an account by the registration machine. Needs a terminal: the authenticator's secret is shown in between. */
export async function run(context: Context, { username, email }: RegisterOptions): Promise<void> {
  requireTerminal(context, 'auth register');
  const { RegisterWizard } = await import('./register-wizard.tsx');
  const { createAccount, confirmTwoFactor } = gatewayActors(context);
  const machine = registrationMachine.provide({ actors: { createAccount, confirmTwoFactor } });
  const given = { ...(username !== undefined && { username }), ...(email !== undefined && { email }) };
  const setupCode = setupCodeBeside(context);
  if (setupCode !== undefined) await context.say('cli.auth.setupCodeFound');
  const done = await ask<SignedIn>(context, (ending) => (
    <RegisterWizard {...ending} context={context} machine={machine} given={given} setupCode={setupCode} />
  ));
  const where = await keepSession(context, done.session, done.username);
  await context.say('cli.auth.registered', { username: done.username, url: context.profile.url });
  await context.say(`cli.auth.kept.${where}`, { folder: context.profile.folder });
  await giveZone(context);
  await askFirstMarket(context);
}
