import { Flex, Heading, Text } from '@chakra-ui/react';
import type { Account } from '@pilotfish/core/account/account-contract';
import { emailSchema } from '@pilotfish/core/auth/auth-contract';
import { masked } from '@pilotfish/core/fields/input-masks';
import { shownProblem } from '@pilotfish/core/http/problem';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { useDeed } from '../platform/use-action.ts';
import { Badge, Notice, Panel, TextField } from '../ui/controls.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { Button } from '../ui/primitives.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { useStepUp } from './step-up.tsx';

const PHONE = /^\+[1-9]\d{6,14}$/;

/** How the account is reached: its address and its phone, each confirmed by what only their holder can read. */
export function ContactPanel({ account }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="4">
        {t('account.contact')}
      </Heading>
      <Flex direction="column" gap="6">
        <Email account={account} />
        <Phone phone={account.claims.find(({ name }) => name === 'phone')?.value} />
      </Flex>
    </Panel>
  );
}

function Email({ account }: { account: Account }) {
  const { t } = useTranslation();
  const app = useApp();
  const deed = useDeed({ toasts: true });
  const { ask, dialog } = useStepUp();
  const [email, setEmail] = useState('');
  const [state, setState] = useState<{ error?: string; sentTo?: string }>({});
  const resend = () => said(deed(app.client.resendEmailConfirmation(), [], t('account.confirmationSent', { email: account.email })));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!emailSchema.safeParse(email.trim()).success) return setState({ error: t('auth.emailRule') });
    const headers = await ask('password', t('stepUp.why.email'));
    if (!headers) return;
    try {
      await app.busy.during(app.client.changeEmail({ body: { email: email.trim() } }, { headers }));
      setState({ sentTo: email.trim() });
      setEmail('');
    } catch (thrown) {
      setState({ error: problemText(shownProblem(thrown), t) });
    }
  };
  return (
    <Flex direction="column" gap="3">
      <Flex gap="2" align="center" wrap="wrap">
        <Text fontWeight="600" overflowWrap="anywhere">
          {account.email}
        </Text>
        <Badge tone={account.emailConfirmed ? 'brand' : 'secondary'}>
          {t(account.emailConfirmed ? 'account.confirmed' : 'account.unconfirmed')}
        </Badge>
        {!account.emailConfirmed && (
          <Button size="xs" variant="outline" color="fg" onClick={resend}>
            {t('account.resend')}
          </Button>
        )}
      </Flex>
      {state.sentTo && <Notice tone="success">{t('account.changeSent', { email: state.sentTo })}</Notice>}
      <form onSubmit={(event) => void submit(event)} noValidate style={{ display: 'grid', gap: 12 }}>
        <TextField
          label={t('account.newEmail')}
          hint={t('account.newEmailHint')}
          type="email"
          autoComplete="email"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={state.error}
        />
        <Button type="submit" variant="outline" color="fg" justifySelf="start">
          {t('account.changeEmail')}
        </Button>
      </form>
      {dialog}
    </Flex>
  );
}

function Phone({ phone }: { phone: string | undefined }) {
  const { t } = useTranslation();
  const app = useApp();
  const [number, setNumber] = useState('');
  const [code, setCode] = useState('');
  const [state, setState] = useState<{ error?: string; sent?: boolean }>({});
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const to = number.replace(/[\s()-]/g, '');
    if (!PHONE.test(to)) return setState({ error: t('account.phoneRule') });
    try {
      if (state.sent) {
        await app.busy.during(app.client.confirmPhone({ body: { phone: to, code } }));
        app.queries.invalidate('account');
        void showToast('success', t('account.phoneConfirmed'));
        setState({});
        setNumber('');
        setCode('');
      } else {
        await app.busy.during(app.client.receivePhoneConfirmation({ body: { phone: to } }));
        setState({ sent: true });
      }
    } catch (thrown) {
      setState({ ...state, error: problemText(shownProblem(thrown), t) });
    }
  };
  return (
    <Flex direction="column" gap="3">
      <Flex gap="2" align="center" wrap="wrap">
        <Text fontWeight="600">{phone ?? t('account.noPhone')}</Text>
        {phone && <Badge tone="brand">{t('account.confirmed')}</Badge>}
      </Flex>
      <form onSubmit={(event) => void submit(event)} noValidate style={{ display: 'grid', gap: 12 }}>
        <TextField
          label={t('account.newPhone')}
          hint={t('account.phoneHint')}
          type="tel"
          autoComplete="tel"
          value={number}
          disabled={state.sent}
          onChange={(event) => setNumber(event.currentTarget.value)}
          error={state.error}
        />
        {state.sent && (
          <TextField
            label={t('account.phoneCode')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onChange={(event) => setCode(masked('digits', event.currentTarget.value).slice(0, 6))}
          />
        )}
        <Flex gap="2">
          <Button type="submit" variant="outline" color="fg" disabled={state.sent === true && code.length < 6}>
            {t(state.sent ? 'account.confirmPhone' : 'account.sendCode')}
          </Button>
          {state.sent && (
            <Button variant="ghost" color="fg" onClick={() => setState({})}>
              {t('ui.cancel')}
            </Button>
          )}
        </Flex>
      </form>
    </Flex>
  );
}
