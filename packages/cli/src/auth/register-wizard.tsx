import type { Registration } from '@pilotfish/core/auth/auth-contract';
import type { registrationMachine } from '@pilotfish/core/auth/registration-machine';
import { useActor } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { problemText } from '../app/show-error.ts';
import type { Translate } from '../app/texts.ts';
import { type Ending, useTools } from '../ui/prompt-screen.tsx';
import { type Answers, type Field, Form, Waiting } from '../ui/questions.tsx';
import { CodeQuestion, KeptCodes, usePrintedCodes, useShownEnrolment } from './enrolment.tsx';
import type { SignedIn } from './login-wizard.tsx';

type Props = Ending<SignedIn> & {
  readonly context: Context;
  readonly machine: typeof registrationMachine;
  /** What the flags give, for the first try. */
  readonly given: Answers;
  /** Of a server on this machine. */
  readonly setupCode: string | undefined;
};

/** The password is typed twice, because nobody sees it. */
const fieldsOf = (t: Translate): readonly Field[] => [
  { key: 'username', label: t('cli.auth.askUsername') },
  { key: 'email', label: t('cli.auth.askEmail') },
  { key: 'password', label: t('cli.auth.askPassword'), hidden: true },
  {
    key: 'again',
    label: t('cli.auth.askPasswordAgain'),
    hidden: true,
    check: (text, { password }) => (text === password ? undefined : { error: t('cli.auth.passwordsDiffer'), backTo: 'password' }),
  },
];

/** A new account at a terminal. The registration machine decides what is asked next. */
export function RegisterWizard({ context, machine, given, setupCode: found, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine, { input: { now: context.now }, clock: context.timers });
  const [sent, setSent] = useState<Registration>();
  const { username, problem, enrolment } = snapshot.context;
  const isShown = useShownEnrolment(context, username, enrolment?.secretKey);
  const asksSetupCode = problem?.code === 'setup-code-required' || problem?.code === 'wrong-setup-code';
  const setupCode = sent?.setupCode ?? found;
  const isForm = snapshot.matches('form');
  const submit = (registration: Registration) => {
    setSent(registration);
    send({ type: 'registration.submitted', ...registration });
  };
  usePrintedCodes(actor);
  useEffect(() => {
    const subscription = actor.on('registration.succeeded', ({ session }) =>
      answer({ session, username: actor.getSnapshot().context.username }),
    );
    return () => subscription.unsubscribe();
  }, [actor, answer]);
  const error = problem && problemText(t, problem);
  const leave = () => fail(new UsageError('cancelled'));
  const cancel = () => send({ type: 'registration.cancelled' });
  if (isForm && asksSetupCode && sent)
    return (
      <Form
        fields={[{ key: 'code', label: t('cli.auth.askSetupCode'), hidden: true }]}
        error={error}
        onAnswer={({ code = '' }) => submit({ ...sent, setupCode: code })}
        onCancel={leave}
      />
    );
  if (isForm) {
    const { known, errors } = sent ? keptAnswers(sent, problem?.fields ?? []) : { known: given, errors: {} };
    return (
      <Form
        fields={fieldsOf(t)}
        known={known}
        error={error}
        errors={errors}
        onAnswer={({ username: name = '', email = '', password = '' }) =>
          submit({ username: name, email, password, ...(setupCode !== undefined && { setupCode }) })
        }
        onCancel={leave}
      />
    );
  }
  if (snapshot.matches('recoveryCodes')) return <KeptCodes onSaved={() => send({ type: 'recoveryCodes.saved' })} />;
  if (snapshot.matches('enrolling') && isShown)
    return <CodeQuestion error={error} onCode={(otpCode) => send({ type: 'otp.submitted', otpCode })} onCancel={cancel} />;
  return <Waiting onCancel={cancel} />;
}

/** Fields that the server refused are asked again, the others stay. Where it names none, all are asked. */
function keptAnswers(sent: Registration, wrong: readonly { path: string; message: string }[]): { known: Answers; errors: Answers } {
  const errors = Object.fromEntries(wrong.map(({ path, message }) => [path, message]));
  const { username, email, password } = sent;
  const answers: Answers = { username, email, password, again: password };
  const isWrong = (key: string) => (key === 'again' ? 'password' : key) in errors;
  const keys = Object.keys(answers);
  return { known: keys.some(isWrong) ? Object.fromEntries(Object.entries(answers).filter(([key]) => !isWrong(key))) : {}, errors };
}
