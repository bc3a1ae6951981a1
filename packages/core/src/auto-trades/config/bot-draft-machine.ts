import { assign, emit, fromPromise, setup } from 'xstate';
import type { Answer } from '../../http/endpoint.ts';
import { codeOf, type FieldError, isConnectivity, type ShownProblem, shownProblem } from '../../http/problem.ts';
import type { AutoTrade, AutoTradeDetail, createAutoTrade, PositionChange } from '../auto-trades-contract.ts';
import { askable, type BotDraft } from './bot-draft.ts';

/** The server is asked when nothing was changed for so long. */
const PAUSE_MS = 400;
/**
 * When the server is asked again where it could not be reached, or had no price of a coin yet: without it a draft that rests
 * would never show its errors.
 */
const AGAIN_MS = 5000;

/** The bot that is changed, the version the draft began from, and whether open positions take the settings on. */
export type BotEditing = { readonly id: string; readonly version: number; readonly applyToOpen: boolean };

export type BotDraftEvent =
  | { type: 'draft.changed'; draft: BotDraft; editing: BotEditing | undefined }
  /** Asks at once, without waiting for a pause. */
  | { type: 'check.asked' }
  /** `sellNow` is the consent to settings by which a position that is held is sold at once; `start` enables the bot once it is saved. */
  | { type: 'save.asked'; sellNow: boolean; start: boolean }
  | { type: 'sale.declined' }
  /** The draft goes on from the version that somebody else saved. */
  | { type: 'conflict.resolved' };

/** `notStarted`: it is saved, and why it could not be enabled as was asked. */
export type BotDraftEmitted = { type: 'bot.saved'; bot: AutoTrade; notStarted: ShownProblem | undefined };

export type SavedBot = Answer<typeof createAutoTrade>;
export type BotDraftInput = { readonly draft: BotDraft; readonly editing: BotEditing | undefined };
export type BotDraftSaveInput = BotDraftInput & { readonly sellNow: boolean; readonly idempotencyKey: string };

export type BotDraftContext = BotDraftInput & {
  /** Makes idempotency keys, so that a save that is sent again does not make a second bot. */
  readonly newId: () => string;
  /** The draft that is being saved, or was last; its key, as long as nothing is known of what became of it. */
  readonly sent: { readonly draft: BotDraft; readonly key: string; readonly isAnswered: boolean } | undefined;
  readonly sellNow: boolean;
  /** The bot is enabled once it is saved. */
  readonly start: boolean;
  /** The bot as it was saved, while it is enabled. */
  readonly saved: AutoTrade | undefined;
  /** What the server says against the draft. What only a person can choose is not among it: `askable` tells that. */
  readonly errors: readonly FieldError[];
  readonly ladder: AutoTradeDetail['ladder'] | null;
  /** The ladder belongs to an earlier draft: this one cannot be planned. */
  readonly isLadderOld: boolean;
  /** What open positions would change, when the settings are to apply to them. */
  readonly changes: readonly PositionChange[];
  /** The server found nothing against it. */
  readonly isAccepted: boolean;
  /** The server could not be asked, or refused for a reason that is none of a field's. */
  readonly problem: ShownProblem | undefined;
  /** The bot as somebody else saved it after the draft was begun. */
  readonly elsewhere: AutoTrade | undefined;
  /** What these settings would sell at once: saved only when that is asked for. */
  readonly sale: string | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the calls of the bot draft');
};
const inputOf = ({ draft, editing }: BotDraftContext): BotDraftInput => ({ draft, editing });
const codeIn = (event: object) => ('error' in event ? codeOf(event.error) : undefined);

/** A coin of the draft was planned without a price: none of the rules about sizes has been looked at. */
const lacksPrice = ({ draft, errors, ladder }: BotDraftContext): boolean => {
  const isWrong = (path: string) => errors.some((error) => error.path === path);
  return (
    !isWrong('walletId') &&
    draft.coins.symbols.some((symbol, index) => !isWrong(`coins.symbols.${index}`) && !ladder?.rungs.some((rung) => rung.symbol === symbol))
  );
};

const savedIn = (event: object): AutoTrade | undefined =>
  'output' in event ? ((event.output as SavedBot).autoTrade ?? undefined) : undefined;

/** What the server made of a save; a save without one was not answered, and may have happened. */
const isUnanswered = (event: object): boolean => 'error' in event && (isConnectivity(event.error) || codeIn(event) === 'internal');

const refusalIn = (event: object) => {
  const problem = 'error' in event ? shownProblem(event.error) : undefined;
  const errors = problem?.fields ?? [];
  return { errors, isLadderOld: true, changes: [], problem: errors.length > 0 ? undefined : problem };
};

const answered = [{ target: 'checked', actions: ['takeVerdict', 'noticeNewer'] }] as const;
const notAnswered = [
  { guard: 'isOffline', target: 'unreachable', actions: 'takeRefusal' },
  { target: 'checked', actions: 'takeRefusal' },
] as const;
const saving = (isJudged: boolean) =>
  ({ 'save.asked': { guard: { type: 'maySave', params: { isJudged } }, target: '#botDraft.saving' } }) as const;
const [saveUnjudged, saveJudged] = [saving(false), saving(true)];

/**
 * The settings of a bot from the first field until they are saved. The server judges them at every pause, as it does when
 * they are saved: no rule about settings stands here. A save whose answer is lost is sent again under its key, so that one
 * draft never becomes two bots. A bot that is saved stays saved, whether it could be started or not: nothing is started twice. `unsettled`: the judgement of the present draft is awaited.
 */
export const botDraftMachine = setup({
  types: {
    tags: {} as 'busy' | 'unsettled',
    context: {} as BotDraftContext,
    events: {} as BotDraftEvent,
    emitted: {} as BotDraftEmitted,
    input: {} as BotDraftInput & { newId: () => string },
  },
  actors: {
    check: fromPromise<SavedBot, BotDraftInput>(notProvided),
    save: fromPromise<SavedBot, BotDraftSaveInput>(notProvided),
    getNewest: fromPromise<AutoTrade, { id: string }>(notProvided),
    start: fromPromise<AutoTrade, { id: string; version: number }>(notProvided),
  },
  guards: {
    /** Complete, agreed with what others saved, and not known to be refused. */
    maySave: ({ context, event }, { isJudged }: { isJudged: boolean }) =>
      event.type === 'save.asked' &&
      context.elsewhere === undefined &&
      askable(context.draft).missing.length === 0 &&
      (!isJudged || context.isAccepted),
    lacksPrice: ({ context }) => lacksPrice(context),
    isOffline: ({ event }) => 'error' in event && isConnectivity(event.error),
    isConflict: ({ context, event }) => context.editing !== undefined && codeIn(event) === 'version-conflict',
    wouldSell: ({ event }) => codeIn(event) === 'would-sell-now',
    isToStart: ({ context, event }) => context.start && savedIn(event) !== undefined,
    /** It was changed while it was being saved. */
    isChanged: ({ context }) => context.draft !== context.sent?.draft,
  },
  actions: {
    takeDraft: assign(({ context, event }) =>
      event.type === 'draft.changed' ? { draft: event.draft, editing: event.editing } : { draft: context.draft },
    ),
    takeVerdict: assign(({ context, event }) => {
      if (!('output' in event)) return {};
      const { errors, ladder, changes, valid } = event.output as SavedBot;
      return { ...context, errors, ladder, changes, isLadderOld: false, isAccepted: valid && errors.length === 0, problem: undefined };
    }),
    noticeNewer: assign({
      elsewhere: ({ context, event }) => {
        const newest = 'output' in event ? (event.output as SavedBot).autoTrade : null;
        return newest && context.editing && newest.configVersion > context.editing.version ? newest : context.elsewhere;
      },
    }),
    takeRefusal: assign(({ event }) => ({ ...refusalIn(event), isAccepted: false })),
    /** A save that failed for another reason than the draft is no judgement of it: it can be asked for again. */
    takeFailure: assign(({ context, event }) => {
      const refusal = refusalIn(event);
      return refusal.errors.length > 0 ? { ...refusal, isAccepted: false } : { problem: refusal.problem, isAccepted: context.isAccepted };
    }),
    beginSave: assign(({ context, event }) => {
      const { draft, sent, newId } = context;
      const isSame = sent !== undefined && !sent.isAnswered && JSON.stringify(sent.draft) === JSON.stringify(draft);
      return {
        sent: { draft, key: isSame ? sent.key : newId(), isAnswered: false },
        sellNow: event.type === 'save.asked' && event.sellNow,
        start: event.type === 'save.asked' && event.start,
        sale: undefined,
      };
    }),
    endSave: assign({
      sent: ({ context: { sent }, event }) => sent && { ...sent, isAnswered: !isUnanswered(event) },
    }),
    takeSale: assign({ sale: ({ event }) => ('error' in event ? (shownProblem(event.error).detail ?? '') : undefined) }),
    forgetSale: assign({ sale: undefined }),
    takeElsewhere: assign({ elsewhere: ({ event }) => ('output' in event ? (event.output as AutoTrade) : undefined) }),
    forgetElsewhere: assign({ elsewhere: undefined }),
    takeSaved: assign({ saved: ({ event }) => savedIn(event) }),
    announce: emit(({ event }) => ({ type: 'bot.saved', bot: savedIn(event) as AutoTrade, notStarted: undefined })),
    announceStart: emit(({ context, event }) => ({
      type: 'bot.saved',
      bot: ('output' in event ? event.output : context.saved) as AutoTrade,
      notStarted: 'error' in event ? shownProblem(event.error) : undefined,
    })),
  },
  delays: { pause: PAUSE_MS, again: AGAIN_MS },
}).createMachine({
  id: 'botDraft',
  initial: 'editing',
  context: ({ input: { newId, draft, editing } }) => ({
    newId,
    draft,
    editing,
    sent: undefined,
    sellNow: false,
    start: false,
    saved: undefined,
    errors: [],
    ladder: null,
    isLadderOld: false,
    changes: [],
    isAccepted: false,
    problem: undefined,
    elsewhere: undefined,
    sale: undefined,
  }),
  states: {
    editing: {
      initial: 'pausing',
      on: {
        'draft.changed': { target: '.pausing', reenter: true, actions: 'takeDraft' },
        'check.asked': '.checking',
        'conflict.resolved': { actions: 'forgetElsewhere' },
        'sale.declined': { actions: 'forgetSale' },
      },
      states: {
        pausing: {
          tags: 'unsettled',
          after: { pause: 'checking' },
          on: saveUnjudged,
        },
        checking: {
          tags: 'unsettled',
          invoke: { id: 'check', src: 'check', input: ({ context }) => inputOf(context), onDone: answered, onError: notAnswered },
          on: saveUnjudged,
        },
        checked: {
          after: { again: { guard: 'lacksPrice', target: 'checkingAgain' } },
          on: saveJudged,
        },
        unreachable: { after: { again: 'checkingAgain' }, on: saveJudged },
        /** What is known of the draft stands meanwhile. */
        checkingAgain: {
          invoke: { id: 'checkAgain', src: 'check', input: ({ context }) => inputOf(context), onDone: answered, onError: notAnswered },
          on: saveJudged,
        },
      },
    },
    saving: {
      tags: 'busy',
      entry: 'beginSave',
      on: { 'draft.changed': { actions: 'takeDraft' } },
      invoke: {
        id: 'save',
        src: 'save',
        input: ({ context }) => ({ ...inputOf(context), sellNow: context.sellNow, idempotencyKey: context.sent?.key ?? '' }),
        onDone: [
          { guard: 'isToStart', target: 'starting', actions: 'takeSaved' },
          { target: 'saved', actions: 'announce' },
        ],
        onError: [
          { guard: 'isConflict', target: 'looking', actions: 'endSave' },
          // What a sale of it would be was said of another draft: consent to that is none to this one.
          { guard: 'isChanged', target: 'editing.pausing', actions: 'endSave' },
          { guard: 'wouldSell', target: 'editing.checked', actions: ['endSave', 'takeSale'] },
          { guard: 'isOffline', target: 'editing.unreachable', actions: ['endSave', 'takeFailure'] },
          { target: 'editing.checked', actions: ['endSave', 'takeFailure'] },
        ],
      },
    },
    /** Somebody else saved the bot meanwhile: what stands there now is looked up. */
    looking: {
      tags: 'busy',
      on: { 'draft.changed': { actions: 'takeDraft' } },
      invoke: {
        id: 'getNewest',
        src: 'getNewest',
        input: ({ context }) => ({ id: context.editing?.id ?? '' }),
        onDone: { target: 'editing.pausing', actions: 'takeElsewhere' },
        onError: [
          { guard: 'isChanged', target: 'editing.pausing' },
          { target: 'editing.checked', actions: 'takeFailure' },
        ],
      },
    },
    /** It is saved: what becomes of the start changes nothing about that, and another try is one of the bot, not of the draft. */
    starting: {
      tags: 'busy',
      invoke: {
        id: 'start',
        src: 'start',
        input: ({ context }) => ({ id: context.saved?.id ?? '', version: context.saved?.configVersion ?? 0 }),
        onDone: { target: 'saved', actions: 'announceStart' },
        onError: { target: 'saved', actions: 'announceStart' },
      },
    },
    saved: { type: 'final' },
  },
});
