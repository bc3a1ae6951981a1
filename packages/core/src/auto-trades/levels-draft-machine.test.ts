import { describe, expect, test } from 'vitest';
import { liveActor } from '../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../testing/machine-paths.ts';
import {
  draftPrice,
  type LevelsAnswer,
  type LevelsDraftContext,
  type LevelsDraftEmitted,
  levelsDraftMachine,
} from './levels-draft-machine.ts';

const stop = { positionId: 'p', field: 'stop', price: '94' } as const;
const outlook = (price: string, worst: string) => ({ stop: price, trailingStart: null, takeProfit: [], worst });
const answer = (after: string, more: Partial<LevelsAnswer> = {}): LevelsAnswer => ({
  before: outlook('94', '-30'),
  after: outlook(after, '-9'),
  sellsNow: false,
  position: null,
  ...more,
});
const REFUSED = { code: 'invalid', fields: [{ path: 'stop', code: 'too_small', message: 'Too small.' }] };
/** As little as the machine decides by. */
const identity = ({ level, price, notice }: LevelsDraftContext) =>
  [!level ? '' : price === null ? 'to the settings' : price === level.price ? 'not moved' : 'moved', notice && 'notice']
    .filter(Boolean)
    .join(', ');
const paths = transitionPaths(levelsDraftMachine, {
  identity,
  // Nothing of what follows hangs on where it came from.
  stopWhen: ({ context, value }) => value === 'lost' || (context.notice !== undefined && context.price === null),
  cases: {
    'level.taken': [{ level: stop }],
    'putBack.asked': [{ level: stop }],
    'price.moved': [{ price: '95' }],
    'price.typed': [{ price: '95' }],
    'confirm.asked': [{ isCurrent: true }],
    'holding.changed': [{}],
    'sale.confirmed': [{ isCurrent: true }, { isCurrent: false }],
    'standing.changed': [{ isReached: true }],
    'level.elsewhere': [{ price: '93' }],
    'level.gone': [{ why: 'closed' }],
    'xstate.done.actor.check': [{ output: answer('95') }],
    'xstate.error.actor.check': [{ error: REFUSED }],
    'xstate.done.actor.move': [{ output: answer('95') }],
    'xstate.error.actor.move': [{ error: REFUSED }, { error: { code: 'would-sell-now', detail: 'Sells 1 BTC.' } }],
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('levels-draft-machine.transitions.txt');
});

const actorOf = () => liveActor(levelsDraftMachine, ['check', 'move']);

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = actorOf();
    const emitted: LevelsDraftEmitted[] = [];
    actor.on('level.moved', (event) => emitted.push(event));
    for (const step of path.steps) {
      const before = actor.getSnapshot?.();
      const sent = calls.length;
      await apply(step.event as never);
      const snapshot = actor.getSnapshot();
      expect(snapshot).toMatchObject({ status: 'active', value: step.state.value });
      for (const { name, input } of calls.slice(sent)) {
        if (name !== 'move') continue;
        // Only a confirmation sends, of a price that the server has judged; a sale only with consent to its words.
        expect(['confirm.asked', 'sale.confirmed']).toContain(step.event.type);
        if (step.event.type === 'confirm.asked') {
          expect(before?.matches({ drafted: 'checked' })).toBe(true);
          expect(before?.context.verdict?.of).toBe((input as { price: string | null }).price);
          expect(before?.context.notice).toBeUndefined();
        }
        expect((input as { sellNow: boolean }).sellNow).toBe(step.event.type === 'sale.confirmed');
      }
    }
    expect(emitted.length).toBe(path.steps.filter(({ event }) => event.type === 'xstate.done.actor.move').length);
    expect(problems).toEqual([]);
  });
});

/** Sends each and lets what follows happen. */
async function after(...events: readonly object[]) {
  const live = actorOf();
  live.actor.start();
  for (const event of events) await live.apply(event as never);
  return { ...live, state: () => live.actor.getSnapshot().value, context: () => live.actor.getSnapshot().context };
}
const DRAGGED = [{ type: 'level.taken', level: stop }, { type: 'price.moved', price: '95' }, { type: 'level.released' }];
const CHECKED = [...DRAGGED, { type: 'xstate.done.actor.check', output: answer('95') }];
const CONFIRM = { type: 'confirm.asked', isCurrent: true };

test('letting go never sends: it asks what the level would come to, and a confirmation before that answer is none', async () => {
  const { calls, apply, state } = await after(...DRAGGED, CONFIRM);
  expect([state(), calls.map(({ name }) => name)]).toEqual([{ drafted: 'checking' }, ['check']]);
  await apply({ type: 'xstate.done.actor.check', output: answer('95') });
  await apply({ ...CONFIRM, isCurrent: false } as never);
  expect(calls).toHaveLength(1);
  await apply(CONFIRM);
  expect(calls.at(-1)).toMatchObject({ name: 'move', input: { level: stop, price: '95', sellNow: false } });
});

test('a level that was not moved is let go of; one that the server would leave where it is cannot be confirmed', async () => {
  const idle = await after({ type: 'level.taken', level: stop }, { type: 'level.released' });
  expect([idle.state(), idle.calls]).toEqual(['idle', []]);
  const same = await after(
    { type: 'level.taken', level: stop },
    { type: 'price.typed', price: '94.001' },
    CONFIRM,
    { type: 'xstate.done.actor.check', output: answer('94') },
    CONFIRM,
  );
  expect([same.state(), same.calls.length]).toEqual([{ drafted: 'checked' }, 1]);
});

test('a price that is moved on is asked of anew, and no answer to an earlier one counts', async () => {
  const { calls, apply, state, context } = await after(...DRAGGED);
  await apply({ type: 'price.typed', price: '96' } as never);
  expect(calls[0]?.signal.aborted).toBe(true);
  await apply(CONFIRM);
  await apply({ type: 'xstate.done.actor.check', output: answer('95.99') });
  expect([state(), draftPrice(context())]).toEqual([{ drafted: 'checked' }, '95.99']);
  // Grabbed again it goes on from there.
  await apply({ type: 'level.taken', level: stop } as never);
  expect([state(), context().price]).toEqual([{ moving: 'pausing' }, '95.99']);
});

test('what happens meanwhile is judged again, and has to be seen before it is confirmed', async () => {
  for (const [event, notice] of [
    [{ type: 'standing.changed', isReached: true }, 'reached'],
    [{ type: 'level.elsewhere', price: '93' }, 'elsewhere'],
    [{ type: 'holding.changed' }, 'holding'],
  ] as const) {
    const { calls, apply, state, context } = await after(...CHECKED, event);
    expect([state(), context().notice]).toEqual([{ drafted: 'checking' }, notice]);
    await apply({ type: 'xstate.done.actor.check', output: answer('95', { sellsNow: true }) });
    await apply(CONFIRM);
    expect([state(), calls.filter(({ name }) => name === 'move')]).toEqual([{ drafted: 'checked' }, []]);
    await apply(CONFIRM);
    expect(state()).toBe('confirming');
  }
  const gone = await after(...CHECKED, { type: 'level.gone', why: 'closed' }, CONFIRM);
  expect([gone.state(), gone.context().lost]).toEqual(['lost', 'closed']);
});

test('a sale at once is asked for in the words of the server, and declined it leaves the draft', async () => {
  const sale = { type: 'xstate.error.actor.move', error: { code: 'would-sell-now', detail: 'Sells 1 BTC.' } };
  const { calls, apply, state, context } = await after(...CHECKED, CONFIRM, sale);
  expect([state(), context().sale]).toEqual(['selling', 'Sells 1 BTC.']);
  await apply({ type: 'sale.declined' });
  expect([state(), context().sale]).toEqual([{ drafted: 'checked' }, undefined]);
  // Nothing is sold by words that may be old.
  for (const [event, state] of [
    [{ type: 'sale.confirmed', isCurrent: false }, 'checked'],
    [{ type: 'holding.changed' }, 'checking'],
    [{ type: 'level.elsewhere', price: '93' }, 'checking'],
  ] as const) {
    const meanwhile = await after(...CHECKED, CONFIRM, sale, event);
    expect([meanwhile.state(), meanwhile.context().sale]).toEqual([{ drafted: state }, undefined]);
    expect(meanwhile.calls.filter(({ name }) => name === 'move')).toHaveLength(1);
  }
  await apply(CONFIRM);
  await apply(sale);
  await apply({ type: 'sale.confirmed', isCurrent: true } as never);
  expect(calls.at(-1)).toMatchObject({ name: 'move', input: { sellNow: true } });
  await apply({ type: 'xstate.done.actor.move', output: answer('95') });
  // The screen shows it by and by.
  expect(state()).toBe('settling');
  await apply({ type: 'level.elsewhere', price: '95' } as never);
  expect([state(), context().level]).toEqual(['idle', undefined]);
});
