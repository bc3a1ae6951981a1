import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { AUDIT_AREAS } from '@pilotfish/core/auth/auth-contract';
import { shownProblem } from '@pilotfish/core/http/problem';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../app/app-context.tsx';
import { useQuery } from '../app/use-query.ts';
import { useAccount } from '../app/use-session.ts';
import { PasswordMeter, useStrength } from '../auth/password-meter.tsx';
import { Badge, Notice, Panel, PasswordField, SelectField } from '../ui/controls.tsx';
import { Icon } from '../ui/icons.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { problemText, showToast } from '../ui/toasts.ts';
import { deviceName } from './device-name.ts';
import { RecoveryPanel } from './recovery-panel.tsx';

const OUTCOMES = ['success', 'failure'] as const;

/** An id says nothing to people; names of things do. */
const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/i;

export default function SecurityPage() {
  const { t } = useTranslation();
  return (
    <>
      <PageHeader title={t('routes.security')} lead={t('security.lead')} />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
        <Devices />
        <Grid gap="5">
          <ChangePassword />
          <RecoveryPanel />
        </Grid>
        <AuditLog />
      </Grid>
    </>
  );
}

const moment = (iso: string, language: string) => new Date(iso).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });

function Devices() {
  const { t, i18n } = useTranslation();
  const app = useApp();
  const { data, hasFailed, problem, retry } = useQuery(
    'devices',
    (client, _: null, signal) => client.listSessions(undefined, { signal }),
    null,
  );
  const end = async (id: string) => {
    try {
      await app.busy.during(app.client.revokeSession({ params: { id } }));
      void showToast('success', t('security.ended'));
    } catch (error) {
      void showToast('error', problemText(shownProblem(error), t));
    }
    app.queries.invalidate('devices', 'audit-log');
  };
  const endOthers = async () => {
    try {
      const { ended } = await app.busy.during(app.client.revokeOtherSessions());
      void showToast('success', t('security.othersEnded', { count: ended }));
    } catch (error) {
      void showToast('error', problemText(shownProblem(error), t));
    }
    app.queries.invalidate('devices', 'audit-log');
  };
  const others = data?.items.filter((device) => !device.current).length ?? 0;
  return (
    <Panel>
      <Flex justify="space-between" align="center" gap="3" mb="3" wrap="wrap">
        <Heading as="h2" textStyle="title">
          {t('security.devices')}
        </Heading>
        {others > 1 && (
          <Button size="sm" variant="outline" color="fg" onClick={() => void endOthers()}>
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
                  {device.address} · {t('security.lastUsed', { time: moment(device.lastUsedAt, i18n.language) })}
                </Text>
              </Box>
              {!device.current && (
                <Button
                  size="sm"
                  variant="outline"
                  color="fg"
                  aria-label={t('security.endDevice', { device: deviceName(device.device) })}
                  onClick={() => void end(device.id)}
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

function ChangePassword() {
  const { t } = useTranslation();
  const app = useApp();
  const account = useAccount();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [errors, setErrors] = useState<{ current?: string; next?: string; other?: string }>({});
  const [busy, setBusy] = useState(false);
  const strength = useStrength(next, [account?.username ?? '', account?.email ?? '']);
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const found = {
      ...(current === '' ? { current: t('auth.passwordMissing') } : {}),
      ...(strength?.verdict === 'ok' || (strength === undefined && next !== '') ? {} : { next: t('auth.strengthRule') }),
    };
    setErrors(found);
    if (Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const { message } = await app.busy.during(app.client.changePassword({ body: { currentPassword: current, newPassword: next } }));
      void showToast('success', message);
      setCurrent('');
      setNext('');
      app.queries.invalidate('devices', 'audit-log');
    } catch (thrown) {
      const problem = shownProblem(thrown);
      const text = problemText(problem, t);
      setErrors(
        problem.code === 'wrong-password' ? { current: text } : problem.code === 'weak-password' ? { next: text } : { other: text },
      );
    } finally {
      setBusy(false);
    }
  };
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('security.changePassword')}
      </Heading>
      <form onSubmit={(event) => void onSubmit(event)} noValidate style={{ display: 'grid', gap: 16 }}>
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
        <PasswordMeter strength={strength} />
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
  const { t, i18n } = useTranslation();
  const [page, setPage] = useState(1);
  const [area, setArea] = useState('');
  const [outcome, setOutcome] = useState('');
  const { data, hasFailed, problem, retry } = useQuery(
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
  const pages = data ? Math.max(1, Math.ceil(data.total / data.pageSize)) : 1;
  const cell = { px: '2', py: '2', textAlign: 'start', verticalAlign: 'top' } as const;
  return (
    <Panel gridColumn={{ lg: '1 / -1' }}>
      <Heading as="h2" textStyle="title" mb="3" id="audit-title">
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
      {data?.items.length === 0 && <Text color="fg.muted">{t('security.noEntries')}</Text>}
      {!data ? (
        hasFailed ? (
          <ErrorPanel problem={problem} onRetry={retry} />
        ) : (
          <Skeleton rows={6} height={24} />
        )
      ) : (
        <>
          <chakra.section overflowX="auto" tabIndex={0} aria-labelledby="audit-title">
            <chakra.table w="100%" fontSize="13px" borderCollapse="collapse">
              <thead>
                <chakra.tr color="fg.muted">
                  {(['time', 'event', 'outcome', 'device', 'address'] as const).map((column) => (
                    <chakra.th key={column} scope="col" {...cell} fontWeight="550">
                      {t(`security.column.${column}`)}
                    </chakra.th>
                  ))}
                </chakra.tr>
              </thead>
              <tbody>
                {data.items.map((entry) => (
                  <chakra.tr key={entry.id} borderTopWidth="1px" borderColor="border.subtle">
                    <chakra.td {...cell} whiteSpace="nowrap">
                      {moment(entry.at, i18n.language)}
                    </chakra.td>
                    <chakra.td {...cell}>
                      {t(`auditActions.${entry.action}`, { defaultValue: entry.action })}
                      {entry.target && !UUID.test(entry.target) && ` · ${entry.target}`}
                    </chakra.td>
                    <chakra.td {...cell}>
                      <Flex gap="1" align="center" color={entry.outcome === 'success' ? 'fg' : 'danger.fg'}>
                        <Icon name={entry.outcome === 'success' ? 'check' : 'cross'} size={14} />
                        {t(`security.outcome.${entry.outcome}`)}
                      </Flex>
                    </chakra.td>
                    <chakra.td {...cell} whiteSpace="nowrap" title={entry.device}>
                      {deviceName(entry.device)}
                    </chakra.td>
                    <chakra.td {...cell}>{entry.address}</chakra.td>
                  </chakra.tr>
                ))}
              </tbody>
            </chakra.table>
          </chakra.section>
          <Flex justify="space-between" align="center" mt="3" color="fg.muted" fontSize="13px">
            <span>{t('ui.pageOf', { page, pages })}</span>
            <Flex gap="2">
              <Button size="xs" variant="outline" color="fg" disabled={page <= 1} onClick={() => setPage(page - 1)}>
                {t('ui.previous')}
              </Button>
              <Button size="xs" variant="outline" color="fg" disabled={page >= pages} onClick={() => setPage(page + 1)}>
                {t('ui.next')}
              </Button>
            </Flex>
          </Flex>
        </>
      )}
    </Panel>
  );
}
