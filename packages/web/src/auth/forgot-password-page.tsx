import { emailSchema } from '@pilotfish/core/auth/auth-contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useApp } from '../platform/app-context.tsx';
import { useAction } from '../platform/use-action.ts';
import { LinkButton, Notice, TextField } from '../ui/controls.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { AuthCard } from './auth-card.tsx';
import { PasswordMeter, useStrength } from './password-meter.tsx';

/** Asks for the one-time link; opened by that link (its code after the #, so no server log sees it) it sets the new password. */
export default function ForgotPasswordPage() {
  const { t } = useTranslation();
  const { hash } = useLocation();
  const code = new URLSearchParams(hash.slice(1)).get('code');
  return (
    <AuthCard title={t(code ? 'auth.reset.title' : 'auth.forgotten.title')} lead={t(code ? 'auth.reset.lead' : 'auth.forgotten.lead')}>
      {code ? <ResetForm code={code} /> : <RequestForm />}
      <LinkButton to="/auth/login" variant="ghost" size="sm" color="fg.muted">
        {t('auth.backToLogin')}
      </LinkButton>
    </AuthCard>
  );
}

/** A form of one call, which gives way to a notice when it is done. */
function useCall(call: () => Promise<unknown>) {
  const { run, ...action } = useAction();
  const [isDone, setDone] = useState(false);
  return { ...action, isDone, run: () => void run(call, { onDone: () => setDone(true) }) };
}

function RequestForm() {
  const { t } = useTranslation();
  const app = useApp();
  const [email, setEmail] = useState('');
  const [error, setError] = useState<string>();
  const { busy, isDone, problem, run } = useCall(() => app.client.forgotPassword({ body: { email: email.trim() } }));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!emailSchema.safeParse(email.trim()).success) return setError(t('auth.emailRule'));
    setError(undefined);
    run();
  };
  if (isDone)
    return (
      <Notice tone="success" title={t('auth.forgotten.sentTitle')}>
        {t('auth.forgotten.sent')}
      </Notice>
    );
  return (
    <form onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
      {problem && <Notice tone="error">{problemText(problem, t)}</Notice>}
      <TextField
        label={t('auth.email')}
        type="email"
        autoComplete="email"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={error}
      />
      <Button type="submit" colorPalette="brand" disabled={busy}>
        {t('auth.forgotten.send')}
      </Button>
    </form>
  );
}

function ResetForm({ code }: { code: string }) {
  const { t } = useTranslation();
  const app = useApp();
  const [password, setPassword] = useState('');
  const strength = useStrength(password, []);
  const [error, setError] = useState<string>();
  const { busy, isDone, problem, run } = useCall(() => app.client.resetPassword({ body: { code, newPassword: password } }));
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (strength?.verdict !== 'ok' && (strength !== undefined || password === '')) return setError(t('auth.strengthRule'));
    setError(undefined);
    run();
  };
  if (isDone)
    return (
      <Notice tone="success" title={t('auth.reset.doneTitle')}>
        {t('auth.reset.done')}
      </Notice>
    );
  return (
    <form onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
      {problem && <Notice tone="error">{problemText(problem, t)}</Notice>}
      <PasswordField
        label={t('auth.newPassword')}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={error}
      />
      <PasswordMeter strength={strength} />
      <Button type="submit" colorPalette="brand" disabled={busy}>
        {t('auth.reset.save')}
      </Button>
    </form>
  );
}
