import { codeOf, type ShownProblem, shownProblem } from '@pilotfish/core/http/problem';
import { type ActorRefFrom, assign, createActor, fromPromise, setup } from 'xstate';

export const TABS = ['prices', 'positions', 'bots', 'alerts', 'activity'] as const;
export type Tab = (typeof TABS)[number];

/** Letting a bot trade, or stopping its entries. */
export type Switch = {
  readonly kind: 'enable' | 'disable' | 'unfreeze';
  readonly id: string;
  readonly name: string;
  readonly dangerous: boolean;
  /** Of the settings that were shown: others are not enabled. */
  readonly version?: number;
  /** What follows and what is asked, as sentences; the usual question where it is left out. */
  readonly asks?: readonly string[];
  /** What would be sold at once, as the server says: from then on the action is consent to that. */
  readonly sale?: string;
};

/** What a person does to one thing. `dangerous` ones are asked about first. */
export type Action =
  | Switch
  | { readonly kind: 'snooze'; readonly id: string; readonly name: string; readonly dangerous: false }
  | { readonly kind: 'removeAlert'; readonly id: string; readonly name: string; readonly dangerous: true }
  | { readonly kind: 'read'; readonly id: string; readonly name: string; readonly dangerous: false }
  | { readonly kind: 'createAlert'; readonly text: string; readonly dangerous: false };

/** A sentence at the bottom: a text key with its values, or what a call was refused with. */
export type DashboardNotice =
  | { readonly tone: 'done' | 'refused'; readonly key: string; readonly values: Readonly<Record<string, string | number>> }
  | { readonly tone: 'problem'; readonly problem: ShownProblem };

/** Thrown by `perform` for what this side refuses; told as it is. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly notice: DashboardNotice;
  constructor(key: string, values: Readonly<Record<string, string | number>>) {
    super(key);
    this.notice = { tone: 'refused', key, values };
  }
}

export type Sort = { readonly column: number; readonly turned: boolean };

type PerTab<Value> = Readonly<Record<Tab, Value>>;
const perTab = <Value>(value: Value): PerTab<Value> => Object.fromEntries(TABS.map((tab) => [tab, value])) as unknown as PerTab<Value>;

export type DashboardContext = {
  readonly tab: Tab;
  /** The key of the row the cursor stands on. */
  readonly selected: PerTab<string | undefined>;
  readonly filters: PerTab<string>;
  readonly sorts: PerTab<Sort>;
  /** What is being typed. */
  readonly text: string;
  /** First line shown of a detail that is longer than the screen. */
  readonly scroll: number;
  readonly action: Action | undefined;
  readonly notice: DashboardNotice | undefined;
  readonly exit: number;
};

export type DashboardEvent =
  | { type: 'tab.chosen'; tab: Tab }
  | { type: 'row.selected'; key: string }
  | { type: 'detail.opened' }
  | { type: 'why.asked' }
  | { type: 'help.asked' }
  | { type: 'scrolled'; to: number }
  | { type: 'sort.next'; columns: number }
  | { type: 'sort.turned' }
  | { type: 'filter.begun' }
  | { type: 'command.begun' }
  /** With what is typed already, e.g. the pair under the cursor. */
  | { type: 'alert.begun'; text: string }
  | { type: 'text.changed'; text: string }
  | { type: 'text.confirmed' }
  | { type: 'command.unknown'; word: string }
  | { type: 'action.asked'; action: Action }
  /** What its machine does not take: it is said, and nothing is done. */
  | { type: 'action.refused'; notice: DashboardNotice }
  | { type: 'action.confirmed' }
  | { type: 'back' }
  | { type: 'quit'; exit: number };

const switchOf = (action: Action | undefined): Switch | undefined =>
  action?.kind === 'enable' || action?.kind === 'disable' || action?.kind === 'unfreeze' ? action : undefined;

const notProvided = async (): Promise<never> => {
  throw new Error('provide() perform');
};

/**
 * The keyboard of the dashboard: which tab, which row, what is being typed, what is being asked. What is shown lives
 * beside it in a store; what is done goes out through `perform`.
 */
export const dashboardMachine = setup({
  types: { context: {} as DashboardContext, events: {} as DashboardEvent, input: {} as { tab?: Tab } },
  actors: { perform: fromPromise<DashboardNotice, Action>(notProvided) },
  guards: {
    hasRow: ({ context }) => context.selected[context.tab] !== undefined,
    hasBot: ({ context }) => context.tab === 'bots' && context.selected.bots !== undefined,
    isDangerous: ({ event }) => event.type === 'action.asked' && event.action.dangerous,
    hasText: ({ context }) => context.text.trim() !== '',
    isNewAlert: ({ context }) => context.action?.kind === 'createAlert',
    wouldSell: ({ context, event }) =>
      'error' in event && codeOf(event.error) === 'would-sell-now' && switchOf(context.action)?.sale === undefined,
  },
  actions: {
    chooseTab: assign(({ event }) => (event.type === 'tab.chosen' ? { tab: event.tab, scroll: 0, notice: undefined } : {})),
    select: assign(({ context, event }) =>
      event.type === 'row.selected' ? { selected: { ...context.selected, [context.tab]: event.key }, scroll: 0, notice: undefined } : {},
    ),
    scrollTo: assign(({ event }) => (event.type === 'scrolled' ? { scroll: Math.max(0, event.to) } : {})),
    nextSort: assign(({ context, event }) => {
      if (event.type !== 'sort.next' || event.columns < 1) return {};
      const column = (context.sorts[context.tab].column + 1) % event.columns;
      return { sorts: { ...context.sorts, [context.tab]: { column, turned: false } } };
    }),
    turnSort: assign(({ context }) => {
      const sort = context.sorts[context.tab];
      return { sorts: { ...context.sorts, [context.tab]: { ...sort, turned: !sort.turned } } };
    }),
    toTop: assign({ scroll: 0 }),
    forgetText: assign({ text: '' }),
    beginFilter: assign(({ context }) => ({ text: context.filters[context.tab], notice: undefined })),
    beginText: assign(({ event }) => ({ text: event.type === 'alert.begun' ? event.text : '', notice: undefined })),
    setText: assign(({ event }) => (event.type === 'text.changed' ? { text: event.text } : {})),
    filterBy: assign(({ context, event }) =>
      event.type === 'text.changed' ? { text: event.text, filters: { ...context.filters, [context.tab]: event.text } } : {},
    ),
    clearFilter: assign(({ context }) => ({ filters: { ...context.filters, [context.tab]: '' } })),
    sayRefused: assign(({ event }) => (event.type === 'action.refused' ? { notice: event.notice } : {})),
    sayUnknown: assign(({ event }) =>
      event.type === 'command.unknown'
        ? { notice: { tone: 'refused', key: 'cli.dashboard.unknownCommand', values: { word: event.word } } as const }
        : {},
    ),
    keepAction: assign(({ event }) => (event.type === 'action.asked' ? { action: event.action, notice: undefined } : {})),
    keepAlert: assign(({ context }) => ({ action: { kind: 'createAlert', text: context.text.trim(), dangerous: false } as const })),
    keepSale: assign(({ context, event }) => {
      const asked = switchOf(context.action);
      return asked && 'error' in event ? { action: { ...asked, dangerous: true, sale: shownProblem(event.error).detail ?? '' } } : {};
    }),
    forgetAction: assign({ action: undefined }),
    showNotice: assign(({ event }) => ('output' in event ? { notice: event.output as DashboardNotice } : {})),
    showProblem: assign(({ event }) => {
      const error = 'error' in event ? event.error : undefined;
      return { notice: error instanceof Refused ? error.notice : ({ tone: 'problem', problem: shownProblem(error) } as const) };
    }),
    keepExit: assign(({ event }) => (event.type === 'quit' ? { exit: event.exit } : {})),
  },
}).createMachine({
  id: 'dashboard',
  context: ({ input }) => ({
    tab: input.tab ?? 'prices',
    selected: perTab(undefined),
    filters: perTab(''),
    sorts: perTab({ column: 0, turned: false }),
    text: '',
    scroll: 0,
    action: undefined,
    notice: undefined,
    exit: 0,
  }),
  initial: 'looking',
  // From everywhere: whoever is signed out elsewhere, and Ctrl-C.
  on: { quit: { target: '.left', actions: 'keepExit' } },
  states: {
    looking: {
      initial: 'list',
      entry: 'forgetText',
      on: {
        'tab.chosen': { target: '.list', actions: 'chooseTab' },
        'row.selected': { actions: 'select' },
        'filter.begun': { target: 'filtering', actions: 'beginFilter' },
        'command.begun': { target: 'commanding', actions: 'beginText' },
        'alert.begun': { target: 'alerting', actions: 'beginText' },
        'help.asked': '.help',
        'why.asked': { guard: 'hasBot', target: '.why', actions: 'toTop' },
        'action.asked': [
          { guard: 'isDangerous', target: 'confirming', actions: 'keepAction' },
          { target: 'working', actions: 'keepAction' },
        ],
        'action.refused': { actions: 'sayRefused' },
        'sort.next': { actions: 'nextSort' },
        'sort.turned': { actions: 'turnSort' },
      },
      states: {
        list: {
          on: {
            'detail.opened': { guard: 'hasRow', target: 'detail', actions: 'toTop' },
            // Escape takes the filter away once nothing else is open.
            back: { actions: 'clearFilter' },
          },
        },
        detail: { on: { back: 'list', scrolled: { actions: 'scrollTo' } } },
        why: { on: { back: 'list', scrolled: { actions: 'scrollTo' } } },
        help: { on: { back: 'list', 'help.asked': 'list' } },
        before: { type: 'history' },
      },
    },
    filtering: {
      on: {
        'text.changed': { actions: 'filterBy' },
        'text.confirmed': 'looking.list',
        back: { target: 'looking.list', actions: 'clearFilter' },
      },
    },
    commanding: {
      on: {
        'text.changed': { actions: 'setText' },
        'command.unknown': { target: 'looking.before', actions: 'sayUnknown' },
        'tab.chosen': { target: 'looking.list', actions: 'chooseTab' },
        'help.asked': 'looking.help',
        'alert.begun': { target: 'alerting', actions: 'beginText' },
        'action.asked': [
          { guard: 'isDangerous', target: 'confirming', actions: 'keepAction' },
          { target: 'working', actions: 'keepAction' },
        ],
        'action.refused': { target: 'looking.before', actions: 'sayRefused' },
        back: 'looking.before',
      },
    },
    alerting: {
      on: {
        'text.changed': { actions: 'setText' },
        'text.confirmed': { guard: 'hasText', target: 'working', actions: 'keepAlert' },
        back: 'looking.before',
      },
    },
    confirming: {
      on: {
        'action.confirmed': 'working',
        back: { target: 'looking.before', actions: 'forgetAction' },
      },
    },
    // By a key of its own: the yes of the question before, pressed once more in haste, sells nothing.
    selling: {
      on: {
        'action.confirmed': 'working',
        back: { target: 'looking.before', actions: 'forgetAction' },
      },
    },
    working: {
      invoke: {
        src: 'perform',
        input: ({ context }) => context.action as Action,
        onDone: { target: 'looking.before', actions: ['showNotice', 'forgetAction'] },
        onError: [
          // What was typed is kept, so that it can be mended.
          { guard: 'isNewAlert', target: 'alerting', actions: ['showProblem', 'forgetAction'] },
          { guard: 'wouldSell', target: 'selling', actions: 'keepSale' },
          { target: 'looking.before', actions: ['showProblem', 'forgetAction'] },
        ],
      },
    },
    left: { type: 'final', entry: 'forgetAction' },
  },
});

export type DashboardActor = ActorRefFrom<typeof dashboardMachine>;

/** A running dashboard, begun on that tab; `perform` does what was asked and answers what to say. */
export function startDashboard(tab: Tab, perform: (action: Action) => Promise<DashboardNotice>): DashboardActor {
  const machine = dashboardMachine.provide({ actors: { perform: fromPromise(({ input }) => perform(input)) } });
  return createActor(machine, { input: { tab } }).start();
}
