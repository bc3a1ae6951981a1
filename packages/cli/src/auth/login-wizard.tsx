import type { loginMachine } from '@pilotfish/core/auth/login-machine';
import type { StoredSession } from '@pilotfish/core/session/stored-session';
import { useActor } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { problemText } from '../app/show-error.ts';
import { type Ending, useTools } from '../ui/prompt-screen.tsx';
import { Form, Waiting } from '../ui/questions.tsx';
import { CodeQuestion, KeptCodes, usePrintedCodes, useShownEnrolment } from './enrolment.tsx';

export type SignedIn = { session: StoredSession; username: string };

type Props = Ending<SignedIn> & {
  readonly context: Context;
  readonly machine: typeof loginMachine;
  /** These two are taken once; after that the person is asked. */
  readonly username: string | undefined;
  readonly otp: string | undefined;
};

/** Signing in at a terminal. The login machine decides what is asked next. */
export function LoginWizard({ context, machine, username: named, otp: given, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine, { input: { now: context.now }, clock: context.timers });
  const [tries, setTries] = useState(0);
  const { username, problem, secretKey } = snapshot.context;
  const isShown = useShownEnrolment(context, username, secretKey);
  usePrintedCodes(actor);
  useEffect(() => {
    const subscription = actor.on('login.succeeded', ({ session }) => answer({ session, username: actor.getSnapshot().context.username }));
    return () => subscription.unsubscribe();
  }, [actor, answer]);
  useEffect(() => {
    let otp = given?.trim();
    const subscription = actor.subscribe(({ value }) => {
      if (otp === undefined || (value !== 'awaitingCode' && value !== 'enrolling')) return;
      const otpCode = otp;
      otp = undefined;
      actor.send({ type: 'otp.submitted', otpCode });
    });
    return () => subscription.unsubscribe();
  }, [actor, given]);
  const error = problem && problemText(t, problem);
  if (snapshot.matches('credentials'))
    return (
      <Form
        fields={[
          { key: 'username', label: t('cli.auth.askUsername') },
          { key: 'password', label: t('cli.auth.askPassword'), hidden: true },
        ]}
        known={tries === 0 && named !== undefined ? { username: named } : {}}
        error={error}
        onAnswer={({ username: name = '', password = '' }) => {
          setTries(tries + 1);
          send({ type: 'login.submitted', username: name, password });
        }}
        onCancel={() => fail(new UsageError('cancelled'))}
      />
    );
  if (snapshot.matches('recoveryCodes')) return <KeptCodes onSaved={() => send({ type: 'recoveryCodes.saved' })} />;
  const cancel = () => send({ type: 'login.cancelled' });
  if (isShown && (snapshot.matches('awaitingCode') || snapshot.matches('enrolling')))
    return <CodeQuestion error={error} onCode={(otpCode) => send({ type: 'otp.submitted', otpCode })} onCancel={cancel} />;
  return <Waiting onCancel={cancel} />;
}
