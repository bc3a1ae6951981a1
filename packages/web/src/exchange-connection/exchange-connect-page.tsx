import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { exchangeKeysSchema, type Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../app/use-session.ts';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { Badge, Notice, Panel, PasswordField, TextField } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText } from '../ui/toasts.ts';
import { useExchangeConnection } from './use-exchange-connection.ts';

export default function ExchangeConnectPage() {
  const { t } = useTranslation();
  const connection = useExchangeConnection();
  const { state, context } = connection;
  const isConnected = (state === 'connected' || state === 'disconnecting') && context.permissions !== undefined;
  return (
    <>
      <PageHeader title={t('exchangeConnection.title')} lead={t('exchangeConnection.lead')} />
      {state === 'loading' ? (
        <Panel>
          <Skeleton rows={4} height={24} />
        </Panel>
      ) : state === 'unknown' ? (
        <Panel>
          <ErrorPanel problem={context.problem} onRetry={connection.reload} />
        </Panel>
      ) : isConnected && context.permissions ? (
        <Connected
          permissions={context.permissions}
          busy={state === 'disconnecting'}
          onDisconnect={connection.disconnect}
          onReload={connection.reload}
        />
      ) : (
        // Offered keys start the form anew, filled with them.
        <ConnectForm key={context.offeredKeys?.clientId ?? 'empty'} connection={connection} />
      )}
    </>
  );
}

function ConnectForm({ connection }: { connection: ReturnType<typeof useExchangeConnection> }) {
  const { t } = useTranslation();
  const config = useConfig();
  const { state, context, connect, requestDemo } = connection;
  const [checked, setChecked] = useState(false);
  const { offeredKeys } = context;
  const [keys, setKeys] = useState(offeredKeys ?? { clientId: '', clientSecret: '' });
  const busy = state === 'connecting' || state === 'creatingDemo';
  const parsed = exchangeKeysSchema.safeParse(keys);
  const error = (field: string) => {
    const issue = checked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined;
    return issue && t(issue.code === 'too_big' ? 'exchangeConnection.keyTooLong' : 'exchangeConnection.keyRule');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (parsed.success) connect(parsed.data.clientId, parsed.data.clientSecret);
  };
  return (
    <Grid templateColumns={{ base: '1fr', lg: 'minmax(0, 1.2fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
      <Panel>
        <form onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
          <Heading as="h2" textStyle="title">
            {t('exchangeConnection.formTitle')}
          </Heading>
          {context.problem && !busy && (
            <Notice tone="error" title={context.problem.title ?? t(`errors.${context.problem.code}.title`)}>
              {problemText(context.problem, t)}
            </Notice>
          )}
          {config?.demoAccounts && (
            <Flex direction="column" gap="3" p="4" bg="secondary.muted" borderRadius="panel">
              <Box>
                <Text fontWeight="600">{t('exchangeConnection.demoTitle')}</Text>
                <Text fontSize="14px">{t('exchangeConnection.demoLead')}</Text>
              </Box>
              <Button type="button" alignSelf="flex-start" size="sm" colorPalette="secondary" disabled={busy} onClick={requestDemo}>
                {t(state === 'creatingDemo' ? 'exchangeConnection.demoCreating' : 'exchangeConnection.demo')}
              </Button>
            </Flex>
          )}
          {offeredKeys && <Notice tone="info">{t('exchangeConnection.demoFilled')}</Notice>}
          <TextField
            label={t('exchangeConnection.apiKey')}
            autoComplete="off"
            spellCheck={false}
            lang="en"
            translate="no"
            fontFamily="mono"
            value={keys.clientId}
            onChange={(event) => setKeys({ ...keys, clientId: event.currentTarget.value })}
            error={error('clientId')}
          />
          <PasswordField
            label={t('exchangeConnection.apiSecret')}
            hint={t('exchangeConnection.secretHint')}
            autoComplete="off"
            lang="en"
            fontFamily="mono"
            value={keys.clientSecret}
            onChange={(event) => setKeys({ ...keys, clientSecret: event.currentTarget.value })}
            error={error('clientSecret')}
          />
          <Button type="submit" colorPalette="brand" disabled={busy} aria-busy={busy}>
            {t(state === 'connecting' ? 'exchangeConnection.connecting' : 'exchangeConnection.connect')}
          </Button>
        </form>
      </Panel>
      <Panel>
        <Heading as="h2" textStyle="title" mb="3">
          {t('exchangeConnection.safetyTitle')}
        </Heading>
        <Flex as="ul" direction="column" gap="3" listStyleType="none">
          {(['withdrawals', 'ip', 'encrypted', 'writeOnly'] as const).map((point) => (
            <Flex as="li" key={point} gap="3">
              <Box color="brand.fg" flexShrink="0" pt="1px">
                <Icon name="check" size={18} />
              </Box>
              <Text>{t(`exchangeConnection.safety.${point}`)}</Text>
            </Flex>
          ))}
        </Flex>
      </Panel>
    </Grid>
  );
}

/** In the order people ask about them: may it read, may it trade, may it take money away. */
const PERMISSIONS = [
  ['enableReading', 'good'],
  ['enableSpotAndMarginTrading', 'good'],
  ['ipRestrict', 'good'],
  ['enableWithdrawals', 'bad'],
  ['enableInternalTransfer', 'bad'],
  ['permitsUniversalTransfer', 'bad'],
  ['enableMargin', 'neutral'],
  ['enableFutures', 'neutral'],
  ['enableVanillaOptions', 'neutral'],
  ['enablePortfolioMarginTrading', 'neutral'],
] as const satisfies readonly [keyof Permissions, 'good' | 'bad' | 'neutral'][];

function Connected({
  permissions,
  busy,
  onDisconnect,
  onReload,
}: {
  permissions: Permissions;
  busy: boolean;
  onDisconnect: () => void;
  onReload: () => void;
}) {
  const { t } = useTranslation();
  const [asking, setAsking] = useState(false);
  return (
    <Grid templateColumns={{ base: '1fr', lg: 'minmax(0, 1.2fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
      <Panel>
        <Flex justify="space-between" align="flex-start" gap="3" mb="4" wrap="wrap">
          <Box>
            <Heading as="h2" textStyle="title">
              Binance
            </Heading>
            {permissions.keyEnding && (
              <Text color="fg.muted" fontSize="13px">
                {t('exchangeConnection.keyEnding')}{' '}
                <chakra.span fontFamily="mono" lang="en" translate="no">
                  …{permissions.keyEnding}
                </chakra.span>
              </Text>
            )}
          </Box>
          <Flex gap="2">
            {permissions.exchange && permissions.exchange !== 'binance' && (
              <Badge tone="secondary">{t(`exchange.${permissions.exchange}.name`)}</Badge>
            )}
            <Badge tone="brand">
              <Icon name="check" size={14} />
              {t('exchangeConnection.connected')}
            </Badge>
          </Flex>
        </Flex>
        <Flex as="ul" direction="column" listStyleType="none" aria-label={t('exchangeConnection.permissions')}>
          {PERMISSIONS.filter(([name]) => permissions[name] !== undefined).map(([name, kind]) => {
            const allowed = permissions[name] === true;
            const worrying = kind === 'bad' ? allowed : kind === 'good' && !allowed;
            return (
              <Flex as="li" key={name} justify="space-between" gap="4" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
                <Text>{t(`exchangeConnection.permission.${name}`)}</Text>
                <Flex
                  gap="1.5"
                  align="center"
                  color={worrying ? 'secondary.fg' : allowed ? 'brand.fg' : 'fg.muted'}
                  fontWeight="600"
                  fontSize="13px"
                  flexShrink="0"
                >
                  <Icon name={allowed ? 'check' : 'cross'} size={16} />
                  {t(allowed ? 'ui.yes' : 'ui.no')}
                </Flex>
              </Flex>
            );
          })}
        </Flex>
        <Flex gap="2" mt="5" wrap="wrap">
          <Button size="sm" variant="outline" color="fg" disabled={busy} onClick={onReload}>
            <Icon name="refresh" size={16} />
            {t('exchangeConnection.ask')}
          </Button>
          <Button size="sm" variant="outline" colorPalette="danger" color="danger.fg" disabled={busy} onClick={() => setAsking(true)}>
            {t('exchangeConnection.disconnect')}
          </Button>
        </Flex>
      </Panel>
      <Flex direction="column" gap="3">
        {permissions.warnings.map((warning) => (
          <Notice key={warning} tone="warning" title={t(`exchangeConnection.warning.${warning}.title`)} live={false}>
            {t(`exchangeConnection.warning.${warning}.detail`)}
          </Notice>
        ))}
        {permissions.warnings.length === 0 && (
          <Notice tone="success" title={t('exchangeConnection.fineTitle')} live={false}>
            {t('exchangeConnection.fine')}
          </Notice>
        )}
      </Flex>
      <ConfirmDialog
        open={asking}
        title={t('exchangeConnection.disconnectTitle')}
        confirm={t('exchangeConnection.disconnect')}
        danger
        onConfirm={onDisconnect}
        onClose={() => setAsking(false)}
      >
        <Text>{t('exchangeConnection.disconnectWhat')}</Text>
      </ConfirmDialog>
    </Grid>
  );
}
