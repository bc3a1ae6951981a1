import { expect, test } from 'vitest';
import { allowedBotActions, BOT_EVENTS, NEEDS_TRADING, withoutTrading } from './allowed-actions.ts';
import { type AutoTradeStateName, advanceAutoTrade, newAutoTradeContext } from './engine/auto-trade-machine.ts';

const frozen = { ...newAutoTradeContext, exits: 'freeze' as const };
const halted = { ...newAutoTradeContext, mustAcknowledge: true };

test.each([
  ['draft', newAutoTradeContext, ['delete']],
  ['disabled', newAutoTradeContext, ['enable', 'freeze', 'reset', 'delete', 'halt']],
  ['disabled', frozen, ['enable', 'unfreeze', 'reset', 'delete', 'halt']],
  ['disabled', halted, ['acknowledge', 'reset', 'delete', 'halt']],
  ['running', newAutoTradeContext, ['disable', 'freeze', 'halt']],
  ['paused', newAutoTradeContext, ['resume', 'disable', 'freeze', 'halt']],
  ['blocked', newAutoTradeContext, ['disable', 'freeze', 'halt']],
  ['halted', halted, ['acknowledge', 'disable']],
  ['deleted', newAutoTradeContext, []],
] as const)('a bot that is %s', (state, context, actions) => {
  expect(allowedBotActions(state, context, true)).toEqual(actions);
  // What holds nothing has nothing to freeze.
  expect(allowedBotActions(state, context, false)).toEqual(actions.filter((action) => action !== 'freeze'));
});

test('whatever is offered changes something', () => {
  const states: AutoTradeStateName[] = ['draft', 'disabled', 'running', 'paused', 'blocked', 'halted', 'deleted'];
  for (const state of states)
    for (const context of [newAutoTradeContext, frozen, halted])
      for (const action of allowedBotActions(state, context, true)) {
        const next = advanceAutoTrade(state, context, BOT_EVENTS[action]);
        expect([state, action, next]).not.toEqual([state, action, { state, context }]);
        expect([state, action, next]).not.toEqual([state, action, undefined]);
      }
});

test('keys that may not trade withhold what starts trading or sells by hand, in every state, and nothing else', () => {
  const states: AutoTradeStateName[] = ['draft', 'disabled', 'running', 'paused', 'blocked', 'halted', 'deleted'];
  for (const state of states)
    for (const context of [newAutoTradeContext, frozen, halted]) {
      const actions = allowedBotActions(state, context, true);
      expect(withoutTrading(actions, NEEDS_TRADING.bot, false)).toEqual({ allowed: actions, withheld: [] });
      const { allowed, withheld } = withoutTrading(actions, NEEDS_TRADING.bot, true);
      // Nothing that is left lets it look for entries; what stops it and what lets exits go is left.
      for (const action of allowed) expect(advanceAutoTrade(state, context, BOT_EVENTS[action])?.state).not.toBe('running');
      expect([...allowed, ...withheld.map(({ action }) => action)].sort()).toEqual([...actions].sort());
    }
  expect(withoutTrading(['resume', 'sell', 'detach', 'target'], NEEDS_TRADING.position, true)).toEqual({
    allowed: ['resume', 'detach', 'target'],
    withheld: [{ action: 'sell', reason: 'trading-disabled' }],
  });
});
