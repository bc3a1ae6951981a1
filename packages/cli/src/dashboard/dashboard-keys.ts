import { EXIT, SIGNAL_EXIT } from '../app/exit-codes.ts';
import { type DashboardEvent, TABS, type Tab } from './dashboard-machine.ts';

/** A pressed key as Ink tells it; only what is used here. */
export type Key = Readonly<
  Partial<
    Record<
      | 'upArrow'
      | 'downArrow'
      | 'leftArrow'
      | 'rightArrow'
      | 'pageUp'
      | 'pageDown'
      | 'home'
      | 'end'
      | 'return'
      | 'escape'
      | 'tab'
      | 'shift'
      | 'ctrl'
      | 'backspace'
      | 'delete',
      boolean
    >
  >
>;

/** What a key means: an event of the machine, a move of the cursor or of the text, or something done to the row. */
export type Intent =
  | { readonly kind: 'event'; readonly event: DashboardEvent }
  | { readonly kind: 'move'; readonly by: number | 'page' | '-page' | 'first' | 'last' }
  | { readonly kind: 'type'; readonly text: string }
  | { readonly kind: 'row'; readonly does: 'alert' | RowKey }
  | { readonly kind: 'sort' };

export type RowKey = 'enable' | 'disable' | 'snooze' | 'remove' | 'read';
/** Letters that do something to the row under the cursor. */
export const ROW_KEYS: Partial<Record<Tab, Readonly<Record<string, RowKey>>>> = {
  bots: { e: 'enable', d: 'disable' },
  alerts: { z: 'snooze', x: 'remove' },
  activity: { r: 'read' },
};

export type Mode = 'looking' | 'typing' | 'confirming' | 'selling' | 'working';

/** Ctrl-U as the terminal sends it. */
const CLEAR_LINE = '\u0015';

const event = (given: DashboardEvent): Intent => ({ kind: 'event', event: given });
const neighbour = (tab: Tab, by: number): Tab => TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length]!;

/** The keys of k9s and lazygit: arrows or hjkl, `/` filters, `:` commands, Escape goes back. */
export function intentOf(mode: Mode, tab: Tab, text: string, input: string, key: Key): Intent | undefined {
  if (key.ctrl && input === 'c') return event({ type: 'quit', exit: SIGNAL_EXIT.SIGINT });
  if (key.escape) return event({ type: 'back' });
  if (mode === 'working') return undefined;
  if (mode === 'confirming' || mode === 'selling') {
    // Not `e` for evet: it is the key that asks, and two presses of it in haste are no yes.
    if (input === (mode === 'selling' ? 's' : 'y')) return event({ type: 'action.confirmed' });
    return input === 'n' || input === 'h' ? event({ type: 'back' }) : undefined;
  }
  if (mode === 'typing') {
    if (key.return) return event({ type: 'text.confirmed' });
    if (key.backspace || key.delete) return { kind: 'type', text: Array.from(text).slice(0, -1).join('') };
    if (key.ctrl && input === 'u') return { kind: 'type', text: '' };
    // Typed fast, the control key and what follows it come as one.
    const cleared = input.lastIndexOf(CLEAR_LINE);
    const printable = Array.from(input.slice(cleared + 1))
      .filter((letter) => letter >= ' ' && letter !== '\u007f')
      .join('');
    if (cleared >= 0) return { kind: 'type', text: printable };
    return printable === '' || key.ctrl || key.tab ? undefined : { kind: 'type', text: text + printable };
  }
  if (key.upArrow) return { kind: 'move', by: -1 };
  if (key.downArrow) return { kind: 'move', by: 1 };
  if (key.pageUp || (key.ctrl && input === 'b')) return { kind: 'move', by: '-page' };
  if (key.pageDown || (key.ctrl && input === 'f')) return { kind: 'move', by: 'page' };
  if (key.home) return { kind: 'move', by: 'first' };
  if (key.end) return { kind: 'move', by: 'last' };
  if (key.leftArrow || (key.tab && key.shift)) return event({ type: 'tab.chosen', tab: neighbour(tab, -1) });
  if (key.rightArrow || key.tab) return event({ type: 'tab.chosen', tab: neighbour(tab, 1) });
  if (key.return) return event({ type: 'detail.opened' });
  return key.ctrl ? undefined : letterOf(tab, input);
}

function letterOf(tab: Tab, letter: string): Intent | undefined {
  const chosen = TABS[Number(letter) - 1];
  if (/^[1-9]$/.test(letter) && chosen) return event({ type: 'tab.chosen', tab: chosen });
  switch (letter) {
    case 'k':
      return { kind: 'move', by: -1 };
    case 'j':
      return { kind: 'move', by: 1 };
    case 'h':
      return event({ type: 'tab.chosen', tab: neighbour(tab, -1) });
    case 'l':
      return event({ type: 'tab.chosen', tab: neighbour(tab, 1) });
    case 'g':
      return { kind: 'move', by: 'first' };
    case 'G':
      return { kind: 'move', by: 'last' };
    case '/':
      return event({ type: 'filter.begun' });
    case ':':
      return event({ type: 'command.begun' });
    case '?':
      return event({ type: 'help.asked' });
    case 's':
      return { kind: 'sort' };
    case 'S':
      return event({ type: 'sort.turned' });
    case 'w':
      return event({ type: 'why.asked' });
    case 'a':
      return { kind: 'row', does: 'alert' };
    case 'q':
      return event({ type: 'quit', exit: EXIT.done });
    default: {
      const does = ROW_KEYS[tab]?.[letter];
      return does && { kind: 'row', does };
    }
  }
}
