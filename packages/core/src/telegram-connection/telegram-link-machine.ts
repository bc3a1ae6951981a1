import { assign, emit, fromPromise, setup } from 'xstate';
import type { Answer } from '../http/endpoint.ts';
import { type ShownProblem, shownProblem } from '../http/problem.ts';
import type { getTelegramLink } from './telegram-connection-contract.ts';

export type TelegramLink = Answer<typeof getTelegramLink>;

export type TelegramLinkEvent =
  /** Asks anew how it stands; where no chat is linked, that makes a new code and ends the one before. */
  | { type: 'link.asked' }
  /** The code that the bot answered with, brought back by its owner. */
  | { type: 'code.brought'; code: string }
  | { type: 'disconnect.asked' };

export type TelegramLinkEmitted =
  /** Whoever shows the account or its channels loads them again. */
  | { type: 'link.changed'; linked: boolean }
  /** A toast of title and detail is due. */
  | { type: 'link.failed'; problem: ShownProblem };

export type TelegramLinkContext = {
  /** Epoch ms. */
  readonly now: () => number;
  readonly link: TelegramLink | undefined;
  readonly code: string;
  /** Why the last wish was refused; stays until the next one. */
  readonly problem: ShownProblem | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the calls of the Telegram link');
};

/** Whatever is known of a link that is not there: it can be asked for, and a code may be brought from the chat. */
const WHILE_UNLINKED = {
  'link.asked': { target: 'asking', actions: 'hideProblem' },
  'code.brought': { target: 'connecting', actions: 'takeCode' },
} as const;

/**
 * A chat with the bot: linked by a code that works once and not for long, unlinked by a word. A code that is brought from
 * the chat is never sent beside a question, which would make another code and end this one.
 */
export const telegramLinkMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as TelegramLinkContext,
    events: {} as TelegramLinkEvent,
    emitted: {} as TelegramLinkEmitted,
    input: {} as { now: () => number; code?: string | undefined },
  },
  actors: {
    getLink: fromPromise<TelegramLink>(notProvided),
    connect: fromPromise<void, { code: string }>(notProvided),
    disconnect: fromPromise<void>(notProvided),
  },
  guards: {
    bringsCode: ({ context }) => context.code !== '',
    isLinked: (_, { connected }: TelegramLink) => connected,
    isOffered: (_, { available, link }: TelegramLink) => available && link !== undefined,
  },
  actions: {
    takeLink: assign({ link: (_, link: TelegramLink) => link }),
    forgetLink: assign({ link: undefined }),
    takeCode: assign({ code: ({ context, event }) => (event.type === 'code.brought' ? event.code : context.code) }),
    forgetCode: assign({ code: '' }),
    hideProblem: assign({ problem: undefined }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    announceProblem: emit(({ context }) => ({ type: 'link.failed', problem: context.problem ?? { code: 'internal' } })),
    announceLinked: emit({ type: 'link.changed', linked: true }),
    announceUnlinked: emit({ type: 'link.changed', linked: false }),
  },
  delays: { untilOver: ({ context }) => Math.max(0, Date.parse(context.link?.expiresAt ?? '') - context.now() || 0) },
}).createMachine({
  id: 'telegramLink',
  initial: 'starting',
  context: ({ input }) => ({ now: input.now, link: undefined, code: input.code ?? '', problem: undefined }),
  states: {
    starting: { always: [{ guard: 'bringsCode', target: 'connecting' }, { target: 'asking' }] },
    asking: {
      tags: 'busy',
      invoke: {
        id: 'getLink',
        src: 'getLink',
        onDone: [
          {
            guard: { type: 'isLinked', params: ({ event }) => event.output },
            target: 'linked',
            actions: { type: 'takeLink', params: ({ event }) => event.output },
          },
          {
            guard: { type: 'isOffered', params: ({ event }) => event.output },
            target: 'offered',
            actions: { type: 'takeLink', params: ({ event }) => event.output },
          },
          { target: 'unavailable', actions: { type: 'takeLink', params: ({ event }) => event.output } },
        ],
        onError: { target: 'unknown', actions: 'showProblem' },
      },
    },
    /** Neither yes nor no: the server could not be asked. */
    unknown: {
      on: WHILE_UNLINKED,
    },
    /** The instance has no bot, or its bot cannot be reached. */
    unavailable: {
      on: WHILE_UNLINKED,
    },
    offered: {
      after: { untilOver: 'over' },
      on: WHILE_UNLINKED,
    },
    /** The code works no more. The bot may still have answered with its own before. */
    over: {
      on: WHILE_UNLINKED,
    },
    connecting: {
      tags: 'busy',
      entry: 'hideProblem',
      exit: 'forgetCode',
      invoke: {
        id: 'connect',
        src: 'connect',
        input: ({ context }) => ({ code: context.code }),
        onDone: { target: 'asking', actions: 'announceLinked' },
        onError: { target: 'asking', actions: ['showProblem', 'announceProblem'] },
      },
    },
    linked: {
      on: {
        'link.asked': { target: 'asking', actions: 'hideProblem' },
        'disconnect.asked': { target: 'disconnecting', actions: 'hideProblem' },
      },
    },
    disconnecting: {
      tags: 'busy',
      invoke: {
        id: 'disconnect',
        src: 'disconnect',
        onDone: { target: 'asking', actions: ['forgetLink', 'announceUnlinked'] },
        onError: { target: 'linked', actions: ['showProblem', 'announceProblem'] },
      },
    },
  },
});
