import type { ShownProblem } from '@pilotfish/core/http/problem';
import type { PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { useSelector } from '@xstate/react';
import { Box, Text, useInput, useStdout } from 'ink';
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import stringWidth from 'string-width';
import type { Translate } from '../app/texts.ts';
import { type Colours, isPainted } from '../ui/colour.ts';
import { shorten } from '../ui/shorten.ts';
import { layoutTable } from '../ui/table-layout.ts';
import { commandEvent, offerEvent, offerOf } from './dashboard-commands.ts';
import type { DashboardData, DashboardState } from './dashboard-data.ts';
import { DETAILS, type Pane, whyLines } from './dashboard-details.ts';
import { bottomLines, frameTop, helpLines, statusLine } from './dashboard-frame.ts';
import { type Intent, intentOf, type Key, type Mode, ROW_KEYS } from './dashboard-keys.ts';
import type { DashboardActor, DashboardContext, Tab } from './dashboard-machine.ts';
import { type RowOf, shownRows, TABLES, type TabTable, type Words } from './dashboard-rows.ts';

/** From this width on, what a row holds stands beside the list. */
const WIDE = 130;
/** Tabs, heading of the table, status and the line of keys. */
const AROUND = 4;

type Props = {
  readonly actor: DashboardActor;
  readonly data: Pick<DashboardData, 'store' | 'look' | 'want'>;
  readonly t: Translate;
  readonly language: string;
  readonly unicode: boolean;
  readonly paint: Colours;
  readonly now: () => number;
  readonly alertText: (alert: PriceAlert) => string;
  readonly problemText: (problem: ShownProblem) => string;
  readonly leave: (exit: number) => void;
};

/** A terminal that is not raw for a moment sends the one as the other. */
const isEnter = (input: string): boolean => input === '\r' || input === '\n';

/** The whole screen: five tabs over one account, drawn as lines of text, moved by the keyboard's machine. */
export function DashboardView({ actor, data, t, language, unicode, paint, now, alertText, problemText, leave }: Props) {
  const state = useSyncExternalStore(data.store.subscribe, data.store.get);
  const snapshot = useSelector(actor, (each) => each);
  useClock(1_000);
  const { columns, rows: height } = useTerminalSize();
  const { context } = snapshot;
  const { tab } = context;
  const words = useMemo<Words>(() => ({ t, unicode, alertText }), [t, unicode, alertText]);
  const table = TABLES[tab] as unknown as TabTable<RowOf[Tab]>;
  const known = table.rows(state, words);
  const rows = useMemo(
    () => shownRows(table, known ?? [], { filter: context.filters[tab], sort: context.sorts[tab] }, state, words),
    [table, known, context.filters, context.sorts, tab, words, state],
  );
  // The cursor stands on the first row until it is moved. A row that goes away by itself leaves it on none: what was
  // meant for that row must never meet another. While one filters, the first row that is left has it.
  const chosenAt = rows.findIndex((each) => table.key(each) === context.selected[tab]);
  const isGone = chosenAt === -1 && context.selected[tab] !== undefined && !snapshot.matches('filtering');
  const at = Math.max(0, chosenAt);
  const row = isGone ? undefined : rows[at];
  const lastAt = useRef(0);
  useEffect(() => {
    if (!isGone) lastAt.current = at;
  }, [isGone, at]);
  const screen = snapshot.matches({ looking: 'detail' })
    ? 'detail'
    : snapshot.matches({ looking: 'why' })
      ? 'why'
      : snapshot.matches({ looking: 'help' })
        ? 'help'
        : 'list';
  const room = Math.max(3, height - 1 - AROUND);
  const isWide = columns >= WIDE && screen !== 'detail';
  const listWidth = isWide ? Math.floor(columns * 0.52) : columns;

  useEffect(() => {
    if (snapshot.status === 'done') leave(context.exit);
  }, [snapshot.status, context.exit, leave]);
  useEffect(() => data.look(table.list), [data, table]);
  const key = row && table.key(row);
  useEffect(() => {
    if (key !== undefined && context.selected[tab] !== key) actor.send({ type: 'row.selected', key });
  }, [actor, key, context.selected, tab]);
  useEffect(() => wantDetail(data, tab, row, isWide || screen !== 'list'), [data, tab, row, isWide, screen]);

  const detailPane: Pane = {
    width: isWide ? columns - listWidth - 3 : columns,
    height: room + 1,
    paint,
    coloured: isPainted(paint),
  };
  const detail = (): string[] => {
    if (screen === 'help') return helpLines(t, paint);
    if (!row) return isGone && rows.length > 0 ? [t('cli.dashboard.gone')] : [];
    if (screen === 'why' && tab === 'bots') return whyLines(row as RowOf['bots'], state, words, detailPane);
    return (DETAILS[tab] as (row: RowOf[Tab], ...more: [DashboardState, Words, Pane]) => string[])(row, state, words, detailPane);
  };
  const beside = isWide || screen !== 'list' ? detail() : [];
  const scroll = Math.min(context.scroll, Math.max(0, beside.length - (room + 1)));

  const move = (by: Extract<Intent, { kind: 'move' }>['by']): void => {
    const step = by === 'page' ? room : by === '-page' ? -room : by === 'first' ? -Infinity : by === 'last' ? Infinity : by;
    if (screen !== 'list') {
      const last = Math.max(0, beside.length - (room + 1));
      actor.send({ type: 'scrolled', to: Math.min(last, Math.max(0, Math.min(last, actor.getSnapshot().context.scroll) + step)) });
      return;
    }
    const chosen = actor.getSnapshot().context.selected[tab];
    const found = rows.findIndex((each) => table.key(each) === chosen);
    // Of a row that went away: down is what took its place, up is what stood above it.
    const from = found >= 0 ? found : isGone ? lastAt.current - (step > 0 ? 1 : 0) : 0;
    const next = rows[Math.min(rows.length - 1, Math.max(0, from + step))];
    if (next) actor.send({ type: 'row.selected', key: table.key(next) });
  };
  const press = (input: string, pressed: Key): void => {
    // As it is now, not as it was drawn: of keys pressed faster than frames none is lost.
    const fresh = actor.getSnapshot();
    const intent = intentOf(modeOf(fresh), fresh.context.tab, fresh.context.text, input, pressed);
    if (!intent) return;
    if (intent.kind === 'move') move(intent.by);
    else if (intent.kind === 'sort') actor.send({ type: 'sort.next', columns: table.sorts.length });
    else if (intent.kind === 'type') actor.send({ type: 'text.changed', text: intent.text });
    else if (intent.kind === 'row') {
      if (intent.does === 'alert') actor.send({ type: 'alert.begun', text: alertBegin(tab, row) });
      else {
        const newest = row && table.rows(data.store.newest(), words)?.find((each) => table.key(each) === key);
        const offer = offerOf(intent.does, newest, t);
        if (offer) actor.send(offerEvent(offer));
      }
    } else if (intent.event.type === 'text.confirmed' && fresh.matches('commanding'))
      actor.send(commandEvent(fresh.context.text, data.store.newest().bots ?? [], t));
    else actor.send(intent.event);
  };
  useInput((input, pressed) => {
    // Keys pressed together arrive as one text.
    if (input.length > 1 && !pressed.ctrl && !pressed.meta)
      for (const letter of input) press(letter, isEnter(letter) ? { return: true } : {});
    else press(input, isEnter(input) ? { ...pressed, return: true } : (pressed as Key));
  });

  const [widestOf] = useState(rememberWidths);
  const problem = table.list && state.problems.get(table.list);
  const list = listLines({
    table,
    rows,
    at: isGone ? -1 : at,
    room,
    listWidth,
    context,
    pairs: state.pairs,
    words,
    paint,
    widest: widestOf(`${tab} ${columns}`),
  });
  const empty = problem && !known ? problemText(problem) : !known ? t('cli.dashboard.loading') : t(emptyKey(tab, context.filters[tab]));
  const left = rows.length > 0 ? list : [list[0] ?? '', '', `  ${paint.dim(empty)}`];
  const shown = beside.slice(scroll, scroll + room + 1);
  const body = Array.from({ length: room + 1 }, (_, index) => {
    if (isWide) return `${fit(left[index] ?? '', listWidth, unicode)} ${paint.dim(unicode ? '│' : '|')} ${shown[index] ?? ''}`;
    return screen === 'list' ? (left[index] ?? '') : (shown[index] ?? '');
  });
  const refusedKeys = Object.entries(ROW_KEYS[tab] ?? {}).flatMap(([letter, does]) => {
    const offer = offerOf(does, row, t);
    return offer && 'refused' in offer ? [letter] : [];
  });
  const bottom = bottomLines({ snapshot, screen, refusedKeys, t, paint, unicode, problemText, room: columns });
  // A question takes its further lines from the list above it, and is never cut at its end.
  const forBody = Math.max(0, height - 1 - 2 - bottom.length);
  const lines = [
    frameTop({ tab, state, t, language, paint, unicode, columns, now: now() }),
    ...body.slice(0, bottom.length > 1 ? forBody : undefined),
    statusLine({
      state,
      t,
      paint,
      columns,
      count: rows.length,
      of: known?.length ?? 0,
      filter: context.filters[tab],
      problem: problem && problemText(problem),
    }),
    ...bottom.slice(-Math.max(1, height - 3)),
  ];
  return (
    <Box flexDirection="column" width={columns} height={Math.max(1, height - 1)}>
      {lines.slice(0, Math.max(1, height - 1)).map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen is its place
        <Text key={index} wrap="truncate">
          {line === '' ? ' ' : line}
        </Text>
      ))}
    </Box>
  );
}

const modeOf = (snapshot: ReturnType<DashboardActor['getSnapshot']>): Mode =>
  snapshot.matches('looking')
    ? 'looking'
    : snapshot.matches('confirming')
      ? 'confirming'
      : snapshot.matches('selling')
        ? 'selling'
        : snapshot.matches('working')
          ? 'working'
          : 'typing';

const emptyKey = (tab: Tab, filter: string): string => (filter.trim() === '' ? `cli.dashboard.empty.${tab}` : 'cli.dashboard.nothingFound');

/** Padded or cut to exactly so many columns. */
function fit(line: string, width: number, unicode: boolean): string {
  const wide = stringWidth(line);
  return wide > width ? shorten(line, width, unicode, stringWidth) : line + ' '.repeat(width - wide);
}

function listLines(parts: {
  table: TabTable<RowOf[Tab]>;
  rows: readonly RowOf[Tab][];
  at: number;
  room: number;
  listWidth: number;
  context: DashboardContext;
  pairs: DashboardState['pairs'];
  words: Words;
  paint: Colours;
  widest: Map<string, number>;
}): string[] {
  const { table, rows, at, room, listWidth, context, pairs, words, paint, widest } = parts;
  const first = Math.max(0, Math.min(at - Math.floor(room / 2), rows.length - room));
  const sort = context.sorts[context.tab];
  const [sorted] = table.sorts[sort.column % table.sorts.length]!;
  const [down, up] = words.unicode ? ['▾', '▴'] : ['v', '^'];
  const columns = table.columns(words).map((column) => {
    const head = column.head ?? words.t(`cli.columns.${column.key}`);
    return { ...column, head: column.key === sorted ? `${head} ${sort.turned ? up : down}` : head };
  });
  const { head, body } = layoutTable(columns, rows.slice(first, first + room), {
    room: listWidth - 2,
    unicode: words.unicode,
    paint,
    width: stringWidth,
    t: words.t,
    places: (symbol) => pairs.get(symbol)?.pricePrecision,
    widest,
  });
  const mark = words.unicode ? '▌' : '>';
  return [
    `  ${head}`,
    ...body.map((line, index) => (first + index === at ? paint.marked(fit(`${mark} ${line}`, listWidth, words.unicode)) : `  ${line}`)),
  ];
}

/** Columns keep the widths they had: a table that scrolls does not jump. Another tab or size begins anew. */
function rememberWidths(): (of: string) => Map<string, number> {
  const known = new Map<string, Map<string, number>>();
  return (of) => {
    const widths = known.get(of) ?? new Map<string, number>();
    known.set(of, widths);
    return widths;
  };
}

/** What a new alert is begun with: the pair under the cursor. */
function alertBegin(tab: Tab, row: RowOf[Tab] | undefined): string {
  if (!row || tab === 'bots' || tab === 'activity') return '';
  const { symbol } = row as { symbol?: string };
  return symbol ? `${symbol} > ` : '';
}

function wantDetail(data: Props['data'], tab: Tab, row: RowOf[Tab] | undefined, isShown: boolean): void {
  if (!row || !isShown) return;
  if (tab === 'bots') data.want({ bot: (row as RowOf['bots']).id });
  else if (tab !== 'activity') {
    const { symbol } = row as { symbol?: string };
    if (symbol) data.want({ candlesOf: symbol });
  }
}

function useTerminalSize(): { columns: number; rows: number } {
  const { stdout } = useStdout();
  const read = () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 });
  const [size, setSize] = useState(read);
  useEffect(() => {
    const onResize = () => setSize(read());
    stdout.on('resize', onResize);
    return () => void stdout.off('resize', onResize);
  });
  return size;
}

/** Draws again every so often: ages grow while nothing arrives. */
function useClock(everyMs: number): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
