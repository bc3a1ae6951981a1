import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { SIGNED_OUT_KEY } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { Notice, TextField, TextLink } from '../ui/controls.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { AuthCard } from './auth-card.tsx';
import { signedOutText } from './signed-out.ts';
import { secondFactorPath, useLogin, useSecondFactor } from './use-auth.ts';

export default function LoginPage() {
  const { t } = useTranslation();
  const { state, context, submit } = useLogin();
  const secondFactor = useSecondFactor();
  const navigate = useNavigate();
  const [username, setUsername] = useState(context.username);
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({});
  const form = useRef<HTMLFormElement>(null);
  const busy = state === 'submitting';
  const signedOut = useApp().browser.tabStorage.get(SIGNED_OUT_KEY);
  // Only a step reached from this form leads on; one left half-way earlier is started over.
  const submitted = useRef(false);

  useEffect(() => {
    if (secondFactor && submitted.current) void navigate(secondFactorPath(secondFactor));
  }, [secondFactor, navigate]);
  useEffect(() => {
    if (state === 'credentials' && context.problem) form.current?.querySelector<HTMLInputElement>('input[name=password]')?.focus();
  }, [state, context.problem]);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const next = {
      ...(username.trim() === '' ? { username: t('auth.usernameMissing') } : {}),
      ...(password === '' ? { password: t('auth.passwordMissing') } : {}),
    };
    setMissing(next);
    if (Object.keys(next).length > 0) return;
    submitted.current = true;
    secondFactor?.cancel();
    submit(username.trim(), password);
  };

  return (
    <AuthCard
      title={t('auth.loginTitle')}
      lead={t('auth.loginLead')}
      footer={
        <>
          {t('auth.noAccount')} <TextLink to="/auth/register">{t('auth.register')}</TextLink>
        </>
      }
    >
      <form ref={form} onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
        {signedOut !== null && !context.problem && <Notice tone="warning">{t(signedOutText(signedOut))}</Notice>}
        {context.problem && !busy && (
          <Notice tone="error" title={context.problem.title ?? t(`errors.${context.problem.code}.title`)}>
            {problemText(context.problem, t)}
            {context.problem.retryAfter !== undefined && ` ${t('auth.retryAfter', { count: Math.ceil(context.problem.retryAfter) })}`}
          </Notice>
        )}
        <TextField
          label={t('auth.usernameOrEmail')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          error={missing.username}
        />
        <PasswordField
          label={t('auth.password')}
          name="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          error={missing.password}
          aside={<TextLink to="/auth/forgot-password">{t('auth.forgot')}</TextLink>}
        />
        <Button type="submit" colorPalette="brand" disabled={busy} aria-busy={busy}>
          {busy ? t('auth.signingIn') : t('auth.signIn')}
        </Button>
      </form>
    </AuthCard>
  );
}
