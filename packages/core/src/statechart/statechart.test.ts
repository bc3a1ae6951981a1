import { expect, test } from 'vitest';
import { assign, setup } from 'xstate';
import { chartOf } from './chart.ts';
import { interpreterOf } from './interpreter.ts';
import { type Boxed, pureActions } from './pure-actions.ts';
import { tableOf } from './table.ts';

type Door = { readonly opened: number };
type DoorEvent =
  | { readonly type: 'push'; readonly force: number }
  | { readonly type: 'pull' }
  | { readonly type: 'look' }
  | { readonly type: 'burn' };
const types = { context: {} as Boxed<Door>, events: {} as DoorEvent, input: {} as Door };
const { does, when } = pureActions<Door, DoorEvent>();
const pushed = ({ opened }: Door, { force }: Extract<DoorEvent, { type: 'push' }>): Door => ({ opened: opened + force });
const unchanged = (door: Door): Door => door;
const isForced = (_: Door, event: DoorEvent): boolean => event.type === 'push' && event.force > 0;
const door = setup({ types }).createMachine({
  id: 'door',
  context: ({ input }) => ({ data: input }),
  initial: 'shut',
  states: {
    shut: { on: { push: { guard: when(isForced), target: 'open', actions: does(pushed) }, look: { actions: does(unchanged) } } },
    open: { on: { push: {}, pull: 'shut', burn: 'gone' } },
    gone: { type: 'final' },
  },
});

test.each([
  ['XState', interpreterOf(door)],
  ['the table', tableOf<'shut' | 'open' | 'gone', Door, DoorEvent>(door)],
])('%s: an event that is not taken, is refused by its guard or leads nowhere is no step', (_, advance) => {
  const start = { opened: 0 };
  expect(advance('shut', start, { type: 'push', force: 2 })).toEqual({ state: 'open', context: { opened: 2 } });
  expect(advance('shut', start, { type: 'push', force: 0 })).toBeUndefined();
  expect(advance('shut', start, { type: 'pull' })).toBeUndefined();
  expect(advance('open', start, { type: 'push', force: 1 })).toBeUndefined();
  expect(advance('gone', start, { type: 'pull' })).toBeUndefined();
  // What a reducer leaves alone is told by its identity: its effects are not asked of the world a second time.
  expect(advance('shut', start, { type: 'look' })?.context).toBe(start);
  expect(advance('open', start, { type: 'pull' })?.context).toBe(start);
});

test('the chart is that of the machine, ways to itself left out', () => {
  expect(chartOf(door)).toEqual({
    id: 'door',
    initial: 'shut',
    states: {
      shut: { final: false, ways: [{ event: 'push', to: 'open' }] },
      open: {
        final: false,
        ways: [
          { event: 'pull', to: 'shut' },
          { event: 'burn', to: 'gone' },
        ],
      },
      gone: { final: true, ways: [] },
    },
  });
});

test('a reducer under an event that it is not written for is a type error; what no table can run is refused', () => {
  const wrong = setup({ types }).createMachine({
    id: 'wrong',
    context: ({ input }) => ({ data: input }),
    initial: 'shut',
    // @ts-expect-error a pull has no force
    states: { shut: { on: { pull: { actions: does(pushed) } } } },
  });
  expect(wrong.id).toBe('wrong');
  const foreign = setup({ types }).createMachine({
    id: 'foreign',
    context: ({ input }) => ({ data: input }),
    initial: 'shut',
    states: { shut: { on: { pull: { actions: assign({ data: { opened: 9 } }) } } } },
  });
  expect(() => tableOf(foreign)).toThrow('foreign: shut takes pull');
});
