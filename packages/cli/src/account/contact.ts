import { getAccount } from '@pilotfish/core/account/account-contract';
import { changeEmail, resendEmailConfirmation } from '@pilotfish/core/account/account-security-contract';
import { changePassword, confirmEmail, confirmPhone, receivePhoneConfirmation } from '@pilotfish/core/auth/auth-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { canAsk, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';
import { sayConnections } from './connections.ts';
import { type ProofOptions, proofHeader, typed } from './step-up.ts';

/** Changes the password; from stdin come the present one and the new one, a line each. Every other device is signed out. */
export async function password(context: Context, { passwordStdin }: { passwordStdin?: true }): Promise<void> {
  const [currentPassword, newPassword] = passwordStdin ? twoLines(await readStdin(context)) : await askedPasswords(context);
  const client = await context.client({ changePassword });
  const { message } = await client.changePassword({ body: { currentPassword, newPassword } });
  context.stderr.write(`${message}\n`);
  await sayConnections(context);
}

function twoLines(text: string): [string, string] {
  const [current, wanted, ...rest] = text.split(/\r?\n/);
  if (!current || !wanted || rest.length > 0) throw new UsageError('twoPasswords');
  return [current, wanted];
}

async function askedPasswords(context: Context): Promise<[string, string]> {
  requireTerminal(context, '--password-stdin');
  const t = await context.texts();
  const prompts = openPrompts(context);
  try {
    const current = await typed(prompts.ask(t('cli.account.currentPassword'), { hidden: true }));
    for (;;) {
      const wanted = await typed(prompts.ask(t('cli.account.newPassword'), { hidden: true }));
      if (wanted === (await typed(prompts.ask(t('cli.account.repeatPassword'), { hidden: true })))) return [current, wanted];
      context.stderr.write(`${t('cli.account.passwordsDiffer')}\n`);
    }
  } finally {
    prompts.close();
  }
}

type EmailOptions = ProofOptions & { addressOrCode?: string; resend?: true };
/** Moves the account to another address, or takes the code (or the whole link) that was mailed there. */
export async function email(context: Context, { addressOrCode: given, resend, ...proof }: EmailOptions): Promise<void> {
  const client = await context.client({ getAccount, changeEmail, resendEmailConfirmation, confirmEmail });
  if (resend || given === undefined) {
    const { email: address, emailConfirmed } = await client.getAccount();
    if (resend && !emailConfirmed) await client.resendEmailConfirmation();
    const said = emailConfirmed ? 'cli.account.emailIs' : resend ? 'account.confirmationSent' : 'cli.account.emailUnconfirmed';
    return context.say(said, { email: address });
  }
  if (!given.includes('@')) {
    await client.confirmEmail({ body: { code: /#confirm-email=(.+)$/.exec(given)?.[1] ?? given } });
    return context.say('account.emailConfirmed');
  }
  const headers = await proofHeader(context, proof, 'password');
  await client.changeEmail({ body: { email: given } }, { headers });
  await context.say('account.changeSent', { email: given });
}

/** Sends a code to a phone number and takes it back: asked for on a terminal, by `--code` in a script. */
export async function phone(context: Context, { number, code }: { number: string; code?: string }): Promise<void> {
  const client = await context.client({ receivePhoneConfirmation, confirmPhone });
  const wanted = number.replace(/[\s()-]/g, '');
  let given = code;
  if (given === undefined) {
    await client.receivePhoneConfirmation({ body: { phone: wanted } });
    await context.say('cli.account.codeSent', { phone: wanted });
    if (!canAsk(context)) return;
    const t = await context.texts();
    const prompts = openPrompts(context);
    given = await typed(prompts.ask(t('cli.account.phoneCode'))).finally(() => prompts.close());
  }
  await client.confirmPhone({ body: { phone: wanted, code: given.trim() } });
  await context.say('account.phoneConfirmed');
}
