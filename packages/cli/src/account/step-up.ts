import { STEP_UP_HEADER, stepUp } from '@pilotfish/core/account/account-security-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { CANCELLED, openPrompts, readStdin, requireTerminal } from '../ui/prompt.ts';

export type ProofOptions = { passwordStdin?: true; otp?: string };

/** Proves once more who is there: by `--otp`, a password from stdin, or what is typed at a hidden prompt. */
export async function proofHeader(context: Context, { passwordStdin, otp }: ProofOptions, both = false): Promise<Record<string, string>> {
  let password = passwordStdin ? await readStdin(context) : undefined;
  let otpCode = otp;
  const asksPassword = password === undefined && (both || otpCode === undefined);
  if (asksPassword) requireTerminal(context, both ? '--password-stdin' : '--otp');
  if (both && otpCode === undefined) requireTerminal(context, '--otp');
  if (asksPassword || (both && otpCode === undefined)) {
    const t = await context.texts();
    const prompts = openPrompts(context);
    try {
      if (asksPassword) password = typed(await prompts.ask(t('cli.account.password'), { hidden: true }));
      if (both && otpCode === undefined) otpCode = typed(await prompts.ask(t('cli.account.otp')));
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

function typed(answer: string | typeof CANCELLED): string {
  if (answer === CANCELLED) throw new UsageError('cancelled');
  return answer.trim();
}
