import { Flex, Heading, Text } from '@chakra-ui/react';
import type { Enrolment as EnrolmentAnswer } from '@pilotfish/core/auth/auth-contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Enrolment } from '../auth/enrolment.tsx';
import { RecoveryCodes } from '../auth/recovery-codes.tsx';
import { useApp } from '../platform/app-context.tsx';
import { useAction, useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';
import { Notice, Panel } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { CodeInput } from '../ui/fields/code-input.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText } from '../ui/toasts.ts';
import { useStepUp } from './step-up.tsx';

const FEW = 3;
const CHANGED = ['recovery-codes', 'audit-log', 'devices'];

/** The second factor: what is left of the recovery codes, new ones, and another authenticator. */
export function RecoveryPanel() {
  const { t } = useTranslation();
  const app = useApp();
  const username = useAccount()?.username ?? '';
  const deed = useDeed({ toasts: true });
  const { ask, dialog } = useStepUp();
  const { data, hasFailed, problem, retry } = useQuery(
    'recovery-codes',
    (client, _: null, signal) => client.getRecoveryCodes(undefined, { signal }),
    null,
  );
  const [codes, setCodes] = useState<readonly string[]>();
  const [enrolment, setEnrolment] = useState<EnrolmentAnswer>();
  const renew = async () => {
    const headers = await ask('both', t('stepUp.why.codes'));
    if (headers)
      said(deed(app.client.renewRecoveryCodes(undefined, { headers }), CHANGED).then((answer) => setCodes(answer.recoveryCodes)));
  };
  const replace = async () => {
    const headers = await ask('both', t('stepUp.why.authenticator'));
    if (headers) said(deed(app.client.replaceTwoFactor(undefined, { headers }), []).then(setEnrolment));
  };
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('security.secondFactor')}
      </Heading>
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={2} height={24} />
        )
      ) : (
        <Flex direction="column" gap="3" align="flex-start">
          <Text>{t('security.codesLeft', { left: data.left, total: data.total })}</Text>
          {data.left <= FEW && <Notice tone="warning">{t('security.fewCodes')}</Notice>}
          <Flex gap="2" wrap="wrap">
            <Button variant="outline" color="fg" onClick={() => void renew()}>
              {t('security.newCodes')}
            </Button>
            <Button variant="outline" color="fg" onClick={() => void replace()}>
              {t('security.replace')}
            </Button>
          </Flex>
        </Flex>
      )}
      <Dialog open={codes !== undefined} title={t('auth.recovery.title')} onClose={() => setCodes(undefined)}>
        <RecoveryCodes codes={codes ?? []} username={username} onSaved={() => setCodes(undefined)} />
      </Dialog>
      <Dialog open={enrolment !== undefined} title={t('security.replace')} onClose={() => setEnrolment(undefined)}>
        {enrolment && (
          <Replacement
            enrolment={enrolment}
            username={username}
            onDone={(fresh) => {
              setEnrolment(undefined);
              setCodes(fresh);
              app.queries.invalidate(...CHANGED);
            }}
          />
        )}
      </Dialog>
      {dialog}
    </Panel>
  );
}

function Replacement({
  enrolment,
  username,
  onDone,
}: {
  enrolment: EnrolmentAnswer;
  username: string;
  onDone: (codes: readonly string[]) => void;
}) {
  const { t } = useTranslation();
  const { client } = useApp();
  const [wrong, setWrong] = useState(0);
  const { busy, problem, run } = useAction();
  const confirm = (otpCode: string) =>
    run(() => client.confirmReplacedTwoFactor({ body: { otpCode, confirmationCode: enrolment.code } }), {
      onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
      onFailed: () => setWrong(wrong + 1),
    });
  return (
    <Flex direction="column" gap="4">
      <Text color="fg.muted">{t('security.replaceLead')}</Text>
      <Enrolment username={username} secretKey={enrolment.secretKey} />
      {problem && <Notice tone="error">{problemText(problem, t)}</Notice>}
      <CodeInput
        label={t('auth.enrolCode')}
        digitLabel={(position) => t('auth.digit', { position })}
        disabled={busy}
        attempt={wrong}
        onComplete={(code) => void confirm(code)}
      />
    </Flex>
  );
}
