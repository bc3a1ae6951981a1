import type { AlertAction, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Translate } from '../app/texts.ts';
import { stateReason } from './alert-columns.ts';
import { alertPrinter } from './read-alert.ts';

/** A text and what it names. */
export type Refusal = { readonly key: string; readonly values: { readonly alert: string; readonly state: string } };

const whyNot = ({ state, repeat }: PriceAlert, action: AlertAction): string => {
  if (action !== 'acknowledge') return action;
  if (state !== 'Fired') return 'notFired';
  return repeat === 'untilAcknowledged' ? 'acknowledged' : 'noReminders';
};

/** Why an alert does not take what is asked of it, by what its machine allows now; undefined where it does. */
export function refusalOf(alert: PriceAlert, action: AlertAction, t: Translate): Refusal | undefined {
  if (alert.allowed.includes(action)) return undefined;
  const values = { alert: alertPrinter(t)(alert), state: `${t(`alerts.state.${alert.state}`)}${stateReason(t, alert)}` };
  return { key: `cli.alerts.refused.${whyNot(alert, action)}`, values };
}
