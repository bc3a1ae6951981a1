import { STEP_UP_HEADER, stepUp } from '@pilotfish/core/account/account-security-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { CANCELLED, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';

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
