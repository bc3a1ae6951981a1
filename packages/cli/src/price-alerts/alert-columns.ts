import { formatPercent } from '@pilotfish/core/money/format';
import type { AlertFiring, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Translate } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import type { Column, Resource } from '../ui/output.ts';
import { localTime } from '../ui/times.ts';
import { alertPrinter } from './read-alert.ts';

const TONES = { Armed: 'green', Warming: 'cyan', Fired: 'yellow', Cooldown: 'yellow', Failed: 'red' } as const;

/** Why it is in its state, where its machine knows, in brackets behind it. */
export const stateReason = (t: Translate, { reason }: Pick<PriceAlert, 'reason'>): string =>
  reason === null ? '' : ` (${t(`alerts.reason.${reason}`, { defaultValue: reason })})`;

/** The state in words, and until when the alert is silent. */
export function alertStateShown(t: Translate, alert: PriceAlert, paint: Colours): string {
  const { state, snoozedUntil } = alert;
  const word = paint[TONES[state as keyof typeof TONES] ?? 'dim'](t(`alerts.state.${state}`));
  const why = stateReason(t, alert);
  const rests = snoozedUntil ? paint.dim(` ${t('alerts.snoozedUntil', { at: localTime(snoozedUntil, 'minute') })}`) : '';
  return word + why + rests;
}

const name: Column<{ symbol?: string | null | undefined }> = {
  key: 'symbol',
  value: ({ symbol }) => symbol ?? '',
  shown: ({ symbol }, paint) => paint.bold(symbol ?? '–'),
};

/** Alerts as rows; the id stands last, for the other commands. */
export const alerts = (t: Translate): Resource<PriceAlert> => {
  const say = alertPrinter(t);
  return {
    empty: 'alerts',
    columns: [
      name,
      { key: 'condition', value: (row) => JSON.stringify(row.condition), shown: (row) => say(row) },
      { key: 'state', value: ({ state }) => state, shown: (row, paint) => alertStateShown(t, row, paint) },
      {
        key: 'distancePct',
        value: ({ distancePct }) => distancePct,
        shown: ({ distancePct }) => (distancePct === null ? '' : formatPercent(distancePct)),
        right: true,
      },
      {
        key: 'lastPrice',
        value: ({ lastPrice }) => lastPrice,
        pair: ({ symbol }) => symbol,
        right: true,
        rank: 3,
      },
      { key: 'firedCount', value: ({ firedCount }) => String(firedCount), right: true, rank: 4 },
      {
        key: 'lastFiredAt',
        value: ({ lastFiredAt }) => lastFiredAt ?? '',
        shown: (row) => localTime(row.lastFiredAt, 'minute'),
        rank: 2,
      },
      { key: 'note', value: ({ note }) => note, shown: ({ note }, paint) => paint.dim(note), rank: 5 },
      { key: 'allowed', value: ({ allowed }) => allowed.join(' '), dataOnly: true },
      { key: 'id', value: ({ id }) => id, shown: ({ id }, paint) => paint.dim(id), rank: 1 },
    ] as Column<PriceAlert>[],
  };
};

/** Firings as rows. */
export const firings = (t: Translate): Resource<AlertFiring> => ({
  empty: 'firings',
  columns: [
    { key: 'at', value: ({ at }) => at, shown: ({ at }) => localTime(at) },
    name as Column<AlertFiring>,
    { key: 'condition', value: (row) => JSON.stringify(row.condition), shown: (row) => firingText(t, row) },
    {
      key: 'price',
      value: ({ price }) => price,
      pair: ({ symbol }) => symbol,
      right: true,
    },
    {
      key: 'late',
      value: ({ late }) => String(late),
      shown: ({ late }, paint) => (late ? paint.yellow(t('cli.alerts.late')) : ''),
      rank: 2,
    },
    { key: 'delivery', value: ({ delivery }) => delivery, rank: 3 },
    { key: 'note', value: ({ note }) => note, shown: ({ note }, paint) => paint.dim(note), rank: 1 },
    { key: 'priceAlertId', value: ({ priceAlertId }) => priceAlertId, dataOnly: true },
  ],
});

/** What fired, in a sentence. */
export const firingText = (t: Translate, { symbol, condition }: AlertFiring): string =>
  alertPrinter(t)({ condition, ...(symbol === null ? {} : { symbol }) });
