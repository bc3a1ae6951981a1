import { Flex, Text } from '@chakra-ui/react';
import { STEP_UP_HEADER } from '@pilotfish/core/account/account-security-contract';
import { otpCodeSchema, recoveryCodeSchema } from '@pilotfish/core/auth/auth-contract';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { Notice, TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { focusedFirst } from '../ui/dialogs/use-modal.ts';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';

/** What a deed asks for: `password`, `totp`, both of them, or either. */
type Need = 'any' | 'password' | 'both';
type Asked = { need: Need; why: string; answer: (headers: Record<string, string> | undefined) => void };

/**
 * Asks who is there once more. `ask` resolves with the header of the proof, or with undefined when the person gives
 * up; `dialog` has to be drawn by who uses it.
 */
export function useStepUp() {
  const [asked, setAsked] = useState<Asked>();
  const last = useRef<{ need: Need; proof: string; until: number }>(undefined);
  const ask = (need: Need, why: string): Promise<Record<string, string> | undefined> => {
    const kept = last.current;
    // The same proof serves for five minutes; a little less, for the way there.
    if (kept && kept.until > Date.now() + 10_000 && (need === 'any' || kept.need === need || kept.need === 'both'))
      return Promise.resolve({ [STEP_UP_HEADER]: kept.proof });
    return new Promise((answer) => setAsked({ need, why, answer }));
  };
  const finish = (headers: Record<string, string> | undefined) => {
    asked?.answer(headers);
    setAsked(undefined);
  };
  const dialog = asked && (
    <StepUpDialog
      asked={asked}
      onClose={() => finish(undefined)}
      onProof={(proof, until) => {
        last.current = { need: asked.need, proof, until };
        finish({ [STEP_UP_HEADER]: proof });
      }}
    />
  );
  return { ask, dialog };
}

function StepUpDialog({ asked, onClose, onProof }: { asked: Asked; onClose: () => void; onProof: (proof: string, until: number) => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [password, setPassword] = useState('');
  const [otpCode, setOtpCode] = useState('');
  const [error, setError] = useState<string>();
  const { busy, run } = useAction();
  const both = asked.need === 'both';
  const ready =
    password !== '' && (!both || otpCodeSchema.safeParse(otpCode).success || recoveryCodeSchema.safeParse(otpCode.trim()).success);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready) return setError(t('stepUp.missing'));
    void run(() => client.stepUp({ body: { password, ...(both ? { otpCode: otpCode.trim() } : {}) } }), {
      onDone: ({ proof, expiresAt }) => onProof(proof, Date.parse(expiresAt)),
      onFailed: (problem) => setError(problemText(problem, t)),
    });
  };
  return (
    <Dialog open title={t('stepUp.title')} onClose={onClose} width={440}>
      <form onSubmit={submit} noValidate>
        <Flex direction="column" gap="4">
          <Text color="fg.muted">{asked.why}</Text>
          {error && <Notice tone="error">{error}</Notice>}
          <PasswordField
            label={t('security.currentPassword')}
            autoComplete="current-password"
            ref={focusedFirst}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          {both && (
            <TextField
              label={t('stepUp.code')}
              hint={t('stepUp.codeHint')}
              autoComplete="one-time-code"
              maxLength={11}
              value={otpCode}
              onChange={(event) => setOtpCode(event.currentTarget.value)}
            />
          )}
          <Button type="submit" colorPalette="brand" disabled={busy}>
            {t('stepUp.confirm')}
          </Button>
        </Flex>
      </form>
    </Dialog>
  );
}
