import type { Context } from '../app/context.ts';
import { EXIT } from '../app/exit-codes.ts';
import { LocalFailure } from '../app/failure.ts';
import { snooze as snoozeOne } from './edit-alerts.ts';
import { alertsClient } from './find-alert.ts';

/** Lets an alert rest: the one named, else the one that fired last. */
export async function snooze(context: Context, { alert, time }: { alert?: string; time?: string }): Promise<void> {
  const more = time === undefined ? {} : { time };
  if (alert !== undefined) return snoozeOne(context, { alert, ...more });
  const client = await alertsClient(context);
  const [newest] = (await client.listPriceAlerts())
    .filter(({ lastFiredAt, allowed }) => lastFiredAt !== null && allowed.includes('snooze'))
    .sort((a, b) => (b.lastFiredAt ?? '').localeCompare(a.lastFiredAt ?? ''));
  if (newest === undefined) throw new LocalFailure('nothingFired', {}, { exit: EXIT.notFound });
  await snoozeOne(context, { alert: newest.id, ...more });
}
