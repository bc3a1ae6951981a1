import type { Client } from '@pilotfish/core/http/client';
import { type PriceAlert, priceAlertsContract } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { alertPrinter } from './read-alert.ts';

export type AlertsClient = Client<typeof priceAlertsContract>;
export const alertsClient = (context: Context): Promise<AlertsClient> => context.client(priceAlertsContract);

/**
 * The alert meant by its id, the beginning or the end of it, or by its pair when that has one alert only.
 * @throws LocalFailure `noSuchAlert` (7), or `ambiguous` (2) naming what it could be
 */
export async function findAlert(context: Context, client: AlertsClient, wanted: string): Promise<PriceAlert> {
  const alerts = await client.listPriceAlerts();
  const word = wanted.toLowerCase();
  const exact = alerts.filter(({ id }) => id === word);
  const loose = alerts.filter(
    ({ id, symbol }) => (word.length >= 4 && (id.startsWith(word) || id.endsWith(word))) || symbol?.toLowerCase() === word,
  );
  const [found, ...others] = exact.length > 0 ? exact : loose;
  if (found && others.length === 0) return found;
  if (!found) throw new LocalFailure('noSuchAlert', { wanted }, { exit: EXIT.notFound });
  const say = alertPrinter(await context.texts());
  const names = loose.map((alert) => `${alert.id} (${say(alert)})`).join(', ');
  throw new LocalFailure('ambiguous', { wanted, names }, { exit: EXIT.usage });
}
