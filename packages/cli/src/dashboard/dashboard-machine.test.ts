import { title, transitionPaths, transitionTable } from '@pilotfish/core/testing/machine-paths';
import { describe, expect, test } from 'vitest';
import { dashboardCases, dashboardIdentity } from '../../testing/dashboard-paths.ts';
import { dashboardMachine } from './dashboard-machine.ts';

const paths = transitionPaths(dashboardMachine, { input: { tab: 'bots' }, identity: dashboardIdentity, cases: dashboardCases } as never);

test('the transition table is the reviewed one', async () => {
  await expect(transitionTable(paths, dashboardIdentity as never)).toMatchFileSnapshot('dashboard-machine.transitions.txt');
});

describe('what holds on every path', () => {
  test.each(paths.map((path) => [title(path), path] as const))('%s', (_, path) => {
    for (const [index, { state, event }] of path.steps.entries()) {
      const { context } = state as unknown as { context: import('./dashboard-machine.ts').DashboardContext };
      // Nothing dangerous is done that was not confirmed in the step before.
      if (state.value === 'working' && context.action?.dangerous) expect(event.type).toBe('action.confirmed');
      // What is under way or asked is one thing; on a list nothing is.
      expect(['working', 'confirming', 'selling'].includes(state.value as string) === (context.action !== undefined)).toBe(true);
      // Nothing is sold that was not named and asked for.
      if (state.value === 'selling') expect(context.action).toMatchObject({ sale: 'BTCUSDT is sold at once.', dangerous: true });
      if (index > 0 && event.type === 'back') expect(state.value).not.toBe('working');
      expect(context.scroll).toBeGreaterThanOrEqual(0);
    }
  });
});
