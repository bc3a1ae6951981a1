import type { AutoTradeLog } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { StoredTrace, TraceKind } from '@pilotfish/core/auto-trades/trace';
import type { Context } from '../app/context.ts';
import { UsageError } from '../app/failure.ts';
import { printRows, type Resource } from '../ui/output.ts';
import { follow, sayingAndAsking, untilEnd } from '../ui/stream.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { logLines, traces } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';

const PAGE = 200;

/**
 * The newest `count` of a paged list that `keep` wants, newest first; no further back than the first that is `over`.
 */
export async function newest<Item>(
  count: number,
  load: (page: number, pageSize: number) => Promise<{ items: Item[]; total: number }>,
  { keep = () => true, over = () => false }: { keep?: (item: Item) => boolean; over?: (item: Item) => boolean } = {},
  pageSize = Math.min(PAGE, count),
): Promise<Item[]> {
  const found: Item[] = [];
  let read = 0;
  for (let page = 1; found.length < count; page += 1) {
    const { items, total } = await load(page, pageSize);
    read += items.length;
    const end = items.findIndex(over);
    found.push(...(end < 0 ? items : items.slice(0, end)).filter(keep));
    if (end >= 0 || items.length < pageSize || read >= total) break;
  }
  return found.slice(0, count);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30m`, `2h`, `1d` ago, a day, or a moment in UTC, as epoch ms. @throws UsageError */
export function sinceTime(text: string, now: number): number {
  const [, count, unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (count !== undefined) return now - Number(count) * UNITS[unit]!;
  const time = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z)?$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new UsageError('since', { value: text });
  return time;
}

type Choice = { coin?: string; position?: string; since?: string; watch?: true; limit: string };
type Dated = { readonly at: string; readonly symbol: string | null; readonly positionId: string | null };

/** Which rows are wanted, and where the list may end. */
function choose<Row extends Dated>({ coin, position, since }: Choice, now: number, more: (row: Row) => boolean) {
  const symbol = coin?.toUpperCase();
  const from = since === undefined ? undefined : sinceTime(since, now);
  return {
    keep: (row: Row): boolean =>
      (symbol === undefined || row.symbol === symbol) &&
      (position === undefined || row.positionId?.startsWith(position) === true) &&
      more(row),
    over: (row: Row): boolean => from !== undefined && Date.parse(row.at) < from,
    isNarrow: symbol !== undefined || position !== undefined,
  };
}

export type LogOptions = Choice & { bot: string; level?: AutoTradeLog['level']; code?: string };

/** Log lines, oldest first; with --watch the new ones follow. */
export async function logs(context: Context, options: LogOptions): Promise<void> {
  const { bot, level, code, watch } = options;
  const count = wholeNumber(options.limit, '--limit') ?? 50;
  const chosen = choose<AutoTradeLog>(
    options,
    context.now(),
    (row) => (level === undefined || row.level === level) && (code === undefined || row.code.toLowerCase() === code.toLowerCase()),
  );
  const client = await botsClient(context);
  const { id, currency } = await findBot(client, bot);
  const page = chosen.isNarrow || level !== undefined || code !== undefined ? PAGE : Math.min(PAGE, count);
  const load = (wanted: number, size: number) =>
    newest<AutoTradeLog>(
      wanted,
      (number, pageSize) => client.listAutoTradeLogs({ params: { id }, query: { page: number, pageSize } }),
      chosen,
      size,
    );
  const rows = (await load(count, page)).reverse();
  const seen = new Set(rows.map((row) => row.id));
  await stay(context, {
    id,
    watch: watch === true,
    resource: logLines(await context.texts(), currency),
    rows,
    fresh: async () => {
      const found = (await load(PAGE, PAGE)).filter((row) => !seen.has(row.id)).reverse();
      for (const row of found) seen.add(row.id);
      return found;
    },
  });
}

export type TraceOptions = Choice & { bot: string; kind?: TraceKind };

/** Traces as they happened, oldest first; with --watch the new ones follow. */
export async function trace(context: Context, options: TraceOptions): Promise<void> {
  const { bot, kind, watch } = options;
  const count = wholeNumber(options.limit, '--limit') ?? 50;
  const chosen = choose<StoredTrace>(options, context.now(), (row) => kind === undefined || row.kind === kind);
  const client = await botsClient(context);
  const { id, currency } = await findBot(client, bot);
  const load = (wanted: number, size: number) =>
    newest<StoredTrace>(
      wanted,
      (page, pageSize) => client.listAutoTradeTraces({ params: { id }, query: { page, pageSize, ...(kind ? { kind } : {}) } }),
      chosen,
      size,
    );
  const rows = (await load(count, chosen.isNarrow ? PAGE : Math.min(PAGE, count))).reverse();
  let last = rows.at(-1)?.seq ?? 0;
  await stay(context, {
    id,
    watch: watch === true,
    resource: traces(await context.texts(), currency),
    rows,
    fresh: async () => {
      const found = (await load(PAGE, PAGE)).filter(({ seq }) => seq > last).reverse();
      last = Math.max(last, ...found.map(({ seq }) => seq));
      return found;
    },
  });
}

type Stay<Row extends object> = {
  id: string;
  watch: boolean;
  resource: Resource<Row>;
  rows: readonly Row[];
  /** What came since it was asked last, oldest first. */
  fresh: () => Promise<Row[]>;
};

/** Prints what there is, and with --watch whatever the bot adds, one ask at a time however much it says. */
async function stay<Row extends object>(context: Context, { id, watch, resource, rows, fresh }: Stay<Row>): Promise<void> {
  const { globals } = context;
  const out = watch ? { ...context, globals: { ...globals, jsonl: globals.json || globals.jsonl, json: false } } : context;
  await printRows(out, resource, rows);
  if (!watch) return;
  const controller = untilEnd(context);
  let asking = false;
  let again = false;
  const ask = async (): Promise<void> => {
    again = asking;
    if (asking) return;
    asking = true;
    try {
      const found = await fresh();
      if (found.length > 0) await printRows(out, resource, found);
    } catch {
      // A failure is not shown here: the stream says that the connection is lost, and the next event asks again.
    }
    asking = false;
    if (again && !controller.signal.aborted) await ask();
  };
  await follow(context, {
    topics: ['auto-trades'],
    signal: controller.signal,
    onStatus: sayingAndAsking(context, () => void ask()),
    onReset: () => void ask(),
    onMessage: (topic, payload) => {
      if (topic === 'auto-trades' && 'autoTradeId' in payload && payload.autoTradeId === id) void ask();
    },
  });
}
