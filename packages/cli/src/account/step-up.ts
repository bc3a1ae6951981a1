import { STEP_UP_HEADER, stepUp } from '@pilotfish/core/account/account-security-contract';
import { codeOf } from '@pilotfish/core/http/problem';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { tell } from '../app/show-error.ts';
import { CANCELLED, canAsk, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';

export type ProofOptions = { passwordStdin?: true; otp?: string };

/**
 * Proves once more who is there: by `--otp`, a password from stdin, or what is typed at a hidden prompt.
 * @param needs which means the deed asks for; either of them with `any`
 * @throws UsageError naming the flag that a script must give
 */
export async function proofHeader(
  context: Context,
  { passwordStdin, otp }: ProofOptions,
  needs: 'any' | 'password' | 'both' = 'any',
): Promise<Record<string, string>> {
  const asksPassword = !passwordStdin && (needs !== 'any' || otp === undefined);
  const asksCode = needs === 'both' && otp === undefined;
  if (asksPassword) requireTerminal(context, needs === 'any' ? '--otp' : '--password-stdin');
  if (asksCode) requireTerminal(context, '--otp');
  let password = passwordStdin ? await readStdin(context) : undefined;
  let otpCode = otp;
  if (asksPassword || asksCode) {
    const t = await context.texts();
    const prompts = openPrompts(context);
    try {
      if (asksPassword) password = await typed(prompts.ask(t('cli.account.password'), { hidden: true }));
      if (asksCode) otpCode = (await typed(prompts.ask(t('cli.account.otp')))).trim();
    } finally {
      prompts.close();
    }
  }
  const client = await context.client({ stepUp });
  const { proof } = await client.stepUp({
    body: { ...(password === undefined ? {} : { password }), ...(otpCode === undefined ? {} : { otpCode }) },
  });
  return { [STEP_UP_HEADER]: proof };
}

/** @throws UsageError `cancelled` after Escape */
export async function typed(answer: Promise<string | typeof CANCELLED>): Promise<string> {
  const text = await answer;
  if (text === CANCELLED) throw new UsageError('cancelled');
  return text;
}

const ASKED_AGAIN = ['wrong-code', 'code-used', 'invalid'];

/** Asks for the code that a call needs, again after a wrong one. False in a script, and after Escape. */
export async function askSecondFactor(context: Context): Promise<boolean> {
  if (!canAsk(context)) return false;
  const [t, client] = await Promise.all([context.texts(), context.client({ stepUp })]);
  const prompts = openPrompts(context);
  try {
    prompts.say(`${t('stepUp.why.secondFactor')}\n`);
    for (;;) {
      const code = await prompts.ask(t('cli.account.otp'), { hidden: true });
      if (code === CANCELLED) return false;
      try {
        await client.stepUp({ body: { otpCode: code.trim() } });
        return true;
      } catch (error) {
        if (!ASKED_AGAIN.includes(codeOf(error))) throw error;
        prompts.say(`${tell(error, t).sentence}\n`);
      }
    }
  } finally {
    prompts.close();
  }
}

/** Gives a code ahead, for the script that goes on without a terminal. */
export async function confirmSecondFactor(context: Context, { otp }: { otp?: string }): Promise<void> {
  if (otp === undefined) {
    requireTerminal(context, '--otp');
    if (!(await askSecondFactor(context))) throw new UsageError('cancelled');
  } else {
    const client = await context.client({ stepUp });
    await client.stepUp({ body: { otpCode: otp.trim() } });
  }
  await context.say('cli.account.confirmed');
}
