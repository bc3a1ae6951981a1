import { Box, chakra, Flex, Grid, Heading, Text } from '@chakra-ui/react';
import { ALERT_KINDS } from '@pilotfish/core/price-alerts/alert-kinds';
import { DEFAULT_EXPIRY_DAYS, MAX_NOTE, MOST_EXPIRY_DAYS } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { endOfDay, localOf } from '@pilotfish/core/time/calendar-day';
import { useTranslation } from 'react-i18next';
import { ChannelChoice } from '../notifications/channel-choice.tsx';
import { useApp } from '../platform/app-context.tsx';
import { TextField } from '../ui/controls.tsx';
import { DecimalField, WholeField } from '../ui/fields/decimal-field.tsx';
import { shownTimeZone } from '../ui/fields/field-time.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { QuietHoursFields } from './quiet-hours-fields.tsx';
import type { AlertEditor } from './use-alert-editor.ts';

const DAY = 86_400_000;
/** Kinds that look at a level of the price, which the price can leave again. */
const HAS_LEVEL: ReadonlySet<string> = new Set(['crosses', 'above', 'below', 'channel']);

/** How an alert behaves once its condition is said: how often, where it is told, until when, and when it is quiet. */
export function AlertSettingFields({ editor }: { editor: AlertEditor }) {
  const { t } = useTranslation();
  const { now } = useApp().browser;
  const { draft, change, errorOf } = editor;
  const isAboutPrice = ALERT_KINDS[draft.kind].subject === 'symbol' && ALERT_KINDS[draft.kind].history === 'none';
  const zone = shownTimeZone();
  /** The last day on which it lives, on the reader's clock. */
  const dayOf = (iso: string) => new Date(localOf(Date.parse(iso) - 1, zone)).toISOString().slice(0, 10);
  const today = new Date(localOf(now(), zone)).toISOString().slice(0, 10);
  return (
    <Flex direction="column" gap="5">
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', sm: 'repeat(auto-fill, minmax(200px, 1fr))' }} gap="4">
        <SelectField
          label={t('alerts.form.repeat')}
          value={draft.repeat}
          options={(['once', 'every', 'untilAcknowledged'] as const).map((value) => ({ value, label: t(`alerts.repeat.${value}`) }))}
          onChange={(repeat) => change({ ...draft, repeat: repeat as typeof draft.repeat })}
        />
        {draft.repeat !== 'once' && (
          <WholeField
            label={t(draft.repeat === 'every' ? 'alerts.form.cooldown' : 'alerts.form.reminder')}
            unit={t('alerts.form.minutes')}
            value={draft.cooldownMin}
            error={errorOf('cooldownMin')}
            onChange={(cooldownMin) => change({ ...draft, cooldownMin })}
          />
        )}
        {HAS_LEVEL.has(draft.kind) && draft.repeat === 'every' && (
          <DecimalField
            label={t('alerts.form.hysteresis')}
            unit="%"
            hint={t('alerts.form.hysteresisHint')}
            value={draft.hysteresisPct}
            error={errorOf('hysteresisPct')}
            onChange={(hysteresisPct) => change({ ...draft, hysteresisPct })}
          />
        )}
        {isAboutPrice && draft.kind !== 'volume' && draft.kind !== 'statusChange' && (
          <SelectField
            label={t('alerts.form.priceSource')}
            value={draft.priceSource}
            options={(['last', 'mark-mid'] as const).map((value) => ({ value, label: t(`alerts.source.${value}`) }))}
            onChange={(priceSource) => change({ ...draft, priceSource: priceSource as typeof draft.priceSource })}
          />
        )}
        <SelectField
          label={t('alerts.form.expiry')}
          value={typeof draft.expiry === 'string' ? draft.expiry : 'date'}
          error={errorOf('expiresAt')}
          options={[
            { value: 'default', label: t('alerts.expiry.default', { days: DEFAULT_EXPIRY_DAYS }) },
            { value: 'date', label: t('alerts.expiry.date') },
            { value: 'never', label: t('alerts.expiry.never') },
          ]}
          onChange={(expiry) =>
            change({
              ...draft,
              expiry: expiry === 'date' ? { at: new Date(now() + 30 * DAY).toISOString() } : expiry === 'never' ? 'never' : 'default',
            })
          }
        />
        {typeof draft.expiry === 'object' && (
          <TextField
            label={t('alerts.form.lastDay')}
            type="date"
            value={dayOf(draft.expiry.at)}
            min={today}
            max={new Date(now() + (MOST_EXPIRY_DAYS - 1) * DAY).toISOString().slice(0, 10)}
            onChange={(event) => {
              const end = endOfDay(event.currentTarget.value, zone);
              if (!Number.isNaN(end)) change({ ...draft, expiry: { at: new Date(end).toISOString() } });
            }}
          />
        )}
      </Grid>
      <Box>
        <Heading as="h2" fontSize="13px" fontWeight="600" color="fg.muted" mb="2">
          {t('alerts.form.channels')}
        </Heading>
        <ChannelChoice
          chosen={draft.channels.filter((channel) => channel !== 'app')}
          onChange={(channels) => change({ ...draft, channels: ['app', ...channels] })}
        />
      </Box>
      <QuietHoursFields value={draft.quietHours} onChange={(quietHours) => change({ ...draft, quietHours })} errorOf={errorOf} />
      <chakra.div display="flex" flexDirection="column" gap="4">
        {isAboutPrice && draft.kind !== 'statusChange' && (
          <SwitchField
            label={t('alerts.form.fireIfTrue')}
            hint={t('alerts.form.fireIfTrueHint')}
            checked={draft.fireIfTrue}
            onChange={(fireIfTrue) => change({ ...draft, fireIfTrue })}
          />
        )}
        <TextField
          label={t('alerts.form.note')}
          value={draft.note}
          maxLength={MAX_NOTE}
          error={errorOf('note')}
          aside={
            <Text color="fg.muted" fontSize="12px">
              {draft.note.length} / {MAX_NOTE}
            </Text>
          }
          onChange={(event) => change({ ...draft, note: event.currentTarget.value })}
        />
      </chakra.div>
    </Flex>
  );
}
