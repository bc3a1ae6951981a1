import { AppError } from '@pilotfish/core/http/problem';
import type { Action, DashboardContext } from '../src/dashboard/dashboard-machine.ts';

export const DISABLE: Action = { kind: 'disable', id: 'dip', name: 'Dip', dangerous: true };
export const ENABLE: Action = { kind: 'enable', id: 'dip', name: 'Dip', dangerous: false };

/** Exits that were held back are due. */
export const SALE = new AppError('would-sell-now', { detail: 'BTCUSDT is sold at once.' });

/** What can happen to the dashboard; by a key, or by what a call answers. */
export const dashboardCases = {
  'tab.chosen': [{ tab: 'bots' }],
  'row.selected': [{ key: 'dip' }],
  'detail.opened': [{}],
  'why.asked': [{}],
  'help.asked': [{}],
  scrolled: [{ to: 1 }],
  'sort.next': [{ columns: 4 }],
  'sort.turned': [{}],
  'filter.begun': [{}],
  'command.begun': [{}],
  'alert.begun': [{ text: '' }],
  'text.changed': [{ text: 'd' }],
  'text.confirmed': [{}],
  'command.unknown': [{ word: 'zz' }],
  'action.asked': [{ action: DISABLE }, { action: ENABLE }],
  'action.refused': [{ notice: { tone: 'refused', key: 'cli.dashboard.refused.state', values: { name: 'Dip', state: 'Running' } } }],
  'action.confirmed': [{}],
  back: [{}],
  quit: [{ exit: 130 }],
  'xstate.done.actor.0.dashboard.working': [{ output: { tone: 'done', key: 'cli.dashboard.done.disable', values: { name: 'Dip' } } }],
  'xstate.error.actor.0.dashboard.working': [{ error: new Error('no answer') }, { error: SALE }],
};

/** The part of it that makes two states differ. */
export const dashboardIdentity = ({ tab, selected, text, action }: DashboardContext) => [
  selected[tab] === undefined ? 'no row' : 'row',
  text,
  action === undefined ? '' : 'sale' in action ? `${action.kind}, which sells` : action.kind,
];
