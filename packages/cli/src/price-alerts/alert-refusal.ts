import type { AlertAction, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';

const whyNot = ({ state, repeat }: PriceAlert, action: AlertAction): string => {
  if (action !== 'acknowledge') return action;
  if (repeat !== 'untilAcknowledged') return 'noReminders';
  return state === 'Fired' ? 'acknowledged' : 'notFired';
};

/**
 * The text that says why an alert does not take what is asked of it, by what its machine allows now: it names the `alert` and
 * its `state`. Undefined where the alert takes it.
 */
export const refusalOf = (alert: PriceAlert, action: AlertAction): string | undefined =>
  alert.allowed.includes(action) ? undefined : `cli.alerts.refused.${whyNot(alert, action)}`;
