import { assign, fromPromise, setup } from 'xstate';
import { type ShownProblem, shownProblem } from '../http/problem.ts';
import type { ImportAnswer, ImportField, OperationMeaning } from './trade-import-contract.ts';

/** The server takes no larger file. */
export const LARGEST_FILE = 50 * 1024 * 1024;

/** A file as the caller has it; only its name and size are looked at here. */
export type ImportFile = { readonly name: string; readonly size: number };
export type ImportMapping = Readonly<Record<string, ImportField>>;
export type ImportMeanings = Readonly<Record<string, OperationMeaning>>;

export type TradeImportInput = {
  readonly file: ImportFile;
  readonly uploadId: string;
  readonly zone: string | undefined;
  readonly mapping: ImportMapping | undefined;
  readonly operations: ImportMeanings | undefined;
  readonly commit: boolean;
  readonly acceptPartial: boolean;
};

export type TradeImportEvent =
  | { type: 'file.chosen'; file: ImportFile }
  | { type: 'zone.given'; zone: string }
  | { type: 'mapping.given'; mapping: ImportMapping }
  /** What operations mean that nobody knows; added to what was said before. */
  | { type: 'operations.given'; operations: ImportMeanings }
  /** Their rows are left out, this time. */
  | { type: 'operations.passed' }
  | { type: 'commit.asked'; acceptPartial: boolean }
  /** What the stream tells of uploads; of another one it is ignored. */
  | { type: 'progress.told'; uploadId: string; phase: 'reading' | 'storing' | 'folding'; done: number; total: number | null }
  | { type: 'retry.asked' }
  | { type: 'undo.asked' }
  | { type: 'import.left' };

export type TradeImportContext = {
  readonly newId: () => string;
  readonly file: ImportFile | undefined;
  readonly uploadId: string;
  readonly zone: string | undefined;
  readonly mapping: ImportMapping | undefined;
  readonly operations: ImportMeanings | undefined;
  readonly acceptPartial: boolean;
  readonly answer: ImportAnswer | undefined;
  readonly progress:
    | { readonly phase: 'reading' | 'storing' | 'folding'; readonly done: number; readonly total: number | null }
    | undefined;
  readonly problem: ShownProblem | undefined;
};

const notProvided = async (): Promise<never> => {
  throw new Error('provide() the import calls');
};

/**
 * One import: a file is read and previewed, what it does not say itself is asked for, and only a word of its owner
 * stores it. Nothing is stored by a reading. A commit whose answer was lost may be asked for again: rows that are
 * there already are not added twice.
 */
export const tradeImportMachine = setup({
  types: {
    tags: {} as 'busy',
    context: {} as TradeImportContext,
    events: {} as TradeImportEvent,
    input: {} as { newId: () => string },
  },
  actors: {
    read: fromPromise<ImportAnswer, TradeImportInput>(notProvided),
    commit: fromPromise<ImportAnswer, TradeImportInput>(notProvided),
    undo: fromPromise<void, { batchId: string }>(notProvided),
  },
  guards: {
    isTooLarge: ({ event }) => event.type === 'file.chosen' && event.file.size > LARGEST_FILE,
    needsZone: ({ event }) => needs(event) === 'zone',
    needsMapping: ({ event }) => needs(event) === 'mapping',
    needsOperations: ({ event }) => needs(event) === 'operations',
    isStored: ({ event }) => 'output' in event && (event.output as ImportAnswer).committed,
    isMine: ({ context, event }) => event.type === 'progress.told' && event.uploadId === context.uploadId,
    /** Rows that cannot be read are stored around only when that was said. */
    mayCommit: ({ context, event }) =>
      event.type === 'commit.asked' &&
      (event.acceptPartial || context.answer?.needs === null) &&
      (context.answer?.counts.imported ?? 0) > 0,
    hasBatch: ({ context }) => typeof context.answer?.batchId === 'string',
  },
  actions: {
    takeFile: assign({
      file: ({ context, event }) => (event.type === 'file.chosen' ? event.file : context.file),
      zone: undefined,
      mapping: undefined,
      operations: undefined,
      acceptPartial: false,
      answer: undefined,
      problem: undefined,
    }),
    takeZone: assign({ zone: ({ context, event }) => (event.type === 'zone.given' ? event.zone : context.zone) }),
    takeMapping: assign({ mapping: ({ context, event }) => (event.type === 'mapping.given' ? event.mapping : context.mapping) }),
    takeOperations: assign({
      operations: ({ context, event }) =>
        event.type === 'operations.given' ? { ...context.operations, ...event.operations } : context.operations,
    }),
    takeConsent: assign({
      acceptPartial: ({ context, event }) => (event.type === 'commit.asked' ? event.acceptPartial : context.acceptPartial),
    }),
    begin: assign({ uploadId: ({ context }) => context.newId(), progress: undefined, problem: undefined }),
    takeProgress: assign({
      progress: ({ context, event }) =>
        event.type === 'progress.told' ? { phase: event.phase, done: event.done, total: event.total } : context.progress,
    }),
    takeAnswer: assign({ answer: ({ context, event }) => ('output' in event ? (event.output as ImportAnswer) : context.answer) }),
    showProblem: assign({ problem: ({ event }) => ('error' in event ? shownProblem(event.error) : undefined) }),
    refuse: assign((_, { code }: { code: 'payload-too-large' | 'invalid' }) => ({ problem: { code } satisfies ShownProblem })),
    forget: assign({
      file: undefined,
      answer: undefined,
      zone: undefined,
      mapping: undefined,
      operations: undefined,
      progress: undefined,
      problem: undefined,
    }),
  },
}).createMachine({
  id: 'tradeImport',
  initial: 'idle',
  context: ({ input }) => ({
    newId: input.newId,
    file: undefined,
    uploadId: '',
    zone: undefined,
    mapping: undefined,
    operations: undefined,
    acceptPartial: false,
    answer: undefined,
    progress: undefined,
    problem: undefined,
  }),
  on: {
    'progress.told': { guard: 'isMine', actions: 'takeProgress' },
  },
  states: {
    idle: {
      on: {
        'file.chosen': [
          { guard: 'isTooLarge', actions: { type: 'refuse', params: { code: 'payload-too-large' } } },
          { target: 'reading', actions: 'takeFile' },
        ],
      },
    },
    reading: {
      tags: 'busy',
      entry: 'begin',
      invoke: {
        id: 'read',
        src: 'read',
        input: ({ context }) => inputOf(context, false),
        onDone: [
          { guard: 'needsMapping', target: 'mapping', actions: 'takeAnswer' },
          { guard: 'needsZone', target: 'zone', actions: 'takeAnswer' },
          { guard: 'needsOperations', target: 'operations', actions: 'takeAnswer' },
          { target: 'preview', actions: 'takeAnswer' },
        ],
        onError: { target: 'failed', actions: 'showProblem' },
      },
      on: { 'import.left': { target: 'idle', actions: 'forget' } },
    },
    zone: {
      on: { 'zone.given': { target: 'reading', actions: 'takeZone' }, 'import.left': { target: 'idle', actions: 'forget' } },
    },
    mapping: {
      on: { 'mapping.given': { target: 'reading', actions: 'takeMapping' }, 'import.left': { target: 'idle', actions: 'forget' } },
    },
    operations: {
      on: {
        'operations.given': { target: 'reading', actions: 'takeOperations' },
        'operations.passed': 'preview',
        'import.left': { target: 'idle', actions: 'forget' },
      },
    },
    preview: {
      on: {
        'operations.given': { target: 'reading', actions: 'takeOperations' },
        'commit.asked': { guard: 'mayCommit', target: 'committing', actions: 'takeConsent' },
        'zone.given': { target: 'reading', actions: 'takeZone' },
        'import.left': { target: 'idle', actions: 'forget' },
      },
    },
    /** Cannot be left: what a person stopped waiting for would be stored all the same. */
    committing: {
      tags: 'busy',
      entry: 'begin',
      invoke: {
        id: 'commit',
        src: 'commit',
        input: ({ context }) => inputOf(context, true),
        onDone: [
          { guard: 'isStored', target: 'done', actions: 'takeAnswer' },
          // It says now what it needs: the same file against a ledger that has changed since.
          { target: 'preview', actions: 'takeAnswer' },
        ],
        onError: { target: 'notCommitted', actions: 'showProblem' },
      },
    },
    notCommitted: {
      on: { 'retry.asked': 'committing', 'import.left': { target: 'idle', actions: 'forget' } },
    },
    failed: {
      on: {
        'retry.asked': 'reading',
        'file.chosen': { target: 'reading', actions: 'takeFile' },
        'import.left': { target: 'idle', actions: 'forget' },
      },
    },
    done: {
      on: {
        'undo.asked': { guard: 'hasBatch', target: 'undoing' },
        'file.chosen': { target: 'reading', actions: 'takeFile' },
        'import.left': { target: 'idle', actions: 'forget' },
      },
    },
    undoing: {
      tags: 'busy',
      invoke: {
        id: 'undo',
        src: 'undo',
        input: ({ context }) => ({ batchId: context.answer?.batchId ?? '' }),
        onDone: { target: 'idle', actions: 'forget' },
        onError: { target: 'done', actions: 'showProblem' },
      },
    },
  },
});

const needs = (event: object) => ('output' in event ? (event.output as ImportAnswer).needs : null);
const inputOf = ({ file, uploadId, zone, mapping, operations, acceptPartial }: TradeImportContext, commit: boolean): TradeImportInput => ({
  file: file as ImportFile,
  uploadId,
  zone,
  mapping,
  operations,
  commit,
  acceptPartial: commit && acceptPartial,
});
