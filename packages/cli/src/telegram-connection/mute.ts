import { MOST_MUTE_MINUTES, muteTelegram } from '@pilotfish/core/telegram-connection/telegram-connection-contract';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { localTime } from '../ui/times.ts';

const DEFAULT_MUTE = '8h';
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, s: 60, d: 1440, g: 1440 };

/** Silences the chat: `8h`, `30m`, hours without a unit; `off` lets it speak again. */
export async function mute(context: Context, { time = DEFAULT_MUTE }: { time?: string }): Promise<void> {
  const isOff = ['off', '0', 'kapat'].includes(time.toLowerCase());
  const [, count, unit = 'h'] = /^(\d{1,5})([mhsdg]?)$/.exec(time.toLowerCase()) ?? [];
  const minutes = Number(count) * (UNITS[unit || 'h'] ?? 60);
  if (!isOff && !(minutes >= 1 && minutes <= MOST_MUTE_MINUTES))
    throw new UsageError('invalidValue', { word: 'time', allowed: '30m, 8h, 2d, off' });
  const client = await context.client({ muteTelegram });
  const { mutedUntil } = await client.muteTelegram({ body: { minutes: isOff ? null : minutes } });
  await context.say(
    mutedUntil === null ? 'cli.everyday.unmuted' : 'cli.notifications.muted',
    mutedUntil === null ? {} : { at: localTime(mutedUntil) },
  );
}
