import { Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { useApp, useServices, useStore } from '../app/app-context.tsx';
import { isLanguage } from '../app/texts.ts';
import { useQueryActor } from '../app/use-query.ts';
import { Badge, LinkButton, Panel, Segments, SelectField } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { showToast } from '../ui/toasts.ts';

export default function MyAccountPage() {
  const { t, i18n } = useTranslation();
  const { app, appearance, setLanguage } = useServices();
  const theme = useStore(appearance.theme);
  const palette = useStore(appearance.palette);
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
      <Grid templateColumns={{ base: '1fr', lg: '1fr 1fr' }} gap="5" alignItems="start">
        <Profile />
        <Panel>
          <Heading as="h2" textStyle="title" mb="4">
            {t('account.appearance')}
          </Heading>
          <Flex direction="column" gap="5">
            <SelectField
              label={t('ui.language')}
              value={i18n.language}
              options={[
                { value: 'en', label: 'English' },
                { value: 'tr', label: 'Türkçe' },
              ]}
              onChange={(language) => isLanguage(language) && setLanguage(language)}
            />
            <Flex direction="column" gap="2">
              <Text textStyle="label">{t('account.theme')}</Text>
              <Segments
                label={t('account.theme')}
                size="sm"
                value={theme}
                options={[
                  { value: 'dark', label: t('account.dark') },
                  { value: 'light', label: t('account.light') },
                ]}
                onChange={appearance.setTheme}
              />
            </Flex>
            <Flex direction="column" gap="2">
              <Text textStyle="label">{t('account.palette')}</Text>
              <Segments
                label={t('account.palette')}
                size="sm"
                value={palette}
                options={[
                  { value: 'green-red', label: t('account.greenRed') },
                  { value: 'blue-orange', label: t('account.blueOrange') },
                ]}
                onChange={appearance.setPalette}
              />
              <Flex gap="4" className="figure" fontWeight="600">
                <span className="gain">▲ +2.40%</span>
                <span className="loss">▼ -1.15%</span>
              </Flex>
            </Flex>
          </Flex>
        </Panel>
      </Grid>
    </>
  );
}

function Profile() {
  const { t, i18n } = useTranslation();
  const app = useApp();
  const { data: account, hasFailed, problem, retry } = useQueryActor(app.account);
  if (!account) return <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={5} height={22} />}</Panel>;
  const roles = account.claims.filter(({ name }) => name === 'role').map(({ value }) => value);
  const rows: [string, React.ReactNode][] = [
    [t('auth.username'), account.username],
    [
      t('auth.email'),
      <Flex key="email" gap="2" wrap="wrap" justify="flex-end" align="center">
        {account.email}
        <Badge tone={account.emailConfirmed ? 'brand' : 'secondary'}>
          {t(account.emailConfirmed ? 'account.confirmed' : 'account.unconfirmed')}
        </Badge>
      </Flex>,
    ],
    [t('account.since'), new Date(account.createdAt).toLocaleDateString(i18n.language, { dateStyle: 'long' })],
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
