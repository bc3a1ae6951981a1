import { formatPercent } from '@pilotfish/core/money/format';
import { localTime } from '@pilotfish/core/notifications/notification-facts';
import { parseAlert } from '@pilotfish/core/price-alerts/alert-grammar';
import { alertText } from '@pilotfish/core/price-alerts/alert-text';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { isOffered } from '@pilotfish/core/prices/currency';
import { type Command, type CommandContext, CommandRefusal } from './telegram-command.ts';
import { bold, lines, markup } from './telegram-markup.ts';

const SHOWN = 30;
const DEFAULT_SNOOZE_MINUTES = 60;
const MOST_SNOOZE_MINUTES = 527_040;
const DEFAULT_MUTE_HOURS = 8;
const MOST_MUTE_HOURS = 24 * 30;

const sentence = ({ text }: CommandContext, alert: Pick<PriceAlert, 'symbol' | 'condition'>): string =>
  alertText(alert, (key, values) => text(key, values));

const alerts: Command = {
  name: 'alerts',
  run: async (context) => {
    const all = await context.call('listPriceAlerts', {});
    if (all.length === 0) return { text: lines(context.say('noAlerts')) };
    return {
      text: lines(
        bold(context.say('alerts')),
        ...all.slice(0, SHOWN).map((alert, index) => {
          const away = alert.distancePct === null ? '' : ` · ${context.say('away', { distance: formatPercent(alert.distancePct) })}`;
          return markup`${index + 1}. ${sentence(context, alert)} · ${context.text(`alerts.state.${alert.state}`)}${away}`;
        }),
        all.length > SHOWN ? context.say('more', { count: all.length - SHOWN }) : undefined,
      ),
    };
  },
};

const alert: Command = {
  name: 'alert',
  takes: 'BTCUSDT > 70000',
  run: async (context, _, line) => {
    const { call, language, now, timeZone } = context;
    if (line === '') throw new CommandRefusal('usageAlert');
    const symbols = (await call('listPairs', {})).filter(isOffered).map(({ symbol }) => symbol);
    const parsed = parseAlert(line, { symbols, quote: 'USDT', language, now, timeZone });
    if (!parsed.ok) {
      const { key, text, suggestions } = parsed.error;
      return {
        text: lines(
          context.text(key, { text, suggestions: suggestions.join(', ') }),
          suggestions.length > 0 ? context.say('perhaps', { suggestions: suggestions.join(', ') }) : undefined,
        ),
      };
    }
    // Whoever sets an alert here wants to be told here.
    const { input } = parsed;
    const body = { ...input, channels: input.channels ?? (['app', 'telegram'] as const).slice() };
    const created = await call('createPriceAlert', { body });
    return { text: lines(context.say('alertSet', { alert: sentence(context, created) })) };
  },
};

const snooze: Command = {
  name: 'snooze',
  takes: '[n] [min]',
  run: async (context, [which = '', minutesText]) => {
    const { call, say, now } = context;
    const all = await call('listPriceAlerts', {});
    const fired = all
      .filter(({ lastFiredAt, allowed }) => lastFiredAt !== null && allowed.includes('snooze'))
      .sort((a, b) => (b.lastFiredAt ?? '').localeCompare(a.lastFiredAt ?? ''));
    const wanted = which === '' ? fired[0] : all[Number(which) - 1];
    if (wanted === undefined) throw new CommandRefusal(which === '' ? 'nothingFired' : 'usageSnooze');
    const minutes = minutesText === undefined ? DEFAULT_SNOOZE_MINUTES : Number(minutesText);
    if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_SNOOZE_MINUTES) throw new CommandRefusal('usageSnooze');
    const snoozed = await call('snoozePriceAlert', { params: { id: wanted.id }, body: { minutes } });
    return { text: lines(say('snoozed', { alert: sentence(context, snoozed), until: localTime(now + minutes * 60_000, context) })) };
  },
};

const mute: Command = {
  name: 'mute',
  takes: '[h|off]',
  run: async (context, [word = String(DEFAULT_MUTE_HOURS)]) => {
    if (['off', '0', 'kapat'].includes(word.toLowerCase())) {
      await context.mute(null);
      return { text: lines(context.say('unmuted')) };
    }
    const hours = Number(word.replace(/[hs]$/i, ''));
    if (!(hours > 0 && hours <= MOST_MUTE_HOURS)) throw new CommandRefusal('usageMute', { most: MOST_MUTE_HOURS });
    const until = context.now + Math.round(hours * 3_600_000);
    await context.mute(until);
    return { text: lines(context.say('muted', { until: localTime(until, context) })) };
  },
};

export const alertCommands: readonly Command[] = [alerts, alert, snooze, mute];
