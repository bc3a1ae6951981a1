import { authenticatorLink } from '@pilotfish/core/auth/auth-api';
import type { Context } from '../app/context.ts';
import { colours } from '../ui/colour.ts';
import type { Prompts } from '../ui/prompt.ts';
import { showQrCode } from '../ui/qr-code.ts';

/** The authenticator secret three ways: a code to scan, a link to open, the letters to type. */
export async function showEnrolment(context: Context, username: string, secretKey: string): Promise<void> {
  const t = await context.texts();
  const { stderr } = context;
  const link = authenticatorLink(username, secretKey);
  const paint = colours(context, stderr);
  stderr.write(`\n${paint.bold(t('auth.enrolTitle'))}\n${t('auth.enrolLead')}\n\n`);
  await showQrCode(context, link);
  stderr.write(`${t('auth.secret')}: ${paint.bold(secretKey)}\n${link}\n\n`);
}

/** The recovery codes, printed once: on stdout, so that they can be put into a file. */
export async function showRecoveryCodes(context: Context, codes: readonly string[], prompts: Prompts | undefined): Promise<void> {
  const t = await context.texts();
  context.stderr.write(`\n${t('auth.recovery.title')}: ${t('auth.recovery.lead')}\n${t('auth.recovery.once')}\n`);
  context.stdout.write(`${codes.map((code) => `  ${code}`).join('\n')}\n`);
  if (!prompts) return;
  for (;;) {
    const answer = await prompts.ask(t('cli.auth.keptCodes'));
    if (typeof answer === 'string' && /^(y|yes|e|evet)$/i.test(answer.trim())) return;
    context.stderr.write(`${t('auth.recovery.why')}\n`);
  }
}
