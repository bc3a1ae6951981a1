import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { EXIT } from '../app/exit-codes.ts';
import type { Action, DashboardEvent, Tab } from './dashboard-machine.ts';
import { TABS } from './dashboard-machine.ts';

/** Words after `:`, besides the names of the tabs. */
export const COMMANDS = ['alert', 'enable', 'disable', 'help', 'quit'] as const;

export const enabling = ({ id, name, mode, exchange }: AutoTrade): Action => ({
  kind: 'enable',
  id,
  name,
  // Paper money needs no second thought; the account's does.
  dangerous: mode === 'live' && exchange !== 'simulated',
});
export const disabling = ({ id, name }: AutoTrade): Action => ({ kind: 'disable', id, name, dangerous: true });

/** The only word that begins so, as k9s reads `:po`. */
const completed = (word: string): string | undefined => {
  const words = [...TABS, ...COMMANDS, 'q'];
  if (words.includes(word as never)) return word;
  const found = words.filter((each) => each.startsWith(word));
  return found.length === 1 ? found[0] : undefined;
};

/** What a typed command means: `bots`, `alert BTC > 70k`, `enable Dip`, `q`. */
export function commandEvent(typed: string, bots: readonly AutoTrade[]): DashboardEvent {
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
  if (word === 'enable' && bot) return { type: 'action.asked', action: enabling(bot) };
  if (word === 'disable' && bot) return { type: 'action.asked', action: disabling(bot) };
  return { type: 'command.unknown', word: typed.trim() };
}
