import { emailSchema, usernameSchema } from '@pilotfish/core/auth/auth-contract';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { useConfig } from '../platform/use-session.ts';
import { Notice, TextField, TextLink } from '../ui/controls.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Button } from '../ui/primitives.tsx';
import { problemText } from '../ui/toasts.ts';
import { AuthCard } from './auth-card.tsx';
import { PasswordMeter, useStrength } from './password-meter.tsx';
import { secondFactorPath, useRegistration, useSecondFactor } from './use-auth.ts';

type Fields = { username: string; email: string; password: string };

export default function RegisterPage() {
  const { t } = useTranslation();
  const { state, context, submit } = useRegistration();
  const secondFactor = useSecondFactor();
  const navigate = useNavigate();
  const [fields, setFields] = useState<Fields>({ username: context.username, email: '', password: '' });
  const [checked, setChecked] = useState(false);
  const [inviteCode, setInviteCode] = useState('');
  const [setupCode, setSetupCode] = useState('');
  const config = useConfig();
  const registration = config?.registration;
  const submitted = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const strength = useStrength(fields.password, [fields.username, fields.email]);
  const busy = state === 'creating';
  const problem = busy ? undefined : context.problem;

  useEffect(() => {
    if (secondFactor && submitted.current) void navigate(secondFactorPath(secondFactor));
  }, [secondFactor, navigate]);

  const errors: Partial<Record<keyof Fields, string>> = {
    ...(usernameSchema.safeParse(fields.username).success ? {} : { username: t('auth.usernameRule') }),
    ...(emailSchema.safeParse(fields.email.trim()).success ? {} : { email: t('auth.emailRule') }),
    // Until the password is judged here (a fast hand, a slow line) the server's judgement is enough.
    ...(strength?.verdict === 'ok' || (strength === undefined && fields.password !== '')
      ? {}
      : { password: t(strength?.verdict === 'own-field' ? 'auth.ownField' : 'auth.strengthRule') }),
  };
  // What the server alone can know is shown at its field until that field changes.
  const taken = {
    username: problem?.code === 'username-taken',
    email: problem?.code === 'email-taken',
    password: problem?.code === 'weak-password',
    setupCode: problem?.code === 'setup-code-required' || problem?.code === 'wrong-setup-code',
  };
  // The configuration may have been read before the server was set up.
  const asksSetupCode = config?.setupCode === true || taken.setupCode;
  const errorOf = (field: keyof Fields) =>
    (checked && errors[field]) || (taken[field] && problem ? problemText(problem, t) : undefined) || undefined;

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const [first] = Object.keys(errors);
    if (first) {
      form.current?.querySelector<HTMLInputElement>(`input[name=${first}]`)?.focus();
      return;
    }
    submitted.current = true;
    secondFactor?.cancel();
    submit({
      username: fields.username.trim(),
      email: fields.email.trim(),
      password: fields.password,
      ...(inviteCode.trim() === '' ? {} : { inviteCode: inviteCode.trim() }),
      ...(asksSetupCode && setupCode.trim() !== '' && { setupCode: setupCode.trim() }),
    });
  };
  const set = (field: keyof Fields) => (event: FormEvent<HTMLInputElement>) => setFields({ ...fields, [field]: event.currentTarget.value });

  return (
    <AuthCard
      title={t('auth.registerTitle')}
      lead={t('auth.registerLead')}
      footer={
        <>
          {t('auth.haveAccount')} <TextLink to="/auth/login">{t('auth.signIn')}</TextLink>
        </>
      }
    >
      <form ref={form} onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
        {problem && !Object.values(taken).some(Boolean) && (
          <Notice tone="error" title={problem.title ?? t(`errors.${problem.code}.title`)}>
            {problemText(problem, t)}
          </Notice>
        )}
        <TextField
          label={t('auth.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={fields.username}
          onChange={set('username')}
          error={errorOf('username')}
        />
        <TextField
          label={t('auth.email')}
          name="email"
          type="email"
          autoComplete="email"
          value={fields.email}
          onChange={set('email')}
          error={errorOf('email')}
        />
        <PasswordField
          label={t('auth.password')}
          name="password"
          autoComplete="new-password"
          value={fields.password}
          onChange={set('password')}
          error={errorOf('password')}
        />
        <PasswordMeter strength={strength} isRuleSaid={errorOf('password') !== undefined} />
        {asksSetupCode && (
          <TextField
            label={t('auth.setupCode')}
            hint={t('auth.setupHint')}
            name="setupCode"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={setupCode}
            onChange={(event) => setSetupCode(event.currentTarget.value)}
            error={taken.setupCode && problem ? problemText(problem, t) : undefined}
          />
        )}
        {registration === 'invite' && (
          <TextField
            label={t('auth.inviteCode')}
            hint={t('auth.inviteHint')}
            name="inviteCode"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={inviteCode}
            onChange={(event) => setInviteCode(event.currentTarget.value)}
          />
        )}
        {registration === 'closed' && !problem && <Notice tone="info">{t('errors.registration-closed.detail')}</Notice>}
        <Button type="submit" colorPalette="brand" disabled={busy} aria-busy={busy}>
          {busy ? t('auth.creating') : t('auth.createAccount')}
        </Button>
      </form>
    </AuthCard>
  );
}
