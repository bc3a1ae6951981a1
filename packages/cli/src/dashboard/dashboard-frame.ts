import type { ShownProblem } from '@pilotfish/core/http/problem';
import { formatSpan } from '@pilotfish/core/time/duration';
import stringWidth from 'string-width';
import type { Translate } from '../app/texts.ts';
import type { Colours } from '../ui/colour.ts';
import { columnsOf } from '../ui/text-columns.ts';
import { wrapped } from '../ui/wrap.ts';
import type { DashboardState } from './dashboard-data.ts';
import { type Action, type DashboardActor, TABS, type Tab } from './dashboard-machine.ts';

/** Without news for so long the figures are called old. The server sends every second while anything moves. */
const OLD_MS = 10_000;

const between = (left: string, right: string, columns: number): string =>
  `${left}${' '.repeat(Math.max(1, columns - stringWidth(left) - stringWidth(right)))}${right}`;

type Top = {
  tab: Tab;
  state: DashboardState;
  t: Translate;
  paint: Colours;
  unicode: boolean;
  columns: number;
  now: number;
  language: string;
};

/** The tabs with their numbers, and how old what is shown is. */
export function frameTop({ tab, state, t, paint, unicode, columns, now, language }: Top): string {
  const tabs = TABS.map((each, index) => {
    const text = `${index + 1} ${t(`cli.dashboard.tabs.${each}`)}`;
    return each === tab ? paint.marked(` ${text} `) : ` ${text} `;
  }).join('');
  const age = Math.max(0, now - state.heardAt);
  const dot = unicode ? '●' : '*';
  const isOld = state.stale || age > OLD_MS;
  const said =
    state.status === 'offline'
      ? paint.red(`${dot} ${t('stream.offline')}`)
      : state.status === 'connecting'
        ? paint.yellow(`${dot} ${t('stream.connecting')}`)
        : isOld
          ? paint.yellow(`${dot} ${t('cli.dashboard.old', { time: formatSpan(age, language) })}`)
          : paint.green(`${dot} ${t('stream.live')}`);
  return between(tabs, said, columns);
}

type Status = {
  state: DashboardState;
  t: Translate;
  paint: Colours;
  columns: number;
  count: number;
  of: number;
  filter: string;
  problem: string | undefined;
};

/** Whose account it is, at which exchange, what is unread, and how much of the list is shown. */
export function statusLine({ state, t, paint, columns, count, of, filter, problem }: Status): string {
  const exchange = state.simulated ? paint.simulated(` ${t('exchange.simulated.short').toLocaleUpperCase()} `) : paint.dim(state.exchange);
  const unread = state.unread > 0 ? `  ${paint.yellow(t('cli.dashboard.unread', { count: state.unread }))}` : '';
  const found = filter.trim() === '' ? String(of) : t('cli.dashboard.found', { count, of, filter: filter.trim() });
  const right = problem ? paint.red(problem) : paint.dim(found);
  return between(`${paint.dim(state.username)}  ${exchange}${unread}`, right, columns);
}

type Bottom = {
  snapshot: ReturnType<DashboardActor['getSnapshot']>;
  screen: 'list' | 'detail' | 'why' | 'help';
  /** Keys that do nothing to the row under the cursor: shown in brackets; pressed, they say why. */
  refusedKeys: readonly string[];
  t: Translate;
  paint: Colours;
  unicode: boolean;
  problemText: (problem: ShownProblem) => string;
  room: number;
};

/** Hints of keys in so many columns: whole ones only, and the last two, help and the way out, stay longest. */
export function hintsIn(hints: string, room: number): string {
  const kept = hints.split(/ {2,}/);
  while (kept.length > 2 && kept.join('  ').length > room) kept.splice(-3, 1);
  return kept.join('  ');
}

/** What follows, what is asked, and the keys that answer, in as many lines as it needs. */
function questionLines(action: Action, isSale: boolean, { t, paint, room }: Pick<Bottom, 't' | 'paint' | 'room'>): string[] {
  const asked = 'asks' in action ? action.asks?.join(' ') : undefined;
  const usual = 'name' in action ? t(`cli.dashboard.confirm.${action.kind}`, { name: action.name }) : '';
  const question = isSale && 'sale' in action ? t('cli.bots.sellNow', { what: action.sale ?? '' }) : (asked ?? usual);
  const keys = t(isSale ? 'cli.dashboard.sellNo' : 'cli.dashboard.yesNo');
  const lines = wrapped(question, room, columnsOf);
  const last = `${lines.at(-1) ?? ''} ${keys}`;
  return (columnsOf(last) <= room ? [...lines.slice(0, -1), last] : [...lines, keys]).map((line) => paint.yellow(line));
}

/** What is being typed or asked, what came of it, or which keys there are: one line, but for a question. */
export function bottomLines(bottom: Bottom): string[] {
  const { snapshot } = bottom;
  const { action } = snapshot.context;
  const isSale = snapshot.matches('selling');
  return action && (isSale || snapshot.matches('confirming')) ? questionLines(action, isSale, bottom) : [bottomLine(bottom)];
}

function bottomLine({ snapshot, screen, refusedKeys, t, paint, unicode, problemText, room }: Bottom): string {
  const { context } = snapshot;
  const { notice } = context;
  const said =
    notice === undefined
      ? ''
      : notice.tone === 'problem'
        ? paint.red(problemText(notice.problem))
        : notice.tone === 'refused'
          ? paint.yellow(t(notice.key, notice.values))
          : paint.green(t(notice.key, notice.values));
  const cursor = unicode ? '█' : '_';
  const typed = (mark: string, hint: string) => `${paint.cyan(mark)}${context.text}${cursor}  ${said || paint.dim(hint)}`;
  if (snapshot.matches('filtering')) return typed('/', t('cli.dashboard.filterHint'));
  if (snapshot.matches('commanding')) return typed(':', t('cli.dashboard.commandHint'));
  if (snapshot.matches('alerting')) return typed(`${t('cli.dashboard.newAlert')} `, t('cli.dashboard.alertHint'));
  if (snapshot.matches('working')) return paint.dim(t('cli.dashboard.working'));
  if (said !== '') return said;
  const hints = hintsIn(t(screen === 'list' ? `cli.dashboard.keys.${context.tab}` : 'cli.dashboard.keys.detail'), room);
  return paint.dim(hints.replace(/(?<= {2})(\S) \S+/g, (hint, key: string) => (refusedKeys.includes(key) ? `(${hint})` : hint)));
}

/** Every key, by what it does. */
export function helpLines(t: Translate, paint: Colours): string[] {
  const keys = [
    ['1-5 tab h l', 'tabs'],
    ['↑ ↓ j k', 'rows'],
    ['PgUp PgDn g G', 'pages'],
    ['enter', 'open'],
    ['esc', 'back'],
    ['/', 'filter'],
    ['s S', 'sort'],
    ['a', 'alert'],
    ['e d', 'bots'],
    ['w', 'why'],
    ['z x', 'alerts'],
    ['r', 'read'],
    [':', 'command'],
    ['q', 'quit'],
  ] as const;
  return [
    paint.bold(t('cli.dashboard.helpTitle')),
    '',
    ...keys.map(([key, name]) => `${paint.cyan(key.padEnd(14))} ${t(`cli.dashboard.help.${name}`)}`),
  ];
}
