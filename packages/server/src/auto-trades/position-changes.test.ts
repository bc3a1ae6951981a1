import type { AutoTradeConfig } from '@pilotfish/core/auto-trades/config/auto-trade-config';
import { advancePosition } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { botConfig } from '@pilotfish/core/testing/auto-trade-fixtures';
import { botStage } from '@pilotfish/core/testing/bot-stage';
import { expect, test } from 'vitest';
import { positionChanges } from './position-changes.ts';

test('of levels moved by hand only one that has yet to sell is said to be taken back', () => {
  const levels = [
    { gainPct: '2', sellPct: '50' },
    { gainPct: '4', sellPct: '50' },
  ];
  const entry = { ...botConfig().entry, trigger: { kind: 'immediate' as const }, trailing: { enabled: false } };
  const bot = botStage(botConfig({ entry, trailingCost: { enabled: false }, takeProfit: { levels } }));
  bot.walk([1000, 1000]);
  const context = { ...bot.context(), moved: { stop: null, trailingStart: null, takeProfit: ['1010'] } };
  const { config } = context.settings;
  const changed: AutoTradeConfig = { ...config, takeProfit: { levels: [levels[0]!, { gainPct: '6', sellPct: '50' }] } as never };
  const said = (levelsDone: number) => {
    const before = { state: bot.state(), context: { ...context, levelsDone } };
    const moment = { at: 1, price: '1000', bid: '1000', ask: '1000' };
    const event = { type: 'settings.changed', config: changed, configVersion: 2, ladder: [], ...moment } as const;
    const after = advancePosition(before.state, before.context, event)!;
    const preview = { symbol: 'BTCUSDT', positionId: context.positionId, before, after, ladderKept: false };
    return positionChanges({ preview, inspection: undefined }).map(({ what, wasMoved }) => [what, wasMoved]);
  };
  expect([said(0), said(1)]).toEqual([[['takeProfit', true]], [['takeProfit', false]]]);
});
