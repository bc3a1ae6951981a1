/**
 * A flat statechart as data: one level of states, transitions with at most one named guard and one named action.
 * XState runs it, the screens draw it, and `compileChart` turns the same object into a table for the hot path.
 * No parallel regions, no `after`: timeouts are events of the engine's clock.
 */
export type ChartTransition = { readonly target?: string; readonly guard?: string; readonly actions?: string };
export type Chart = {
  readonly id: string;
  readonly initial: string;
  readonly states: Readonly<
    Record<string, { readonly type?: 'final'; readonly on?: Readonly<Record<string, readonly ChartTransition[]>> }>
  >;
};

export type Reducers<Context, Event> = Readonly<Record<string, (context: Context, event: Event) => Context>>;
export type Guards<Context, Event> = Readonly<Record<string, (context: Context, event: Event) => boolean>>;

export type Advanced<State extends string, Context> = { readonly state: State; readonly context: Context };

type Edge<Context, Event> = {
  readonly target: number;
  readonly guard: ((context: Context, event: Event) => boolean) | undefined;
  readonly reduce: ((context: Context, event: Event) => Context) | undefined;
};

/**
 * Compiles a chart to a dense [state][event] table. The result answers the next state and context, or undefined
 * when the state does not handle the event (or no guard holds), exactly as XState would leave it unchanged.
 * Throws on names the implementation lacks: a typo must not become a silent no-op.
 */
export function compileChart<State extends string, Context, Event extends { readonly type: string }>(
  chart: Chart,
  reducers: Reducers<Context, Event>,
  guards: Guards<Context, Event>,
): (state: State, context: Context, event: Event) => Advanced<State, Context> | undefined {
  const names = Object.keys(chart.states) as State[];
  const stateIndex = new Map(names.map((name, index) => [name as string, index]));
  const table = names.map((name, index) => {
    const row = new Map<string, readonly Edge<Context, Event>[]>();
    for (const [type, transitions] of Object.entries(chart.states[name]?.on ?? {})) {
      row.set(
        type,
        transitions.map(({ target, guard, actions }) => {
          const to = target === undefined ? index : stateIndex.get(target);
          if (to === undefined) throw new RangeError(`${chart.id}: no state ${target}`);
          if (guard !== undefined && !guards[guard]) throw new RangeError(`${chart.id}: no guard ${guard}`);
          if (actions !== undefined && !reducers[actions]) throw new RangeError(`${chart.id}: no action ${actions}`);
          return {
            target: to,
            guard: guard === undefined ? undefined : guards[guard],
            reduce: actions === undefined ? undefined : reducers[actions],
          };
        }),
      );
    }
    return row;
  });
  return (state, context, event) => {
    const from = stateIndex.get(state);
    const edges = from === undefined ? undefined : table[from]?.get(event.type);
    if (!edges) return undefined;
    for (const edge of edges) {
      if (edge.guard && !edge.guard(context, event)) continue;
      return { state: names[edge.target]!, context: edge.reduce ? edge.reduce(context, event) : context };
    }
    return undefined;
  };
}
