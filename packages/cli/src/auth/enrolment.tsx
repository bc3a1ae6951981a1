import { authenticatorLink } from '@pilotfish/core/auth/auth-api';
import type { Confirmed } from '@pilotfish/core/auth/auth-contract';
import { useEffect, useState } from 'react';
import type { AnyActorRef } from 'xstate';
import type { Context } from '../app/context.ts';
import { useTools } from '../ui/prompt-screen.tsx';
import { qrCode } from '../ui/qr-code.ts';
import { TextQuestion } from '../ui/questions.tsx';

/** Shows a new authenticator secret three ways: a code to scan, a link to open, the letters to type. True once it stands there. */
export function useShownEnrolment(context: Context, username: string, secretKey: string | undefined): boolean {
  const { t, paint, print } = useTools();
  const [shown, show] = useState<string>();
  useEffect(() => {
    if (secretKey === undefined || secretKey === shown) return;
    const link = authenticatorLink(username, secretKey);
    void qrCode(context, link).then((drawn) => {
      print(`\n${paint.bold(t('auth.enrolTitle'))}\n${t('auth.enrolLead')}\n\n${drawn}`);
      print(`${t('auth.secret')}: ${paint.bold(secretKey)}\n${link}\n\n`);
      show(secretKey);
    });
  }, [context, username, secretKey, shown, t, paint, print]);
  return secretKey === undefined || secretKey === shown;
}

/** The six digits of the authenticator, or a recovery code. */
export function CodeQuestion({
  error,
  onCode,
  onCancel,
}: {
  error: string | undefined;
  onCode: (code: string) => void;
  onCancel: () => void;
}) {
  const { t } = useTools();
  return (
    <TextQuestion
      label={t('cli.auth.askCode')}
      hidden
      error={error}
      check={(text) => (text.trim() === '' ? t('cli.prompt.empty') : undefined)}
      onAnswer={(text) => onCode(text.trim())}
      onCancel={onCancel}
    />
  );
}

/** Prints the recovery codes when the machine has them, before it asks about them: on stdout, so that they can be put into a file. */
export function usePrintedCodes(actor: AnyActorRef): void {
  const { t, print, printData } = useTools();
  useEffect(() => {
    let printed: Confirmed | undefined;
    const subscription = actor.subscribe(({ context: { confirmed } }: { context: { confirmed: Confirmed | undefined } }) => {
      if (!confirmed || confirmed === printed) return;
      printed = confirmed;
      print(`\n${t('auth.recovery.title')}: ${t('auth.recovery.lead')}\n${t('auth.recovery.once')}\n`);
      printData(`${confirmed.recoveryCodes.map((code) => `  ${code}`).join('\n')}\n`);
    });
    return () => subscription.unsubscribe();
  }, [actor, t, print, printData]);
}

/** Nothing goes on before the person says that the codes are kept. */
export function KeptCodes({ onSaved }: { onSaved: () => void }) {
  const { t } = useTools();
  const [refusals, refuse] = useState(0);
  return (
    <TextQuestion
      key={refusals}
      label={t('cli.auth.keptCodes')}
      error={refusals > 0 ? t('auth.recovery.why') : undefined}
      check={(text) => (/^(y|yes|e|evet)$/i.test(text.trim()) ? undefined : t('auth.recovery.why'))}
      onAnswer={onSaved}
      onCancel={() => refuse(refusals + 1)}
    />
  );
}
