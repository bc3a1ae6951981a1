import { Flex, Text } from '@chakra-ui/react';
import { recoveryCodeSchema } from '@pilotfish/core/auth/auth-contract';
import { formatCountdown } from '@pilotfish/core/time/duration';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { Notice, TextField } from '../ui/controls.tsx';
import { CodeInput } from '../ui/fields/code-input.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { AuthCard } from './auth-card.tsx';
import { Enrolment } from './enrolment.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { type SecondFactor, useChallenge, useLogin, useSecondFactor } from './use-auth.ts';

/** verify-otp and confirm-2fa: with a secretKey in the address the account enrols, otherwise it signs in. */
export default function SecondFactorPage() {
  const { t } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const challenge = useChallenge();
  const { resume, state } = useLogin();
  const secondFactor = useSecondFactor();
  const navigate = useNavigate();
  const begun = useRef(false);

  useEffect(() => {
    if (query.size > 0) {
      // The secret of the authenticator does not stay where histories, screenshots and proxies would keep it.
      challenge.keep(query);
      setQuery({}, { replace: true });
    }
    const held = challenge.read();
    if (secondFactor) begun.current = true;
    else if (held && !begun.current) {
      begun.current = true;
      resume(held);
    } else if (state !== 'signedIn') {
      challenge.forget();
      void navigate('/auth/login', { replace: true });
    }
  }, [secondFactor, query, setQuery, challenge, resume, state, navigate]);

  if (!secondFactor) return null;
  const cancel = () => {
    challenge.forget();
    secondFactor.cancel();
    void navigate('/auth/login');
  };
  if (secondFactor.step === 'recoveryCodes')
    return (
      <AuthCard title={t('auth.recovery.title')} lead={t('auth.recovery.lead')}>
        <RecoveryCodes codes={secondFactor.recoveryCodes} username={secondFactor.username} onSaved={secondFactor.saved} />
      </AuthCard>
    );
  const enrols = secondFactor.step === 'enrolment';
  return (
    <AuthCard title={t(enrols ? 'auth.enrolTitle' : 'auth.otpTitle')} lead={t(enrols ? 'auth.enrolLead' : 'auth.otpLead')}>
      {enrols && secondFactor.secretKey !== undefined && <Enrolment username={secondFactor.username} secretKey={secondFactor.secretKey} />}
      <CodeStep secondFactor={secondFactor} />
      <Button variant="ghost" size="sm" color="fg.muted" onClick={cancel}>
        {t('auth.startOver')}
      </Button>
    </AuthCard>
  );
}

function CodeStep({ secondFactor }: { secondFactor: SecondFactor }) {
  const { t } = useTranslation();
  const { step, busy, problem, submit, wrongCodes, expiresAt } = secondFactor;
  const [recovering, setRecovering] = useState(false);
  const [recoveryCode, setRecoveryCode] = useState('');
  const isRecoveryCode = recoveryCodeSchema.safeParse(recoveryCode.trim()).success;
  return (
    <Flex direction="column" gap="4">
      {problem && !busy && (
        <Notice tone="error" title={problem.title ?? t(`errors.${problem.code}.title`)}>
          {problemText(problem, t)}
          {problem.retryAfter !== undefined && ` ${t('auth.retryAfter', { count: Math.ceil(problem.retryAfter) })}`}
        </Notice>
      )}
      {recovering ? (
        <form
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            if (isRecoveryCode) submit(recoveryCode.trim());
          }}
          style={{ display: 'grid', gap: 16 }}
        >
          <TextField
            label={t('auth.recovery.one')}
            hint={t('auth.recovery.hint')}
            value={recoveryCode}
            onChange={(event) => setRecoveryCode(event.currentTarget.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            fontFamily="mono"
            lang="en"
            autoFocus
          />
          <Button type="submit" colorPalette="brand" disabled={busy || !isRecoveryCode}>
            {t('auth.signIn')}
          </Button>
        </form>
      ) : (
        <CodeInput
          label={t(step === 'enrolment' ? 'auth.enrolCode' : 'auth.otpCode')}
          digitLabel={(position) => t('auth.digit', { position })}
          disabled={busy}
          attempt={wrongCodes}
          onComplete={submit}
        />
      )}
      <Flex justify="space-between" align="center" gap="3" wrap="wrap" minH="8">
        <Remaining until={expiresAt} />
        {step === 'code' && (
          <Button variant="ghost" size="xs" color="brand.fg" onClick={() => setRecovering(!recovering)}>
            {t(recovering ? 'auth.useApp' : 'auth.useRecovery')}
          </Button>
        )}
      </Flex>
    </Flex>
  );
}

/** How long this step stays open, in minutes and seconds; said aloud only when it is nearly over. */
function Remaining({ until }: { until: number }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  if (!Number.isFinite(until)) return <span />;
  const seconds = Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <Text fontSize="13px" color="fg.muted" aria-live={seconds === 30 ? 'polite' : 'off'} css={{ fontVariantNumeric: 'tabular-nums' }}>
      {t('auth.codeValid', { time: formatCountdown(seconds * 1000) })}
    </Text>
  );
}
