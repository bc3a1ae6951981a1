import { describe, expect, test } from 'vitest';
import { botConfig } from '../../../testing/auto-trade-fixtures.ts';
import { liveActor } from '../../../testing/live-actor.ts';
import { title, transitionPaths, transitionTable } from '../../../testing/machine-paths.ts';
import type { AutoTrade } from '../auto-trades-contract.ts';
import { type BotDraft, draftOf, setField } from './bot-draft.ts';
import { type BotDraftContext, type BotDraftEmitted, botDraftMachine, type SavedBot } from './bot-draft-machine.ts';

const draft = draftOf(botConfig());
/** As little of a draft as the machine looks at, for a table that can be read. */
const little = (name: string) => ({ name, coins: { symbols: ['BTCUSDT'] }, stopLoss: { mode: 'none' }, exit: {} }) as unknown as BotDraft;
const editing = { id: 'b1', version: 3, applyToOpen: false };
const bot = (configVersion: number) => ({ id: 'b1', configVersion }) as AutoTrade;
const ladder = (...symbols: string[]) => ({ rungs: symbols.map((symbol) => ({ symbol })), exits: [] }) as unknown as SavedBot['ladder'];
const tooSmall = { path: 'entry.size.value', code: 'BELOW_MIN_NOTIONAL', message: 'Too small.' };
const verdict = (more: Partial<SavedBot>): SavedBot => ({
  autoTrade: null,
  valid: true,
  errors: [],
  ladder: ladder('BTCUSDT'),
  changes: [],
  ...more,
});
const refused = { code: 'rules-violated', fields: [tooSmall] };
const CALLS = ['check', 'save', 'getNewest', 'start'];
const given = (of: typeof draft, edited?: typeof editing) => {
  let ids = 0;
  return { newId: () => `key ${++ids}`, draft: of, editing: edited };
};

const identity = (context: BotDraftContext) =>
  [
    context.draft.name === '' ? 'unnamed' : '',
    context.isAccepted ? 'accepted' : '',
    context.elsewhere && 'elsewhere',
    context.sale && 'sale',
    context.start && 'start',
    context.sent && (context.sent.isAnswered ? 'answered' : 'sent'),
  ]
    .filter(Boolean)
    .join(' ');
const failures = [{ error: { code: 'timeout' } }, { error: refused }];
const checks = [
  { output: verdict({}) },
  { output: verdict({ valid: false, errors: [tooSmall] }) },
  { output: verdict({ ladder: ladder() }) },
  { output: verdict({ autoTrade: bot(4) }) },
];
const paths = transitionPaths(botDraftMachine, {
  input: { newId: () => 'key', draft: little('Dip'), editing },
  identity,
  // What comes after a save that failed, or after what others saved, is the same as before it.
  stopWhen: ({ context, value }) => typeof value === 'object' && (context.sent !== undefined || context.elsewhere !== undefined),
  cases: {
    'draft.changed': [{ draft: little(''), editing }],
    'save.asked': [
      { sellNow: false, start: false },
      { sellNow: false, start: true },
    ],
    'xstate.done.actor.check': checks,
    'xstate.error.actor.check': failures,
    'xstate.done.actor.checkAgain': checks,
    'xstate.error.actor.checkAgain': failures,
    'xstate.done.actor.save': [{ output: verdict({ autoTrade: bot(4) }) }],
    'xstate.error.actor.save': [
      ...failures,
      { error: { code: 'version-conflict' } },
      { error: { code: 'would-sell-now', detail: 'Sells 1 BTC.' } },
    ],
    'xstate.done.actor.getNewest': [{ output: bot(4) }],
    'xstate.error.actor.getNewest': [{ error: { code: 'timeout' } }],
    'xstate.done.actor.start': [{ output: bot(4) }],
    'xstate.error.actor.start': [{ error: { code: 'timeout' } }, { error: { code: 'trading-disabled' } }],
  },
});

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, identity as never)).toMatchFileSnapshot('bot-draft-machine.transitions.txt');
});

describe('every transition, on a live actor', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', async (_, path) => {
    const { actor, apply, calls, problems } = liveActor(
      botDraftMachine,
      ['check', 'checkAgain', ...CALLS.slice(1)],
      given(little('Dip'), editing),
    );
    const saved: BotDraftEmitted[] = [];
    actor.on('*', (event) => saved.push(event));
    for (const { event, state } of path.steps) {
      const before = actor.getSnapshot();
      const made = calls.length;
      // Both questions are one call.
      await apply({ ...event, type: event.type.replace('.checkAgain', '.check') } as never);
      const snapshot = actor.getSnapshot();
      expect([snapshot.value, identity(snapshot.context)]).toEqual([state.value, identity(state.context as never)]);
      const saves = calls.slice(made).filter(({ name }) => name === 'save');
      // Only a person's word saves, only what is complete, and never over what somebody else saved.
      if (saves.length > 0) {
        expect(event.type).toBe('save.asked');
        expect(before.context).toMatchObject({ elsewhere: undefined, draft: { name: 'Dip' } });
      }
      if (before.matches({ editing: 'checked' }) && before.context.errors.length > 0)
        expect(before.can({ type: 'save.asked', sellNow: true, start: false })).toBe(false);
    }
    expect(saved.map(({ bot: { id } }) => id)).toEqual(actor.getSnapshot().matches('saved') ? ['b1'] : []);
    // Started at most once, only what is saved, and only where that was asked for.
    const { context } = actor.getSnapshot();
    const starts = calls.filter(({ name }) => name === 'start').map(({ input }) => input);
    expect(starts).toEqual(context.start && context.saved ? [{ id: 'b1', version: 4 }] : []);
    const last = path.steps.at(-1)?.event.type;
    for (const { notStarted } of saved) expect(notStarted !== undefined).toBe(last === 'xstate.error.actor.start');
    expect(problems).toEqual([]);
  });
});

const begin = async (of = draft, edited?: typeof editing) => {
  const live = liveActor(botDraftMachine, CALLS, given(of, edited));
  await live.apply({ type: 'xstate.init' });
  const asked = (name: string) => live.calls.filter((call) => call.name === name);
  const keys = () => asked('save').map(({ input }) => (input as { idempotencyKey: string }).idempotencyKey);
  const save = () => live.apply({ type: 'save.asked', sellNow: false, start: false } as never);
  const failsWith = (code: string) => live.apply({ type: 'xstate.error.actor.save', error: { code } });
  return { ...live, asked, keys, save, failsWith };
};

test('the server is asked once nothing was changed for a while, or at once', async () => {
  const { apply, clock, asked } = await begin();
  for (let changes = 0; changes < 5; changes += 1) {
    clock.increment(300);
    await apply({ type: 'draft.changed', draft: setField(draft, 'maxOpenPositions', changes), editing: undefined } as never);
  }
  expect(asked('check')).toHaveLength(0);
  clock.increment(400);
  expect(asked('check').map(({ input }) => input)).toMatchObject([{ draft: { maxOpenPositions: 4 } }]);
  await apply({ type: 'check.asked' });
  expect(asked('check')).toHaveLength(2);
  expect(asked('check')[0]?.signal.aborted).toBe(true);
});

test('what could not be judged without a price is asked again until there is one, and no longer', async () => {
  const { actor, apply, clock, asked } = await begin();
  await apply({ type: 'check.asked' });
  for (const symbols of [[], [], ['BTCUSDT']]) {
    await apply({ type: 'xstate.done.actor.check', output: verdict({ ladder: ladder(...symbols) }) });
    expect(actor.getSnapshot().hasTag('unsettled')).toBe(false);
    clock.increment(5000);
  }
  clock.increment(60_000);
  expect(asked('check')).toHaveLength(3);
});

test('a coin that the exchange does not have is no coin without a price', async () => {
  const { apply, clock, asked } = await begin();
  await apply({ type: 'check.asked' });
  const unknown = { path: 'coins.symbols.0', code: 'SYMBOL_UNKNOWN', message: 'Unknown.' };
  await apply({ type: 'xstate.done.actor.check', output: verdict({ valid: false, errors: [unknown], ladder: ladder() }) });
  clock.increment(60_000);
  expect(asked('check')).toHaveLength(1);
});

test('a save whose answer was lost goes again under its key; another draft, or an answered one, has a key of its own', async () => {
  const { actor, apply, keys, save, failsWith } = await begin();
  await save();
  await failsWith('timeout');
  expect(actor.getSnapshot().context.problem?.code).toBe('timeout');
  await apply({ type: 'draft.changed', draft: structuredClone(draft), editing: undefined } as never);
  await save();
  await failsWith('timeout');
  await apply({ type: 'draft.changed', draft: setField(draft, 'name', 'Other'), editing: undefined } as never);
  await save();
  await failsWith('name-taken');
  await save();
  expect(keys()).toEqual(['key 1', 'key 1', 'key 2']);
  await apply({ type: 'check.asked' });
  await apply({ type: 'xstate.done.actor.check', output: verdict({}) });
  await save();
  expect(keys()).toEqual(['key 1', 'key 1', 'key 2', 'key 3']);
});

test('a save that could not reach the server can be asked for again as soon as one likes', async () => {
  const { actor, apply, save, failsWith } = await begin();
  await apply({ type: 'check.asked' });
  await apply({ type: 'xstate.done.actor.check', output: verdict({}) });
  await save();
  await failsWith('offline');
  expect(actor.getSnapshot().can({ type: 'save.asked', sellNow: false, start: false })).toBe(true);
});

test('what was changed while it was being saved is judged, not blamed for what was sent', async () => {
  const { actor, apply, save } = await begin();
  await save();
  const larger = setField(draft, 'entry.size.value', '2000');
  await apply({ type: 'draft.changed', draft: larger, editing: undefined } as never);
  await apply({ type: 'xstate.error.actor.save', error: refused });
  expect(actor.getSnapshot().value).toEqual({ editing: 'pausing' });
  expect(actor.getSnapshot().context).toMatchObject({ draft: larger, errors: [] });
});

test('nothing is saved over what somebody else saved until the draft goes on from there', async () => {
  const { actor, apply, keys, save } = await begin(draft, editing);
  await save();
  await apply({ type: 'xstate.error.actor.save', error: { code: 'version-conflict' } });
  await apply({ type: 'xstate.done.actor.getNewest', output: bot(4) });
  await save();
  expect(keys()).toHaveLength(1);
  await apply({ type: 'conflict.resolved' });
  await apply({ type: 'draft.changed', draft, editing: { ...editing, version: 4 } } as never);
  await save();
  expect(keys()).toHaveLength(2);
  expect(actor.getSnapshot().context.editing?.version).toBe(4);
});

test('what would be sold at once is sold only after consent', async () => {
  const { actor, apply, asked, save } = await begin(draft, editing);
  await save();
  await apply({ type: 'xstate.error.actor.save', error: { code: 'would-sell-now', detail: 'Sells 1 BTC.' } });
  expect(actor.getSnapshot().context.sale).toBe('Sells 1 BTC.');
  await apply({ type: 'check.asked' });
  await apply({ type: 'xstate.done.actor.check', output: verdict({}) });
  await apply({ type: 'save.asked', sellNow: true, start: false } as never);
  expect(asked('save').map(({ input }) => (input as { sellNow: boolean }).sellNow)).toEqual([false, true]);
  expect(actor.getSnapshot().context.sale).toBeUndefined();
});

test('what one draft would sell is no consent to sell by another', async () => {
  const { actor, apply, save } = await begin(draft, editing);
  await save();
  await apply({ type: 'draft.changed', draft: setField(draft, 'takeProfit.levels', []), editing } as never);
  await apply({ type: 'xstate.error.actor.save', error: { code: 'would-sell-now', detail: 'Sells 1 BTC.' } });
  expect(actor.getSnapshot()).toMatchObject({ value: { editing: 'pausing' }, context: { sale: undefined } });
});

test('a bot that is saved and cannot be started is saved all the same, with the reason; a retry of the save starts it once', async () => {
  const { actor, apply, asked, keys, failsWith } = await begin();
  const announced: BotDraftEmitted[] = [];
  actor.on('*', (event) => announced.push(event));
  const start = () => apply({ type: 'save.asked', sellNow: false, start: true } as never);
  await apply({ type: 'check.asked' });
  await apply({ type: 'xstate.done.actor.check', output: verdict({}) });
  await start();
  await failsWith('timeout');
  expect(asked('start')).toHaveLength(0);
  await start();
  expect(keys()).toEqual(['key 1', 'key 1']);
  await apply({ type: 'xstate.done.actor.save', output: verdict({ autoTrade: bot(1) }) });
  expect(actor.getSnapshot()).toMatchObject({ value: 'starting', tags: new Set(['busy']) });
  expect(announced).toEqual([]);
  // Whatever a person does meanwhile, there is one start and no second save.
  await start();
  await apply({ type: 'draft.changed', draft: setField(draft, 'name', 'Other'), editing: undefined } as never);
  await apply({ type: 'xstate.error.actor.start', error: { code: 'trading-disabled' } });
  expect([asked('save').length, asked('start').length]).toEqual([2, 1]);
  expect(announced).toMatchObject([{ bot: { id: 'b1', configVersion: 1 }, notStarted: { code: 'trading-disabled' } }]);
  expect(actor.getSnapshot().value).toBe('saved');
});
