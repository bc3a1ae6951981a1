import { exchangeKeysSchema, type Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import type { exchangeConnectionMachine } from '@pilotfish/core/exchange-connection/exchange-connection-machine';
import type { ShownProblem } from '@pilotfish/core/http/problem';
import { useActor } from '@xstate/react';
import { useEffect, useState } from 'react';
import { EXIT } from '../app/exit-codes.ts';
import { Ended, ShownFailure, UsageError } from '../app/failure.ts';
import { problemText } from '../app/show-error.ts';
import type { Translate } from '../app/texts.ts';
import { ChoiceQuestion } from '../ui/choice-question.tsx';
import { type Ending, useTools } from '../ui/prompt-screen.tsx';
import { type Answers, ConfirmQuestion, type Field, Form, Waiting } from '../ui/questions.tsx';

type Way = 'demo' | 'keys';
type Props = Ending<Permissions> & {
  readonly machine: typeof exchangeConnectionMachine;
  /** Undefined: the person chooses, where the server offers demo accounts. */
  readonly way: Way | undefined;
  /** The key that the command line names, for the first try. */
  readonly apiKey: string | undefined;
  /** Connected keys are replaced unasked. */
  readonly isSure: boolean;
};

/** Keys are typed unseen, checked by the exchange, and asked for again at the field that is wrong. The connection machine decides what comes next. */
export function ConnectWizard({ machine, way: given, apiKey, isSure, answer, fail }: Props) {
  const { t } = useTools();
  const [snapshot, send, actor] = useActor(machine);
  const [way, choose] = useState(given);
  const [sent, setSent] = useState<string>();
  const [isNew, setNew] = useState(false);
  const { permissions, problem, offeredKeys } = snapshot.context;
  const error = problem && problemText(t, problem);
  const isAsking = snapshot.matches('disconnected') || snapshot.matches('replacing');
  const isDemo = way === 'demo';
  useEffect(() => {
    const subscription = actor.on('connection.changed', () => {
      const { permissions: now } = actor.getSnapshot().context;
      setNew(true);
      if (now) answer(now);
    });
    return () => subscription.unsubscribe();
  }, [actor, answer]);
  useEffect(() => {
    if (!isAsking || !isDemo) return;
    if (problem) fail(new ShownFailure(problem));
    else if (offeredKeys) send({ type: 'keys.submitted', ...offeredKeys });
    else send({ type: 'demo.requested' });
  }, [isAsking, isDemo, offeredKeys, problem, fail, send]);
  const isOld = snapshot.matches('connected') && !isNew;
  const isUnasked = isOld && isSure;
  useEffect(() => {
    if (isUnasked) send({ type: 'replace.requested' });
  }, [isUnasked, send]);
  const leave = () => fail(new UsageError('cancelled'));
  if (snapshot.matches('unknown'))
    return (
      <ChoiceQuestion
        label={t('cli.exchange.notAsked')}
        options={[
          { value: () => send({ type: 'reload.requested' }), label: t('ui.retry') },
          { value: () => fail(new ShownFailure(problem ?? { code: 'internal' })), label: t('cli.prompt.leave') },
        ]}
        error={error}
        onAnswer={(next) => next()}
        onCancel={leave}
      />
    );
  if (isOld && !isSure)
    return (
      <ConfirmQuestion
        label={t('cli.exchange.replace', { key: permissions?.keyEnding ?? '' })}
        onAnswer={(isAgreed) => (isAgreed ? send({ type: 'replace.requested' }) : fail(new Ended(EXIT.failed)))}
        onCancel={leave}
      />
    );
  if (isAsking && way === undefined) return <WayQuestion onWay={choose} onCancel={leave} />;
  if (isAsking && way === 'keys')
    return (
      <KeysQuestion
        apiKey={sent === undefined ? apiKey : sent}
        problem={problem}
        onKeys={(clientId, clientSecret) => {
          setSent(clientId);
          send({ type: 'keys.submitted', clientId, clientSecret });
        }}
        onCancel={leave}
      />
    );
  return <Waiting label={t(snapshot.matches('creatingDemo') ? 'exchangeConnection.demoCreating' : 'exchangeConnection.connecting')} />;
}

function WayQuestion({ onWay, onCancel }: { onWay: (way: Way) => void; onCancel: () => void }) {
  const { t } = useTools();
  return (
    <ChoiceQuestion<Way>
      label={t('cli.exchange.askWay')}
      options={[
        { value: 'keys', label: t('cli.exchange.ownKeys'), hint: t('exchangeConnection.safety.withdrawals') },
        { value: 'demo', label: t('exchangeConnection.demo'), hint: t('exchangeConnection.demoLead') },
      ]}
      onAnswer={onWay}
      onCancel={onCancel}
    />
  );
}

type KeysProps = {
  apiKey: string | undefined;
  problem: ShownProblem | undefined;
  onKeys: (clientId: string, clientSecret: string) => void;
  onCancel: () => void;
};
function KeysQuestion({ apiKey, problem, onKeys, onCancel }: KeysProps) {
  const { t } = useTools();
  const errors: Answers = Object.fromEntries((problem?.fields ?? []).map(({ path, message }) => [path, message]));
  // What the exchange refuses may be either of them; a field that the server names is asked for alone.
  const isKeyGood = apiKey !== undefined && (!problem || ('clientSecret' in errors && !('clientId' in errors)));
  return (
    <Form
      fields={fieldsOf(t)}
      known={isKeyGood ? { clientId: apiKey } : {}}
      error={problem && problemText(t, problem)}
      errors={errors}
      onAnswer={({ clientId = '', clientSecret = '' }) => onKeys(clientId, clientSecret.trim())}
      onCancel={onCancel}
    />
  );
}

const fieldsOf = (t: Translate): readonly Field[] => {
  const check = (key: 'clientId' | 'clientSecret') => (text: string) => {
    const issue = exchangeKeysSchema.shape[key].safeParse(text).error?.issues[0];
    return issue && t(issue.code === 'too_big' ? 'exchangeConnection.keyTooLong' : 'exchangeConnection.keyRule');
  };
  return [
    { key: 'clientId', label: `${t('exchangeConnection.apiKey')}:`, hidden: true, check: check('clientId') },
    {
      key: 'clientSecret',
      label: `${t('exchangeConnection.apiSecret')} (${t('exchangeConnection.secretHint')}):`,
      hidden: true,
      check: check('clientSecret'),
      goesOn: isPemBegun,
    },
  ];
};

/** A key in PEM has several lines, and ends with one of its own. */
const isPemBegun = (text: string) => /^\s*-----BEGIN /.test(text) && !/-----END [^\n]*-----\s*$/.test(text);
