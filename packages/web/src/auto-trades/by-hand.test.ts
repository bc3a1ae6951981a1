import { describe, expect, test } from 'vitest';
import { heights } from './ladder-drawing.tsx';
import { positionActions } from './position-actions.tsx';
import { actionsFor } from './use-auto-trades.ts';

describe('what may be done with a position', () => {
  test.each([
    ['Watching', '0', []],
    ['EntryPending', '0', []],
    ['Open', '0.5', ['sell', 'detach']],
    ['Protected', '0.5', ['sell', 'detach']],
    ['NeedsAttention', '0.5', ['resume', 'detach']],
    ['Closed', '0.001', []],
    ['Detached', '0.5', []],
  ] as const)('%s holding %s', (state, quantity, actions) => {
    expect(positionActions({ state, quantity })).toEqual(actions);
  });
});

describe('what may be done with a bot', () => {
  const bot = { openPositions: 1, mustAcknowledge: false };
  test('a pause is lifted, a halted bot is acknowledged, only a disabled one is deleted', () => {
    expect(actionsFor({ ...bot, state: 'Paused' })).toContain('resume');
    expect(actionsFor({ ...bot, state: 'Halted' })).toEqual(['acknowledge', 'disable']);
    expect(actionsFor({ ...bot, state: 'Disabled' })).toContain('delete');
    expect(actionsFor({ ...bot, state: 'Running' })).not.toContain('delete');
    expect(actionsFor({ ...bot, state: 'Disabled', mustAcknowledge: true })[0]).toBe('acknowledge');
  });
  test('freezing is offered only when something would freeze', () => {
    expect(actionsFor({ ...bot, state: 'Running' })).toContain('freeze');
    expect(actionsFor({ ...bot, state: 'Running', openPositions: 0 })).not.toContain('freeze');
  });
});

test('the ladder is drawn to scale, highest price on top; one price alone stands in the middle', () => {
  const [high, middle, low] = heights([110, 100, 90]);
  expect(high).toBeLessThan(middle!);
  expect(middle! - high!).toBeCloseTo(low! - middle!);
  expect(heights([5, 5])).toEqual([90, 90]);
});
