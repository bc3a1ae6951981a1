import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { exchangeKeysSchema, type Permissions } from '@pilotfish/core/exchange-connection/exchange-connection-contract';
import { hasWallet } from '@pilotfish/core/prices/prices-contract';
import { useSelector } from '@xstate/react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NextStep } from '../app/next-step/next-step.tsx';
import { useConfig } from '../platform/use-session.ts';
import { NotPermitted, useRefusal } from '../platform/use-trading.tsx';
import { Badge, Notice, Panel, TextField } from '../ui/controls.tsx';
import { ConfirmAction } from '../ui/dialogs/confirm-dialog.tsx';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { type ExchangeConnectionActor, useExchangeConnection } from './use-exchange-connection.ts';

export default function ExchangeConnectPage() {
  const { t } = useTranslation();
  const actor = useExchangeConnection();
  return (
    <>
      <PageHeader title={t('exchangeConnection.title')} lead={t('exchangeConnection.lead')} />
      <NotPermitted permission="exchange-connection" />
      <ExchangeConnectionPanel actor={actor} />
    </>
  );
}

/** What is known of the connection, and what its machine takes now. */
export function ExchangeConnectionPanel({ actor }: { actor: ExchangeConnectionActor }) {
  const snapshot = useSelector(actor, (each) => each);
  const { permissions, problem, offeredKeys } = snapshot.context;
  const reload = () => actor.send({ type: 'reload.requested' });
  if (snapshot.matches('loading'))
    return (
      <Panel>
        <Skeleton rows={4} height={24} />
      </Panel>
    );
  if (snapshot.matches('unknown'))
    return (
      <Panel display="flex" flexDirection="column" gap="4" alignItems="center">
        <ErrorPanel problem={problem} onRetry={reload} />
        <DisconnectButton actor={actor} />
      </Panel>
    );
  if ((snapshot.matches('connected') || snapshot.matches('disconnecting')) && permissions)
    return (
      <>
        <NextStep after="exchange" />
        <Connected actor={actor} permissions={permissions} onReload={reload} />
      </>
    );
  // Offered keys start the form anew, filled with them.
  return <ConnectForm key={offeredKeys?.clientId ?? 'empty'} actor={actor} />;
}

function ConnectForm({ actor }: { actor: ExchangeConnectionActor }) {
  const { t } = useTranslation();
  const config = useConfig();
  const snapshot = useSelector(actor, (each) => each);
  const [checked, setChecked] = useState(false);
  const { offeredKeys, permissions, problem } = snapshot.context;
  const [keys, setKeys] = useState(offeredKeys ?? { clientId: '', clientSecret: '' });
  const busy = snapshot.hasTag('busy');
  const refusal = useRefusal('exchange-connection');
  const parsed = exchangeKeysSchema.safeParse(keys);
  const error = (field: string) => {
    const issue = checked ? parsed.error?.issues.find(({ path }) => path[0] === field) : undefined;
    return issue && t(issue.code === 'too_big' ? 'exchangeConnection.keyTooLong' : 'exchangeConnection.keyRule');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (parsed.success) actor.send({ type: 'keys.submitted', ...parsed.data });
  };
  return (
    <Grid templateColumns={{ base: '1fr', lg: 'minmax(0, 1.2fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
      <Panel>
        <form onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
          <Heading as="h2" textStyle="title">
            {t(permissions ? 'exchangeConnection.replaceTitle' : 'exchangeConnection.formTitle')}
          </Heading>
          {permissions && <Text color="fg.muted">{t('exchangeConnection.replaceLead')}</Text>}
          {problem && !busy && (
            <Notice tone="error" title={problem.title ?? t(`errors.${problem.code}.title`)}>
              {problemText(problem, t)}
            </Notice>
          )}
          {config?.demoAccounts && (
            <Flex direction="column" gap="3" p="4" bg="secondary.muted" borderRadius="panel">
              <Box>
                <Text fontWeight="600">{t('exchangeConnection.demoTitle')}</Text>
                <Text fontSize="14px">{t('exchangeConnection.demoLead')}</Text>
              </Box>
              <Button
                type="button"
                alignSelf="flex-start"
                size="sm"
                colorPalette="secondary"
                disabled={!snapshot.can({ type: 'demo.requested' })}
                {...refusal}
                onClick={() => actor.send({ type: 'demo.requested' })}
              >
                {t(snapshot.matches('creatingDemo') ? 'exchangeConnection.demoCreating' : 'exchangeConnection.demo')}
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
          <Button
            type="submit"
            colorPalette="brand"
            disabled={!snapshot.can({ type: 'keys.submitted', ...keys })}
            {...refusal}
            aria-busy={busy}
          >
            {t(snapshot.matches('connecting') ? 'exchangeConnection.connecting' : 'exchangeConnection.connect')}
          </Button>
          {snapshot.can({ type: 'replace.cancelled' }) && (
            <Button type="button" variant="ghost" color="fg" onClick={() => actor.send({ type: 'replace.cancelled' })}>
              {t('exchangeConnection.replaceCancel')}
            </Button>
          )}
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

/** Asks before the keys are deleted; absent where the machine would not take it. */
function DisconnectButton({ actor }: { actor: ExchangeConnectionActor }) {
  const { t } = useTranslation();
  const canDisconnect = useSelector(actor, (each) => each.can({ type: 'disconnect.requested' }));
  return (
    <ConfirmAction
      size="sm"
      variant="outline"
      color="danger.fg"
      disabled={!canDisconnect}
      title={t('exchangeConnection.disconnectTitle')}
      label={t('exchangeConnection.disconnect')}
      danger
      onConfirm={async () => actor.send({ type: 'disconnect.requested' })}
    >
      <Text>{t('exchangeConnection.disconnectWhat')}</Text>
    </ConfirmAction>
  );
}

function Connected({ actor, permissions, onReload }: { actor: ExchangeConnectionActor; permissions: Permissions; onReload: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const snapshot = useSelector(actor, (each) => each);
  const isPartlyUnknown = permissions.exchange !== undefined && !hasWallet(permissions.exchange);
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
          {permissions.tradingEndsAt && (
            <Flex as="li" justify="space-between" gap="4" py="2.5" borderTopWidth="1px" borderColor="border.subtle">
              <Text>{t('exchangeConnection.tradingEndsAt')}</Text>
              <Text fontWeight="600" fontSize="13px" flexShrink="0">
                {moment(permissions.tradingEndsAt)}
              </Text>
            </Flex>
          )}
        </Flex>
        <Flex gap="2" mt="5" wrap="wrap">
          <Button size="sm" variant="outline" color="fg" disabled={!snapshot.can({ type: 'reload.requested' })} onClick={onReload}>
            <Icon name="refresh" size={16} />
            {t('exchangeConnection.ask')}
          </Button>
          <Button
            size="sm"
            variant="outline"
            color="fg"
            disabled={!snapshot.can({ type: 'replace.requested' })}
            onClick={() => actor.send({ type: 'replace.requested' })}
          >
            {t('exchangeConnection.replace')}
          </Button>
          <DisconnectButton actor={actor} />
        </Flex>
      </Panel>
      <Flex direction="column" gap="3">
        {permissions.warnings.map((warning) => (
          <Notice key={warning} tone="warning" title={t(`exchangeConnection.warning.${warning}.title`)} live={false}>
            {t(`exchangeConnection.warning.${warning}.detail`)}
          </Notice>
        ))}
        {isPartlyUnknown && (
          <Notice tone="info" title={t('exchangeConnection.unknownTitle')} live={false}>
            {t('exchangeConnection.unknownLead')}
          </Notice>
        )}
        {permissions.warnings.length === 0 && !isPartlyUnknown && (
          <Notice tone="success" title={t('exchangeConnection.fineTitle')} live={false}>
            {t('exchangeConnection.fine')}
          </Notice>
        )}
      </Flex>
    </Grid>
  );
}
