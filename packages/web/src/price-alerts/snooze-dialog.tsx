import { Flex, Text } from '@chakra-ui/react';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { atLocal, localOf } from '@pilotfish/core/time/calendar-day';
import { formatDuration } from '@pilotfish/core/time/duration';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApp } from '../platform/app-context.tsx';
import { TextField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { NotDone } from '../ui/dialogs/not-done.tsx';
import { useConfirming } from '../ui/dialogs/use-confirming.ts';
import { fieldMoment, shownTimeZone } from '../ui/fields/field-time.ts';
import { Button } from '../ui/primitives.tsx';
import { useAlertActions, useAlertWords } from './use-price-alerts.ts';

const DAY = 86_400_000;
/** The hour of the next morning at which one wants to hear of things again. */
const MORNING = 8 * 3_600_000;

/** Eight o'clock of the next day on the reader's clock, epoch ms. */
export function tomorrowMorning(now: number, zone: string): number {
  const today = Math.floor(localOf(now, zone) / DAY) * DAY;
  return atLocal(today + DAY + MORNING, zone);
}

/** How long an alert is to rest. */
export function SnoozeDialog({ alert, onClose }: { alert: PriceAlert | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={alert !== undefined} title={t('alerts.page.snoozeTitle')} onClose={onClose} width={420}>
      {alert && <Choices alert={alert} onClose={onClose} />}
    </Dialog>
  );
}

function Choices({ alert, onClose }: { alert: PriceAlert; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const { now } = useApp().browser;
  const say = useAlertWords();
  const { snooze } = useAlertActions();
  const zone = shownTimeZone();
  const [until, setUntil] = useState('');
  const moment = Date.parse(fieldMoment(until) ?? '');
  const { busy, problem, confirm } = useConfirming(onClose);
  const take = (body: Parameters<typeof snooze>[1]) => confirm(() => snooze(alert, body));
  return (
    <Flex direction="column" gap="4">
      <Text color="fg.muted">{say(alert)}</Text>
      <Flex gap="2" wrap="wrap">
        {([60, 480] as const).map((minutes) => (
          <Button key={minutes} variant="outline" color="fg" disabled={busy} onClick={() => take({ minutes })}>
            {formatDuration(minutes * 60_000, i18n.language)}
          </Button>
        ))}
        <Button
          variant="outline"
          color="fg"
          disabled={busy}
          onClick={() => take({ until: new Date(tomorrowMorning(now(), zone)).toISOString() })}
        >
          {t('alerts.page.tomorrow')}
        </Button>
      </Flex>
      <Flex
        as="form"
        gap="2"
        align="flex-end"
        wrap="wrap"
        onSubmit={(event) => {
          event.preventDefault();
          if (moment > now()) take({ until: new Date(moment).toISOString() });
        }}
      >
        <TextField
          label={t('alerts.page.until')}
          type="datetime-local"
          value={until}
          error={until !== '' && !(moment > now()) ? t('validation.in_the_past') : undefined}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Button type="submit" colorPalette="brand" disabled={busy || !(moment > now())}>
          {t('alerts.page.snooze')}
        </Button>
      </Flex>
      <NotDone problem={problem} />
    </Flex>
  );
}
