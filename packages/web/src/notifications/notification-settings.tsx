import { Box, chakra, Flex, Grid, Heading, Table, Text } from '@chakra-ui/react';
import { shownProblem } from '@pilotfish/core/http/problem';
import type { QuietHours } from '@pilotfish/core/notifications/notification-choices';
import { OUTER_CHANNELS, type OuterChannel } from '@pilotfish/core/notifications/notification-kinds';
import type { NotificationSettings as Settings } from '@pilotfish/core/notifications/notifications-contract';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NextStep } from '../app/next-step/next-step.tsx';
import { useRemembered } from '../app/next-step/use-first-days.ts';
import { useApp } from '../platform/app-context.tsx';
import { Badge, Panel, TextField, TextLink } from '../ui/controls.tsx';
import { shownTimeZone } from '../ui/fields/field-time.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';
import { ErrorPanel, Skeleton } from '../ui/state-panels.tsx';
import { showToast, toastText } from '../ui/toasts.ts';
import { useMoment } from '../ui/use-moment.ts';
import { BrowserPanel } from './browser-panel.tsx';
import { type Choices, choicesOf, SET_UP, useNotificationSettings } from './use-notifications.ts';
import { WebhookPanel } from './webhook-panel.tsx';

/** Which channels work, what goes where, quiet hours, and the two channels that are set up here. */
export function NotificationSettings() {
  const { t } = useTranslation();
  const app = useApp();
  const { data, hasFailed, problem, retry } = useNotificationSettings();
  /** What was chosen and is being saved: shown at once, one after the other. */
  const [chosen, setChosen] = useState<Partial<Choices>>();
  const saving = useRef({ count: 0, last: Promise.resolve() });
  useEffect(() => {
    if (data && saving.current.count === 0) setChosen(undefined);
  }, [data]);
  if (!data) return <Panel>{hasFailed ? <ErrorPanel problem={problem} onRetry={retry} /> : <Skeleton rows={8} height={32} />}</Panel>;
  const { channels, quietHours = data.quietHours } = chosen ?? {};
  const settings: Settings = {
    ...data,
    quietHours,
    kinds: data.kinds.map((each) => ({ ...each, channels: channels?.[each.kind] ?? each.channels })),
  };
  const save = (change: Partial<Choices>) => {
    const body = { ...choicesOf(settings), ...change };
    setChosen(body);
    saving.current.count += 1;
    saving.current.last = saving.current.last.then(async () => {
      try {
        await app.busy.during(app.client.saveNotificationSettings({ body }, { quiet: true }));
      } catch (thrown) {
        setChosen(undefined);
        void showToast('error', toastText(shownProblem(thrown), t));
      }
      saving.current.count -= 1;
      if (saving.current.count === 0) app.queries.invalidate('notification-settings');
    });
  };
  return (
    <Grid gap="5">
      <div>
        <NewChannel settings={data} />
        <Channels settings={settings} />
      </div>
      <Kinds settings={settings} onSave={(channels) => save({ channels })} />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }} gap="5" alignItems="start">
        <Quiet value={quietHours} onSave={(next) => save({ quietHours: next })} />
        <Grid gap="5">
          <BrowserPanel />
          <WebhookPanel settings={settings} />
        </Grid>
      </Grid>
    </Grid>
  );
}

/** Sends a message by a channel and says how it went. */
function useTest() {
  const { t } = useTranslation();
  const app = useApp();
  const remember = useRemembered();
  return async (channel: OuterChannel) => {
    try {
      const { delivered, failure } = await app.busy.during(app.client.sendTestNotification({ body: { channel } }, { quiet: true }));
      if (delivered) {
        remember('test');
        void showToast('success', t('notifications.testSent'));
      } else void showToast('error', t(`notifications.failures.${failure ?? 'failed'}`, { defaultValue: failure ?? '' }));
    } catch (thrown) {
      void showToast('error', toastText(shownProblem(thrown), t));
    }
    app.queries.invalidate('notification-settings');
  };
}

const workingOf = ({ channels }: Settings) => channels.flatMap(({ channel, available }) => (available ? [channel] : []));

/** What comes next once a channel works: of one that does since this visit, a test. */
function NewChannel({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const test = useTest();
  const [before] = useState(() => workingOf(settings));
  const added = workingOf(settings).find((channel) => !before.includes(channel));
  return (
    <NextStep
      after="channel"
      isNew={added !== undefined}
      known={{ channels: settings.channels }}
      doneHere={({ id }) =>
        id === 'test' && added !== undefined ? (
          <Button size="sm" colorPalette="brand" onClick={() => void test(added)}>
            {t('nextSteps.offers.test.button')}
          </Button>
        ) : undefined
      }
    />
  );
}

/** Where each channel goes, or why it goes nowhere; a test message by each that works. */
function Channels({ settings }: { settings: Settings }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const test = useTest();
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="2">
        {t('notifications.channelsTitle')}
      </Heading>
      <Flex as="ul" direction="column" listStyleType="none">
        {settings.channels.map(({ channel, available, reason, target }) => (
          <Flex
            as="li"
            key={channel}
            justify="space-between"
            align="center"
            gap="4"
            py="2.5"
            borderTopWidth="1px"
            borderColor="border.subtle"
            css={{ '&:first-of-type': { borderTopWidth: 0 } }}
            wrap="wrap"
          >
            <Box minW="0">
              <Flex gap="2" align="center" wrap="wrap">
                <Text fontWeight="600">{t(`notifications.channels.${channel}`)}</Text>
                <Badge tone={available ? 'brand' : 'neutral'}>{t(available ? 'notifications.works' : 'notifications.worksNot')}</Badge>
              </Flex>
              <Text fontSize="13px" color="fg.muted" overflowWrap="anywhere">
                {channel === 'telegram' && settings.telegramMutedUntil
                  ? t('notifications.mutedUntil', {
                      until: moment(settings.telegramMutedUntil),
                    })
                  : reason
                    ? t(`notifications.channelReasons.${reason}`)
                    : channel === 'push'
                      ? t('notifications.browsers', { count: Number(target ?? 0) })
                      : target}
              </Text>
            </Box>
            <Flex gap="2">
              {!available && reason !== 'not-configured' && <TextLink to={SET_UP[channel]}>{t('notifications.setUp')}</TextLink>}
              {(available || reason === 'needs-attention') && (
                <Button
                  size="xs"
                  variant="outline"
                  color="fg"
                  aria-label={t('notifications.testBy', { channel: t(`notifications.channels.${channel}`) })}
                  onClick={() => void test(channel)}
                >
                  {t('notifications.sendTest')}
                </Button>
              )}
            </Flex>
          </Flex>
        ))}
      </Flex>
    </Panel>
  );
}

/** A table of kinds and channels; the list in the apps has everything and cannot be switched off. */
function Kinds({ settings, onSave }: { settings: Settings; onSave: (channels: Choices['channels']) => void }) {
  const { t } = useTranslation();
  const cell = { px: { base: '1', md: '2' }, py: '2', textAlign: 'center' } as const;
  const toggle = (kind: string, channel: OuterChannel) =>
    onSave(
      Object.fromEntries(
        settings.kinds.map((each) => [
          each.kind,
          each.kind !== kind
            ? each.channels
            : OUTER_CHANNELS.filter((name) => (name === channel ? !each.channels.includes(name) : each.channels.includes(name))),
        ]),
      ),
    );
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="1">
        {t('notifications.whatWhere')}
      </Heading>
      <Text fontSize="13px" color="fg.muted" mb="3">
        {t('notifications.alwaysInApps')}
      </Text>
      <Box overflowX="auto" tabIndex={0} role="group" aria-label={t('notifications.whatWhere')}>
        <Table.Root fontSize="14px">
          <thead>
            <tr>
              <chakra.th scope="col" textAlign="start" fontWeight="550" color="fg.muted" py="2">
                {t('notifications.kind')}
              </chakra.th>
              {OUTER_CHANNELS.map((channel) => (
                <chakra.th
                  key={channel}
                  scope="col"
                  {...cell}
                  fontSize={{ base: '12px', md: '14px' }}
                  fontWeight="550"
                  color="fg.muted"
                  whiteSpace="nowrap"
                >
                  {t(`notifications.channels.${channel}`)}
                </chakra.th>
              ))}
            </tr>
          </thead>
          <tbody>
            {settings.kinds.map(({ kind, channels, urgent }) => (
              <chakra.tr key={kind} borderTopWidth="1px" borderColor="border.subtle">
                <chakra.th scope="row" textAlign="start" fontWeight="450" py="2" pe="2">
                  {t(`notifications.kinds.${kind}`)}
                  {urgent && (
                    <Badge tone="secondary" ms={{ base: '0', md: '2' }} title={t('notifications.urgentHint')}>
                      {t('notifications.urgent')}
                    </Badge>
                  )}
                </chakra.th>
                {OUTER_CHANNELS.map((channel) => (
                  <chakra.td key={channel} {...cell}>
                    <chakra.input
                      type="checkbox"
                      checked={channels.includes(channel)}
                      aria-label={`${t(`notifications.kinds.${kind}`)}: ${t(`notifications.channels.${channel}`)}`}
                      onChange={() => toggle(kind, channel)}
                      w={{ base: '24px', md: '18px' }}
                      h={{ base: '24px', md: '18px' }}
                      accentColor="var(--chakra-colors-brand-solid)"
                      verticalAlign="middle"
                    />
                  </chakra.td>
                ))}
              </chakra.tr>
            ))}
          </tbody>
        </Table.Root>
      </Box>
    </Panel>
  );
}

function Quiet({ value, onSave }: { value: QuietHours; onSave: (value: QuietHours) => void }) {
  const { t } = useTranslation();
  const own = shownTimeZone();
  const zones = [...new Set([value.timeZone, own, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  // Who switches them on for the first time means the clock on the wall.
  const change = (part: Partial<QuietHours>) => onSave({ ...value, ...part });
  return (
    <Panel>
      <Heading as="h2" textStyle="title" mb="3">
        {t('notifications.quiet.title')}
      </Heading>
      <Flex direction="column" gap="4">
        <SwitchField
          label={t('notifications.quiet.on')}
          hint={t('notifications.quiet.hint')}
          checked={value.enabled}
          onChange={(enabled) => change({ enabled, ...(enabled && value.timeZone === 'UTC' ? { timeZone: own } : {}) })}
        />
        {value.enabled && (
          <>
            <Flex gap="3">
              <TimeField label={t('alerts.form.from')} value={value.from} onChange={(from) => change({ from })} />
              <TimeField label={t('alerts.form.to')} value={value.to} onChange={(to) => change({ to })} />
            </Flex>
            <SelectField
              label={t('account.timeZone')}
              value={value.timeZone}
              options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
              onChange={(timeZone) => change({ timeZone })}
            />
          </>
        )}
        <Flex gap="2" fontSize="13px" color="fg.muted" align="flex-start">
          <Box pt="2px" flexShrink="0">
            <Icon name="info" size={14} />
          </Box>
          {t('notifications.urgentHint')}
        </Flex>
      </Flex>
    </Panel>
  );
}

/** A time of day, kept when one is done with typing it. */
function TimeField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [held, setHeld] = useState(value);
  if (held !== value) {
    setHeld(value);
    setTyped(value);
  }
  return (
    <TextField
      label={label}
      type="time"
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => (typed === '' ? setTyped(value) : typed !== value && onChange(typed))}
    />
  );
}
