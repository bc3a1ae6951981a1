import { Flex, Text } from '@chakra-ui/react';
import { otpCodeSchema, recoveryCodeSchema } from '@pilotfish/core/auth/auth-contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { focusedFirst } from '../ui/dialogs/use-modal.ts';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';

/** Asks for a code of the authenticator; the call that needed it goes on by itself. */
export default function SecondFactorDialog() {
  const { t } = useTranslation();
  const { client, secondFactor } = useApp();
  const [otpCode, setOtpCode] = useState('');
  const [error, setError] = useState<string>();
  const { busy, run } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The form that waits may be drawn around this one.
    event.stopPropagation();
    const code = otpCode.trim();
    if (!otpCodeSchema.safeParse(code).success && !recoveryCodeSchema.safeParse(code).success) return setError(t('stepUp.codeRule'));
    setError(undefined);
    void run(() => client.stepUp({ body: { otpCode: code } }), {
      onDone: () => secondFactor.answer(true),
      onFailed: (problem) => setError(problemText(problem, t)),
    });
  };
  return (
    <Dialog open title={t('stepUp.title')} onClose={() => secondFactor.answer(false)} width={440}>
      <form onSubmit={submit} noValidate>
        <Flex direction="column" gap="4">
          <Text color="fg.muted">{t('stepUp.why.secondFactor')}</Text>
          <TextField
            label={t('stepUp.code')}
            hint={t('stepUp.codeHint')}
            autoComplete="one-time-code"
            inputMode="text"
            maxLength={11}
            ref={focusedFirst}
            value={otpCode}
            onChange={(event) => setOtpCode(event.currentTarget.value)}
            error={error}
          />
          <Button type="submit" colorPalette="brand" disabled={busy}>
            {t('stepUp.confirm')}
          </Button>
        </Flex>
      </form>
    </Dialog>
  );
}
