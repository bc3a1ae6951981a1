import { Box, Flex, Text } from '@chakra-ui/react';
import type { AlertQuietHours } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useTranslation } from 'react-i18next';
import { IconButton, TextField } from '../ui/controls.tsx';
import { shownTimeZone } from '../ui/fields/field-time.ts';
import { SelectField } from '../ui/fields/select-field.tsx';
import { SwitchField } from '../ui/fields/switch-field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Button } from '../ui/primitives.tsx';

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const MOST_WINDOWS = 7;
const NIGHT = { days: [...DAYS], from: '23:00', to: '07:00' };
/** 1 Monday … 7 Sunday; the first of January 2024 was a Monday. */
const dayName = (day: number, language: string) =>
  new Date(Date.UTC(2024, 0, day)).toLocaleDateString(language, { weekday: 'short', timeZone: 'UTC' });

/** When nothing is to be heard of an alert, and what becomes of what fires then. */
export function QuietHoursFields({
  value,
  onChange,
  errorOf,
}: {
  value: AlertQuietHours | null;
  onChange: (value: AlertQuietHours | null) => void;
  errorOf: (path: string) => string | undefined;
}) {
  const { t, i18n } = useTranslation();
  const setWindow = (index: number, change: Partial<AlertQuietHours['windows'][number]>) =>
    value && onChange({ ...value, windows: value.windows.map((each, at) => (at === index ? { ...each, ...change } : each)) });
  return (
    <Flex direction="column" gap="3">
      <SwitchField
        label={t('alerts.form.quiet')}
        hint={value ? t('alerts.form.quietZone', { zone: value.timeZone }) : t('alerts.form.quietHint')}
        checked={value !== null}
        onChange={(on) => onChange(on ? { timeZone: shownTimeZone(), windows: [NIGHT], onWake: 'deliver' } : null)}
      />
      {value && (
        <Flex direction="column" gap="3" ps={{ base: 0, sm: '50px' }}>
          {value.windows.map((window, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: windows have no name but their place
            <Flex key={index} gap="3" wrap="wrap" align="flex-end">
              <Box w="148px">
                <TextField
                  label={t('alerts.form.from')}
                  type="time"
                  value={window.from}
                  onChange={(event) => setWindow(index, { from: event.currentTarget.value })}
                />
              </Box>
              <Box w="148px">
                <TextField
                  label={t('alerts.form.to')}
                  type="time"
                  value={window.to}
                  onChange={(event) => setWindow(index, { to: event.currentTarget.value })}
                />
              </Box>
              <Flex role="group" aria-label={t('alerts.form.days')} gap="1" wrap="wrap">
                {DAYS.map((day) => {
                  const on = window.days.includes(day);
                  return (
                    <Button
                      key={day}
                      type="button"
                      size="xs"
                      variant={on ? 'solid' : 'outline'}
                      bg={on ? 'brand.muted' : undefined}
                      color={on ? 'brand.fg' : 'fg.muted'}
                      aria-pressed={on}
                      onClick={() => {
                        const days = on ? window.days.filter((each) => each !== day) : [...window.days, day].sort((a, b) => a - b);
                        if (days.length > 0) setWindow(index, { days });
                      }}
                    >
                      {dayName(day, i18n.language)}
                    </Button>
                  );
                })}
              </Flex>
              {value.windows.length > 1 && (
                <IconButton
                  icon="trash"
                  label={t('alerts.form.removeWindow')}
                  onClick={() => onChange({ ...value, windows: value.windows.filter((_, at) => at !== index) })}
                />
              )}
              {errorOf(`quietHours.windows.${index}.from`) || errorOf(`quietHours.windows.${index}.to`) ? (
                <Text color="danger.fg" fontSize="13px" role="alert">
                  {t('validation.required')}
                </Text>
              ) : null}
            </Flex>
          ))}
          <Flex gap="3" wrap="wrap" align="flex-end">
            <Box w={{ base: '100%', sm: '260px' }}>
              <SelectField
                label={t('alerts.form.onWake')}
                value={value.onWake}
                options={(['deliver', 'drop'] as const).map((each) => ({ value: each, label: t(`alerts.onWake.${each}`) }))}
                onChange={(onWake) => onChange({ ...value, onWake: onWake as AlertQuietHours['onWake'] })}
              />
            </Box>
            {value.windows.length < MOST_WINDOWS && (
              <Button
                type="button"
                size="sm"
                variant="ghost"
                color="brand.fg"
                onClick={() => onChange({ ...value, windows: [...value.windows, NIGHT] })}
              >
                <Icon name="plus" size={16} />
                {t('alerts.form.addWindow')}
              </Button>
            )}
          </Flex>
        </Flex>
      )}
    </Flex>
  );
}
