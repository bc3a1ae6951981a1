import { Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useApp } from '../platform/app-context.tsx';
import { useQueryActor } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';
import { LinkButton, Panel } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { showToast } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { ContactPanel } from './contact-panel.tsx';
import { ExportPanel } from './export-panel.tsx';
import { LeavePanel } from './leave-panel.tsx';
import { LimitsPanel } from './limits-panel.tsx';
import { PreferencesPanel } from './preferences-panel.tsx';

export default function MyAccountPage() {
  const { t } = useTranslation();
  const app = useApp();
  const account = useAccount();
  useEmailConfirmation();
  return (
    <>
      <PageHeader
        title={t('routes.myAccount')}
        actions={
          <Button variant="outline" color="fg" onClick={() => app.session.send({ type: 'logout.requested' })}>
            <Icon name="logout" size={18} />
            {t('auth.signOut')}
          </Button>
        }
      />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
        <Grid gap="5">
          <Profile />
          {account && <ContactPanel account={account} />}
          <LimitsPanel />
        </Grid>
        <Grid gap="5">
          <PreferencesPanel />
          <ExportPanel />
          {account && <LeavePanel username={account.username} />}
        </Grid>
      </Grid>
    </>
  );
}

function Profile() {
  const { t } = useTranslation();
  const moment = useMoment();
  const app = useApp();
  const { data: account, hasFailed, problem, retry } = useQueryActor(app.account);
  if (!account) return <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={5} height={22} />}</Panel>;
  const roles = account.claims.filter(({ name }) => name === 'role').map(({ value }) => value);
  const rows: [string, React.ReactNode][] = [
    [t('auth.username'), account.username],
    [t('account.since'), moment(account.createdAt, 'day')],
    ...(roles.length > 0 ? [[t('account.roles'), roles.join(', ')] as [string, React.ReactNode]] : []),
    [
      t('account.exchange'),
      account.exchanges.length === 0
        ? t('account.none')
        : account.exchanges.map(({ name, tradeEnabled }) => `${name}${tradeEnabled ? '' : ` (${t('account.readOnly')})`}`).join(', '),
    ],
    [t('account.telegram'), t(account.hasTelegram ? 'account.linked' : 'account.none')],
  ];
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="2">
        {t('account.profile')}
      </Heading>
      <dl>
        {rows.map(([term, value]) => (
          <Flex
            key={term}
            justify="space-between"
            gap="4"
            py="2.5"
            borderTopWidth="1px"
            borderColor="border.subtle"
            css={{ '&:first-of-type': { borderTopWidth: 0 } }}
          >
            <Text as="dt" color="fg.muted">
              {term}
            </Text>
            <Text as="dd" textAlign="end" overflowWrap="anywhere" minW="0">
              {value}
            </Text>
          </Flex>
        ))}
      </dl>
      <Flex gap="2" mt="4" wrap="wrap">
        <LinkButton to="/user/exchange-connect" size="sm" variant="outline" color="fg">
          {t('routes.exchangeConnect')}
        </LinkButton>
        <LinkButton to="/user/telegram-connect" size="sm" variant="outline" color="fg">
          {t('routes.telegramConnect')}
        </LinkButton>
        <LinkButton to="/user/security" size="sm" variant="outline" color="fg">
          {t('routes.security')}
        </LinkButton>
      </Flex>
    </Panel>
  );
}

/** Opened by the link of the confirmation mail (#confirm-email=…): sends the code once and says how it went. */
function useEmailConfirmation() {
  const { t } = useTranslation();
  const app = useApp();
  const { hash } = useLocation();
  const sent = useRef<string>(undefined);
  useEffect(() => {
    const code = new URLSearchParams(hash.slice(1)).get('confirm-email');
    if (!code || sent.current === code) return;
    sent.current = code;
    window.history.replaceState(window.history.state, '', window.location.pathname);
    app.client.confirmEmail({ body: { code } }).then(
      () => {
        app.queries.invalidate('account');
        void showToast('success', t('account.emailConfirmed'));
      },
      (error: { detail?: string }) => void showToast('error', error.detail ?? t('errors.internal.detail')),
    );
  }, [app, hash, t]);
}
