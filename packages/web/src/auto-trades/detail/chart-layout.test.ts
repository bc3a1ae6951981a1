import { autoTradeMachine } from '@pilotfish/core/auto-trades/engine/auto-trade-machine';
import { autoTradePositionMachine } from '@pilotfish/core/auto-trades/position/auto-trade-position-machine';
import { chartOf } from '@pilotfish/core/statechart/chart';
import { describe, expect, test } from 'vitest';
import { layOut, waysOut } from './chart-layout.ts';

const autoTradeChart = chartOf(autoTradeMachine);
describe.each([
  ['bot', autoTradeChart],
  ['position', chartOf(autoTradePositionMachine)],
])('%s', (_, chart) => {
  const { states, edges, columns, rows } = layOut(chart);
  test('every state of the machine is drawn once, at a place of its own', () => {
    expect(states.map(({ name }) => name).sort()).toEqual(Object.keys(chart.states).sort());
    expect(new Set(states.map(({ column, row }) => `${column},${row}`)).size).toBe(states.length);
    for (const { column, row } of states) {
      expect(column).toBeLessThan(columns);
      expect(row).toBeLessThan(rows);
    }
  });
  test('the start stands first and the ends stand last', () => {
    expect(states.find(({ name }) => name === chart.initial)?.column).toBe(0);
    for (const state of states) expect(state.final).toBe(state.column === columns - 1);
  });
  test('every edge joins two drawn states, and no state is unreachable', () => {
    const names = new Set(states.map(({ name }) => name));
    for (const { from, to } of edges) expect(names.has(from) && names.has(to)).toBe(true);
    for (const { name } of states) if (name !== chart.initial) expect(edges.some(({ to }) => to === name)).toBe(true);
  });
});

test('the ways out of a state are its own', () => {
  expect(waysOut(autoTradeChart, 'draft').map(({ to }) => to)).toEqual(['disabled', 'deleted']);
  expect(waysOut(autoTradeChart, 'deleted')).toEqual([]);
});
