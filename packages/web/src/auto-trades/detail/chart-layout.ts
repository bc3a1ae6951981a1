import type { Chart } from '@pilotfish/core/statechart/chart';

export type DrawnState = { name: string; column: number; row: number; final: boolean };
export type DrawnEdge = { from: string; to: string; events: string[] };

/**
 * Where to draw a machine's states, from the chart of the machine that runs: a state stands one column right of the first
 * state that leads to it, final states stand in the last column. Nothing about a particular machine is known here.
 */
export function layOut(chart: Chart): { states: DrawnState[]; edges: DrawnEdge[]; columns: number; rows: number } {
  const names = Object.keys(chart.states);
  const column = new Map<string, number>([[chart.initial, 0]]);
  const queue = [chart.initial];
  for (let from = queue.shift(); from !== undefined; from = queue.shift())
    for (const { to } of chart.states[from]?.ways ?? []) {
      if (column.has(to)) continue;
      column.set(to, (column.get(from) ?? 0) + 1);
      queue.push(to);
    }
  const isFinal = (name: string) => chart.states[name]?.final === true;
  const living = names.filter((name) => column.has(name) && !isFinal(name));
  const last = Math.max(...living.map((name) => column.get(name) ?? 0)) + (names.some(isFinal) ? 1 : 0);
  for (const name of names) if (isFinal(name)) column.set(name, last);
  const filled = new Map<number, number>();
  const states = names
    .filter((name) => column.has(name))
    .map((name) => {
      const at = column.get(name) ?? 0;
      const row = filled.get(at) ?? 0;
      filled.set(at, row + 1);
      return { name, column: at, row, final: isFinal(name) };
    });
  return { states, edges: edgesOf(chart), columns: last + 1, rows: Math.max(...filled.values()) };
}

function edgesOf(chart: Chart): DrawnEdge[] {
  const edges = new Map<string, DrawnEdge>();
  for (const [from, { ways }] of Object.entries(chart.states))
    for (const { event, to } of ways) {
      const key = `${from}>${to}`;
      const edge = edges.get(key) ?? { from, to, events: [] };
      if (!edge.events.includes(event)) edge.events.push(event);
      edges.set(key, edge);
    }
  return [...edges.values()];
}

/** Events that lead somewhere from a state, for saying what may happen next. */
export const waysOut = (chart: Chart, from: string): DrawnEdge[] => edgesOf(chart).filter((edge) => edge.from === from);

/** The name users know a machine's state by: `needsAttention` → `NeedsAttention`. */
export const shownName = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1);
