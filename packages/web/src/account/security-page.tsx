import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { AUDIT_AREAS } from '@pilotfish/core/auth/auth-contract';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasswordMeter, useStrength } from '../auth/password-meter.tsx';
import { useApp } from '../platform/app-context.tsx';
import { useAction, useDeed } from '../platform/use-action.ts';
import { useQuery } from '../platform/use-query.ts';
import { useAccount } from '../platform/use-session.ts';
import { Badge, Notice, Panel } from '../ui/controls.tsx';
import { said } from '../ui/dialogs/use-confirming.ts';
import { PasswordField } from '../ui/fields/password-field.tsx';
import { SelectField } from '../ui/fields/select-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { PagedTable } from '../ui/tables/paged-table.tsx';
import { problemText } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { ConnectionsPanel } from './connections-panel.tsx';
import { deviceName } from './device-name.ts';
import { RecoveryPanel } from './recovery-panel.tsx';

const OUTCOMES = ['success', 'failure'] as const;

/** An id says nothing to people; names of things do. */
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

export default function SecurityPage() {
  const { t } = useTranslation();
  const [review, setReview] = useState(0);
  const check = () => setReview((times) => times + 1);
  return (
    <>
      <PageHeader title={t('routes.security')} lead={t('security.lead')} />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
        <Grid gap="5">
          <Devices onOthersEnded={check} />
          <ConnectionsPanel review={review} />
        </Grid>
        <Grid gap="5">
          <ChangePassword onChanged={check} />
          <RecoveryPanel />
        </Grid>
        <AuditLog />
      </Grid>
    </>
  );
}

const ENDED = ['devices', 'audit-log'];

function Devices({ onOthersEnded }: { onOthersEnded: () => void }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const { client } = useApp();
  const deed = useDeed({ toasts: true });
  const { data, hasFailed, problem, retry } = useQuery('devices', (api, _: null, signal) => api.listSessions(undefined, { signal }), null);
  const end = (id: string) => said(deed(client.revokeSession({ params: { id } }), ENDED, t('security.ended')));
  const endOthers = () =>
    said(deed(client.revokeOtherSessions(), ENDED, ({ ended }) => t('security.othersEnded', { count: ended })).then(onOthersEnded));
  const others = data?.items.filter((device) => !device.current).length ?? 0;
  return (
    <Panel>
      <Flex justify="space-between" align="center" gap="3" mb="3" wrap="wrap">
        <Heading as="h2" textStyle="title">
          {t('security.devices')}
        </Heading>
        {others > 1 && (
          <Button size="sm" variant="outline" color="fg" onClick={endOthers}>
            {t('security.endOthers')}
          </Button>
        )}
      </Flex>
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={3} height={36} />
        )
      ) : (
        <Flex as="ul" direction="column" listStyleType="none">
          {data.items.map((device) => (
            <Flex
              as="li"
              key={device.id}
              justify="space-between"
              align="center"
              gap="4"
              py="3"
              borderTopWidth="1px"
              borderColor="border.subtle"
            >
              <Box minW="0">
                <Flex gap="2" align="center" wrap="wrap">
                  <Text fontWeight="600" overflowWrap="anywhere">
                    {deviceName(device.device)}
                  </Text>
                  {device.current && <Badge tone="brand">{t('security.thisDevice')}</Badge>}
                </Flex>
                <Text color="fg.muted" fontSize="13px">
                  {device.address} · {t('security.lastUsed', { time: moment(device.lastUsedAt) })}
                </Text>
              </Box>
              {!device.current && (
                <Button
                  size="sm"
                  variant="outline"
                  color="fg"
                  aria-label={t('security.endDevice', { device: deviceName(device.device) })}
                  onClick={() => end(device.id)}
                >
                  {t('security.end')}
                </Button>
              )}
            </Flex>
          ))}
        </Flex>
      )}
    </Panel>
  );
}

function ChangePassword({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation();
  const { client } = useApp();
  const account = useAccount();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [errors, setErrors] = useState<{ current?: string; next?: string; other?: string }>({});
  const { busy, run } = useAction();
  const strength = useStrength(next, [account?.username ?? '', account?.email ?? '']);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = {
      ...(current === '' ? { current: t('auth.passwordMissing') } : {}),
      ...(strength?.verdict === 'ok' || (strength === undefined && next !== '') ? {} : { next: t('auth.strengthRule') }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    void run(() => client.changePassword({ body: { currentPassword: current, newPassword: next } }), {
      stale: ENDED,
      said: ({ message }) => message,
      onDone: () => {
        setCurrent('');
        setNext('');
        onChanged();
      },
      onFailed: (problem) => {
        const field = problem.code === 'wrong-password' ? 'current' : problem.code === 'weak-password' ? 'next' : 'other';
        setErrors({ [field]: problemText(problem, t) });
      },
    });
  };
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('security.changePassword')}
      </Heading>
      <form onSubmit={onSubmit} noValidate style={{ display: 'grid', gap: 16 }}>
        {errors.other && <Notice tone="error">{errors.other}</Notice>}
        <PasswordField
          label={t('security.currentPassword')}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.currentTarget.value)}
          error={errors.current}
        />
        <PasswordField
          label={t('auth.newPassword')}
          autoComplete="new-password"
          value={next}
          onChange={(event) => setNext(event.currentTarget.value)}
          error={errors.next}
        />
        <PasswordMeter strength={strength} isRuleSaid={errors.next !== undefined} />
        <Button type="submit" colorPalette="brand" justifySelf="start" disabled={busy}>
          {t('security.changePassword')}
        </Button>
        <Text fontSize="13px" color="fg.muted">
          {t('security.othersEnd')}
        </Text>
      </form>
    </Panel>
  );
}

function AuditLog() {
  const { t } = useTranslation();
  const moment = useMoment();
  const [page, setPage] = useState(1);
  const [area, setArea] = useState('');
  const [outcome, setOutcome] = useState('');
  const query = useQuery(
    'audit-log',
    (client, params: { page: number; area: string; outcome: string }, signal) =>
      client.listAuditLog(
        {
          query: {
            page: params.page,
            pageSize: 20,
            area: AUDIT_AREAS.find((each) => each === params.area),
            outcome: OUTCOMES.find((each) => each === params.outcome),
          },
        },
        { signal },
      ),
    { page, area, outcome },
  );
  return (
    <Panel gridColumn={{ lg: '1 / -1' }}>
      <Heading as="h2" textStyle="title" mb="3">
        {t('security.audit')}
      </Heading>
      <Flex gap="3" mb="4" wrap="wrap">
        <SelectField
          label={t('security.area')}
          value={area}
          options={[
            { value: '', label: t('security.allAreas') },
            ...AUDIT_AREAS.map((each) => ({ value: each, label: t(`auditAreas.${each}`) })),
          ]}
          onChange={(next) => {
            setArea(next);
            setPage(1);
          }}
        />
        <SelectField
          label={t('security.column.outcome')}
          value={outcome}
          options={[
            { value: '', label: t('security.allOutcomes') },
            ...OUTCOMES.map((each) => ({ value: each, label: t(`security.outcome.${each}`) })),
          ]}
          onChange={(next) => {
            setOutcome(next);
            setPage(1);
          }}
        />
      </Flex>
      <PagedTable
        label={t('security.audit')}
        query={query}
        rowKey={({ id }) => id}
        onPage={setPage}
        empty={t('security.noEntries')}
        columns={[
          {
            key: 'time',
            label: t('security.column.time'),
            cell: ({ at }) => <chakra.span whiteSpace="nowrap">{moment(at)}</chakra.span>,
          },
          {
            key: 'event',
            head: true,
            label: t('security.column.event'),
            cell: ({ action, target }) => (
              <chakra.span fontWeight={{ base: '600', md: '400' }}>
                {t(`auditActions.${action}`, { defaultValue: action })}
                {target && !UUID.test(target) && ` · ${target}`}
              </chakra.span>
            ),
          },
          {
            key: 'outcome',
            label: t('security.column.outcome'),
            cell: ({ outcome: how }) => (
              <Flex gap="1" align="center" color={how === 'success' ? 'fg' : 'danger.fg'}>
                <Icon name={how === 'success' ? 'check' : 'cross'} size={14} />
                {t(`security.outcome.${how}`)}
              </Flex>
            ),
          },
          {
            key: 'device',
            label: t('security.column.device'),
            cell: ({ device }) => (
              <chakra.span whiteSpace="nowrap" title={device}>
                {deviceName(device)}
              </chakra.span>
            ),
          },
          { key: 'address', label: t('security.column.address'), cell: ({ address }) => address },
        ]}
      />
    </Panel>
  );
}
