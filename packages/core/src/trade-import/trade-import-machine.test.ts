import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import type { ImportAnswer } from './trade-import-contract.ts';
import { LARGEST_FILE, type TradeImportContext, tradeImportMachine } from './trade-import-machine.ts';

const file = { name: 'trades.csv', size: 100 };
const newId = () => 'u1';
const answer = (more: Partial<ImportAnswer>): ImportAnswer => ({
  batchId: null,
  fileName: file.name,
  format: 'trade-history',
  zone: 'UTC',
  needs: null,
  columns: [],
  operations: [],
  leftOut: [],
  period: null,
  counts: { rows: 2, imported: 2, duplicate: 0, crossDuplicate: 0, skipped: 0, question: 0, error: 0 },
  rows: [],
  preview: [],
  warnings: [],
  committed: false,
  ...more,
});
const stored = answer({ committed: true, batchId: '0190a0b0-0000-7000-8000-000000000000' });
const nothing = answer({ counts: { rows: 2, imported: 0, duplicate: 2, crossDuplicate: 0, skipped: 0, question: 0, error: 0 } });

const identity = (context: TradeImportContext) =>
  [
    context.zone,
    context.mapping && 'mapped',
    context.answer?.needs,
    context.answer?.counts.imported,
    context.progress && 'told',
    context.problem?.code,
  ]
    .filter((part) => part !== undefined && part !== null)
    .join(' ');
const paths = transitionPaths(tradeImportMachine, {
  input: { newId },
  identity,
  stopWhen: ({ context }) => context.progress !== undefined,
  cases: {
    'file.chosen': [{ file }, { file: { name: 'big.csv', size: LARGEST_FILE + 1 } }],
    'zone.given': [{ zone: 'UTC+3' }],
    'mapping.given': [{ mapping: { When: 'time' } }],
    'operations.given': [{ operations: { 'odd thing': 'reward' } }],
    'commit.asked': [{ acceptPartial: false }, { acceptPartial: true }],
    'progress.told': [
      { uploadId: 'u1', phase: 'reading', done: 5, total: 10 },
      { uploadId: 'other', phase: 'reading', done: 5, total: 10 },
    ],
    'xstate.done.actor.read': [
      { output: answer({}) },
      { output: answer({ needs: 'zone' }) },
      { output: answer({ needs: 'mapping' }) },
      { output: answer({ needs: 'operations' }) },
      { output: answer({ needs: 'acceptPartial' }) },
      { output: nothing },
    ],
    'xstate.error.actor.read': [{ error: { code: 'invalid' } }],
    'xstate.done.actor.commit': [{ output: stored }, { output: answer({ needs: 'acceptPartial' }) }],
    'xstate.error.actor.commit': [{ error: { code: 'timeout' } }],
    'xstate.done.actor.undo': [{ output: undefined }],
    'xstate.error.actor.undo': [{ error: { code: 'not-found' } }],
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('trade-import-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = liveActor(tradeImportMachine, ['read', 'commit', 'undo'], { newId });
    for (const { event, state } of path.steps) {
      const before = actor.getSnapshot();
      const made = calls.length;
      await apply(event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot.value).toEqual(state.value);
      // Only a person's word stores anything, and never rows around which it would have to be stored unasked.
      const commits = calls.slice(made).filter(({ name }) => name === 'commit');
      if (commits.length > 0) {
        expect(['commit.asked', 'retry.asked']).toContain(event.type);
        const { needs, counts } = before.context.answer!;
        expect(counts.imported).toBeGreaterThan(0);
        const input = commits[0]?.input as { commit: boolean; acceptPartial: boolean };
        expect(input.commit).toBe(true);
        if (needs !== null) expect(input.acceptPartial).toBe(true);
      }
      for (const { name, input } of calls) if (name === 'read') expect(input).toMatchObject({ commit: false, acceptPartial: false });
      // Nothing of one file stays for the next.
      if (snapshot.matches('idle'))
        expect(snapshot.context).toMatchObject({ file: undefined, answer: undefined, zone: undefined, operations: undefined });
      if (event.type === 'progress.told' && (event as { uploadId?: string }).uploadId === 'other')
        expect(snapshot.context.progress).toBe(before.context.progress);
    }
    expect(problems).toEqual([]);
  });
});

test('what operations were said to mean adds up, is read and stored with, and is forgotten with the file', async () => {
  const { actor, apply, calls } = liveActor(tradeImportMachine, ['read', 'commit', 'undo'], { newId });
  const last = () => calls.at(-1)?.input as { operations: unknown };
  await apply({ type: 'xstate.init' });
  await apply({ type: 'file.chosen', file } as never);
  await apply({ type: 'xstate.done.actor.read', output: answer({ needs: 'operations' }) } as never);
  await apply({ type: 'operations.given', operations: { one: 'reward' } } as never);
  await apply({ type: 'xstate.done.actor.read', output: answer({}) } as never);
  await apply({ type: 'operations.given', operations: { two: 'internal', one: 'fee' } } as never);
  expect(last()).toMatchObject({ operations: { one: 'fee', two: 'internal' } });
  await apply({ type: 'xstate.done.actor.read', output: answer({}) } as never);
  await apply({ type: 'commit.asked', acceptPartial: false } as never);
  expect(last()).toMatchObject({ commit: true, operations: { one: 'fee', two: 'internal' } });
  await apply({ type: 'xstate.done.actor.commit', output: stored } as never);
  await apply({ type: 'file.chosen', file } as never);
  expect(actor.getSnapshot().context.operations).toBeUndefined();
});
