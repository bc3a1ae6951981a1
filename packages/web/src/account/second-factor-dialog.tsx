import { Flex, Text } from '@chakra-ui/react';
import { otpCodeSchema, recoveryCodeSchema } from '@pilotfish/core/auth/auth-contract';
import { shownProblem } from '@pilotfish/core/http/problem';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { focusedFirst } from '../ui/use-modal.ts';

/** Asks for a code of the authenticator; the call that needed it goes on by itself. */
export default function SecondFactorDialog() {
  const { t } = useTranslation();
  const { client, busy: loading, secondFactor } = useApp();
  const [otpCode, setOtpCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The form that waits may be drawn around this one.
    event.stopPropagation();
    const code = otpCode.trim();
    if (!otpCodeSchema.safeParse(code).success && !recoveryCodeSchema.safeParse(code).success) return setError(t('stepUp.codeRule'));
    setBusy(true);
    setError(undefined);
    try {
      await loading.during(client.stepUp({ body: { otpCode: code } }));
      secondFactor.answer(true);
    } catch (thrown) {
      setError(problemText(shownProblem(thrown), t));
      setBusy(false);
    }
  };
  return (
    <Dialog open title={t('stepUp.title')} onClose={() => secondFactor.answer(false)} width={440}>
      <form onSubmit={(event) => void submit(event)} noValidate>
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
