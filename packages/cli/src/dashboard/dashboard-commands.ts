import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { exposureOf } from '@pilotfish/core/auto-trades/exposure';
import { moneyOf } from '@pilotfish/core/auto-trades/real-money';
import { spendWords } from '@pilotfish/core/auto-trades/spend-outlook';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { EXIT } from '../app/exit-codes.ts';
import type { Translate } from '../app/texts.ts';
import { refusalOf } from '../price-alerts/alert-refusal.ts';
import type { RowKey } from './dashboard-keys.ts';
import type { Action, DashboardEvent, DashboardNotice, Tab } from './dashboard-machine.ts';
import { TABS } from './dashboard-machine.ts';
import type { RowOf } from './dashboard-rows.ts';

/** Words after `:`, besides the names of the tabs. */
export const COMMANDS = ['alert', 'enable', 'disable', 'help', 'quit'] as const;

/** What a key would do to a row; or why it does not, as the machine of the row says. */
export type Offer = { readonly action: Action } | { readonly refused: DashboardNotice };

const refused = (key: string, values: Readonly<Record<string, string>>): Offer => ({
  refused: { tone: 'refused', key: `cli.dashboard.refused.${key}`, values },
});

export function enabling(bot: AutoTrade, t: Translate): Offer {
  const { id, name, state, allowed, withheld, configVersion: version } = bot;
  if (allowed.includes('enable') || allowed.includes('resume')) {
    const money = moneyOf(bot);
    if (money === 'paper') return { action: { kind: 'enable', id, name, version, dangerous: false } };
    const exposure = exposureOf(bot.config);
    const question = {
      key: money === 'test' ? 'cli.bots.enableTest' : 'cli.bots.enableLive',
      values: { name, wallet: bot.walletName, spend: spendWords((given, values) => t(given, values), bot) },
    };
    const exposed = exposure ? [t(`autoTrades.exposed.${exposure}`)] : [];
    const asks = [...exposed, t(question.key, question.values)];
    return { action: { kind: 'enable', id, name, version, dangerous: true, asks } };
  }
  // What the keys withhold of a bot is letting it trade.
  if (withheld.length > 0) return { refused: { tone: 'problem', problem: { code: 'trading-disabled' } } };
  return allowed.includes('acknowledge') ? refused('acknowledge', { name }) : refused('state', { name, state: t(`botStates.${state}`) });
}

/** Stops entries. Of a frozen bot, which enters nothing anyway, it lets the exits go again. */
export function disabling({ id, name, state, allowed, mustAcknowledge, openPositions }: AutoTrade, t: Translate): Offer {
  const title = (kind: 'disable' | 'unfreeze') => t(`autoTrades.ask.${kind}.title`, { name });
  if (allowed.includes('disable')) {
    // A halt stays in force: to promise the exits of a disabled bot would be wrong.
    const asks = mustAcknowledge ? { asks: [t('autoTrades.stillHalted'), title('disable')] } : {};
    return { action: { kind: 'disable', id, name, dangerous: true, ...asks } };
  }
  if (!allowed.includes('unfreeze')) return refused('state', { name, state: t(`botStates.${state}`) });
  const what = t('autoTrades.ask.unfreeze.what', { count: openPositions });
  return { action: { kind: 'unfreeze', id, name, dangerous: true, asks: [what, title('unfreeze')] } };
}

const alertName = ({ id, symbol }: PriceAlert): string => symbol ?? id.slice(0, 8);
const snoozing = (alert: PriceAlert, t: Translate): Offer => {
  const name = alertName(alert);
  const refusal = refusalOf(alert, 'snooze');
  return refusal === undefined
    ? { action: { kind: 'snooze', id: alert.id, name, dangerous: false } }
    : { refused: { tone: 'refused', key: refusal, values: { alert: name, state: t(`alerts.state.${alert.state}`) } } };
};

/** What a key does to the row under the cursor; undefined where it means nothing there. */
export function offerOf(does: RowKey, row: RowOf[Tab] | undefined, t: Translate): Offer | undefined {
  if (!row) return undefined;
  switch (does) {
    case 'enable':
      return enabling(row as RowOf['bots'], t);
    case 'disable':
      return disabling(row as RowOf['bots'], t);
    case 'snooze':
      return snoozing(row as RowOf['alerts'], t);
    case 'remove': {
      const alert = row as RowOf['alerts'];
      return { action: { kind: 'removeAlert', id: alert.id, name: alertName(alert), dangerous: true } };
    }
    case 'read': {
      const { notificationId, title, unread } = row as RowOf['activity'];
      return notificationId && unread ? { action: { kind: 'read', id: notificationId, name: title, dangerous: false } } : undefined;
    }
  }
}

export const offerEvent = (offer: Offer): DashboardEvent =>
  'action' in offer ? { type: 'action.asked', action: offer.action } : { type: 'action.refused', notice: offer.refused };

/** The only word that begins so, as k9s reads `:po`. */
const completed = (word: string): string | undefined => {
  const words = [...TABS, ...COMMANDS, 'q'];
  if (words.includes(word as never)) return word;
  const found = words.filter((each) => each.startsWith(word));
  return found.length === 1 ? found[0] : undefined;
};

/** What a typed command means: `bots`, `alert BTC > 70k`, `enable Dip`, `q`. */
export function commandEvent(typed: string, bots: readonly AutoTrade[], t: Translate): DashboardEvent {
  const [first = '', ...rest] = typed.trim().split(/\s+/);
  const word = completed(first.toLowerCase());
  const about = rest.join(' ');
  const bot = bots.find(({ name }) => name.toLocaleLowerCase() === about.toLocaleLowerCase());
  if (first === '') return { type: 'back' };
  if (TABS.includes(word as Tab)) return { type: 'tab.chosen', tab: word as Tab };
  if (word === 'q' || word === 'quit') return { type: 'quit', exit: EXIT.done };
  if (word === 'help') return { type: 'help.asked' };
  if (word === 'alert')
    return about === ''
      ? { type: 'alert.begun', text: '' }
      : { type: 'action.asked', action: { kind: 'createAlert', text: about, dangerous: false } };
  if (word === 'enable' && bot) return offerEvent(enabling(bot, t));
  if (word === 'disable' && bot) return offerEvent(disabling(bot, t));
  return { type: 'command.unknown', word: typed.trim() };
}
