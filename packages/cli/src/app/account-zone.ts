import { getPreferences, setPreferences } from '@pilotfish/core/account/account-contract';
import { isTimeZone, zoneToOffer } from '@pilotfish/core/time/calendar-day';
import { showTimesIn } from '../ui/times.ts';
import type { Context } from './context.ts';

/** The zone of this machine; TZ decides it, as for every other program. */
export const machineZone = ({ TZ = '' }: Context['env']): string =>
  TZ !== '' && isTimeZone(TZ) ? TZ : new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The zone whose times and days the commands show: of the account, UTC where it chose none, of the machine where nobody is signed in. */
export async function accountZone(context: Context): Promise<string> {
  const { source } = await context.session();
  if (source === 'none') return machineZone(context.env);
  const client = await context.client({ getPreferences }, { exact: true });
  // A server that does not answer this either will say so to the command itself.
  const preferences = await client.getPreferences(undefined, { quiet: true }).catch(() => undefined);
  const zone = preferences === undefined ? machineZone(context.env) : (preferences.timeZone ?? 'UTC');
  showTimesIn(zone);
  return zone;
}

/** Gives an account that chose no time zone the one of this machine, and says so. Signing in must not fail by it. */
export async function giveZone(context: Context): Promise<void> {
  const timeZone = zoneToOffer(machineZone(context.env));
  if (timeZone === undefined) return;
  const client = await context.client({ getPreferences, setPreferences }, { exact: true });
  try {
    if ((await client.getPreferences(undefined, { quiet: true })).timeZone !== null) return;
    await client.setPreferences({ body: { timeZone } }, { quiet: true });
  } catch {
    return;
  }
  await context.say('cli.account.zoneTaken', { zone: timeZone });
}
