import { describe, expect, test } from 'vitest';
import { transition } from 'xstate';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import { closing, openPosition, positionCases, positionIdentity } from '../../testing/position-paths.ts';
import {
  allowedPositionActions,
  NOTHING_SAID,
  type PositionContext,
  type PositionEvent,
  positionMachine,
  restoredPosition,
  wordAfter,
} from './position-machine.ts';

const open = openPosition;
const sold: PositionContext = { ...open, closedAt: 4000, closedBy: 'sell', holds: false };
const byHand: PositionContext = { ...sold, closedBy: 'hand', word: { ...NOTHING_SAID, closing } };
const reopened: PositionContext = { ...open, holds: false, word: { ...NOTHING_SAID, reopenedUntil: 4000 } };
const allowed = (context: PositionContext) => allowedPositionActions(restoredPosition(context));

test.each([
  ['open', open, ['calculate', 'target', 'close', 'break', 'exclude']],
  ['sold', sold, ['calculate', 'reopen', 'break', 'exclude']],
  ['sold, and a later one is open', { ...sold, laterOpen: true }, ['calculate', 'break', 'exclude']],
  ['gone without a sale', { ...sold, closedBy: 'gone' }, ['calculate', 'reopen', 'break', 'exclude']],
  ['closed by hand', byHand, ['calculate', 'reopen', 'break', 'exclude']],
  ['opened again, with nothing bought yet', reopened, ['calculate', 'target', 'split', 'break', 'exclude']],
  ['opened again and bought', { ...reopened, holds: true }, ['calculate', 'target', 'close', 'split', 'break', 'exclude']],
  ['being calculated', { ...open, calculating: true }, ['target', 'close', 'break', 'exclude']],
  ['broken by its entries', { ...open, reasons: ['OVERSOLD'] }, ['calculate', 'target', 'close', 'break', 'exclude']],
  ['marked', { ...open, word: { ...NOTHING_SAID, brokenText: '' } }, ['calculate', 'target', 'close', 'mend', 'exclude']],
  ['left out', { ...open, word: { ...NOTHING_SAID, excluded: true } }, ['calculate', 'target', 'close', 'break', 'include']],
] as const)('what may be asked of one that is %s', (_, context, actions) => {
  expect(allowed(context as PositionContext)).toEqual(actions);
});

test.each([
  ['a target', open, { type: 'target.set', price: '120' }, { targetPrice: '120' }],
  ['a closing', open, { type: 'position.closed', closing }, { closing }],
  ['a closing taken back', byHand, { type: 'position.reopened' }, { closing: null }],
  ['a sale that does not end it', sold, { type: 'position.reopened' }, { reopenedUntil: 4000 }],
  ['that taken back', reopened, { type: 'reopening.undone' }, { reopenedUntil: null }],
  ['a mark', open, { type: 'position.marked', text: 'odd' }, { brokenText: 'odd' }],
] as const)('the word it leaves behind: %s', (_, context, event, word) => {
  expect(wordAfter(restoredPosition(context), event)).toEqual({ ...context.word, ...word });
});

describe('every path', () => {
  const paths = transitionPaths(positionMachine, { input: open, identity: positionIdentity, cases: positionCases, limit: 50_000 });

  test('leads where the reviewed table says', async () => {
    // Marks and totals are two switches of their own: without them the table can be read.
    const isOfLife = (type: string) => !/mark|mended|excluded|included|calculation/.test(type);
    const word = ({ word: { targetPrice, closing: said, reopenedUntil }, holds }: PositionContext) =>
      [holds ? 'holds' : 'empty', targetPrice && 'target', said && 'closing', reopenedUntil && 'reopened'].filter(Boolean).join(', ');
    const life = paths.filter(({ steps }) => steps.slice(1).every(({ event }) => isOfLife(event.type)));
    const table = life.map(({ steps, ...path }) => ({
      ...path,
      steps: steps.map(({ state, event }) => ({ event, state: { ...state, value: (state.value as { life: string }).life } })),
    }));
    await expect(transitionTable(table as never, word as never)).toMatchFileSnapshot('position-machine.transitions.txt');
  });

  test('is taken back to where nothing is said', () => {
    const back: readonly PositionEvent[] = [
      { type: 'position.reopened' },
      { type: 'reopening.undone' },
      { type: 'position.mended' },
      { type: 'position.included' },
    ];
    for (const path of paths) {
      let snapshot = path.state as ReturnType<typeof restoredPosition>;
      // A target belongs to an open position: it is taken back before the position ends again.
      const restored =
        snapshot.context.closedAt === null
          ? [{ type: 'target.cleared' } as const, ...back]
          : back.toSpliced(1, 0, { type: 'target.cleared' });
      for (const event of restored) if (snapshot.can(event)) [snapshot] = transition(positionMachine, snapshot, event);
      expect([title(path), snapshot.context.word]).toEqual([title(path), NOTHING_SAID]);
    }
  });
});
