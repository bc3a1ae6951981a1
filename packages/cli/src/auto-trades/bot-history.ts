import type { StoredTrace, TraceKind } from '@pilotfish/core/auto-trades/trace';
import type { Context } from '../app/context.ts';
import { printRows } from '../ui/output.ts';
import { follow, sayingConnection, untilEnd } from '../ui/stream.ts';
import { wholeNumber } from '../ui/whole-number.ts';
import { logLines, traces } from './bot-columns.ts';
import { botsClient, findBot } from './find-bot.ts';

const PAGE = 200;

/** The newest `count` of a paged list, newest first. */
export async function newest<Item>(
  count: number,
  load: (page: number, pageSize: number) => Promise<{ items: Item[]; total: number }>,
): Promise<Item[]> {
  const pageSize = Math.min(PAGE, count);
  const found: Item[] = [];
  for (let page = 1; found.length < count; page += 1) {
    const { items, total } = await load(page, pageSize);
    found.push(...items);
    if (items.length < pageSize || found.length >= total) break;
  }
  return found.slice(0, count);
}

export async function logs(context: Context, { bot, limit }: { bot: string; limit: string }): Promise<void> {
  const count = wholeNumber(limit, '--limit') ?? 50;
  const client = await botsClient(context);
  const { id } = await findBot(client, bot);
  const rows = await newest(count, (page, pageSize) => client.listAutoTradeLogs({ params: { id }, query: { page, pageSize } }));
  await printRows(context, logLines(await context.texts()), rows.reverse());
}

export type TraceOptions = { bot: string; limit: string; kind?: TraceKind; position?: string; watch?: true };

/** Traces as they happened, oldest first; with --watch the new ones follow. */
export async function trace(context: Context, { bot, limit, kind, position, watch }: TraceOptions): Promise<void> {
  const count = wholeNumber(limit, '--limit') ?? 50;
  const client = await botsClient(context);
  const { id, currency } = await findBot(client, bot);
  const choice = { ...(kind ? { kind } : {}), ...(position ? { positionId: position } : {}) };
  const load = (from: number) =>
    newest<StoredTrace>(from, (page, pageSize) => client.listAutoTradeTraces({ params: { id }, query: { page, pageSize, ...choice } }));
  const resource = traces(await context.texts(), currency);
  const out = watch
    ? { ...context, globals: { ...context.globals, jsonl: context.globals.json || context.globals.jsonl, json: false } }
    : context;
  const rows = (await load(count)).reverse();
  let seen = rows.at(-1)?.seq ?? 0;
  await printRows(out, resource, rows);
  if (!watch) return;
  const tell = async (found: readonly StoredTrace[]) => {
    const fresh = found.filter((row) => row.seq > seen && (!kind || row.kind === kind) && (!position || row.positionId === position));
    seen = Math.max(seen, ...found.map(({ seq }) => seq));
    if (fresh.length > 0) await printRows(out, resource, fresh);
  };
  const controller = untilEnd(context);
  await follow(context, {
    topics: ['auto-trades'],
    signal: controller.signal,
    onStatus: sayingConnection(context),
    onReset: () =>
      void load(PAGE)
        .then((found) => tell(found.reverse()))
        .catch(() => undefined),
    onMessage: (topic, payload) => {
      if (topic === 'auto-trades' && 'autoTradeId' in payload && payload.autoTradeId === id)
        void tell([...payload.traces].sort((a, b) => a.seq - b.seq));
    },
  });
}
