import type { StreamTopic } from '@pilotfish/core/http/stream-contract';
import type { Context } from '../app/context.ts';
import { formatOf, printRows, type Resource, table } from './output.ts';
import { follow, sayingAndAsking, untilEnd } from './stream.ts';
import { heightOf } from './terminal-size.ts';
import { openTextScreen } from './text-screen.ts';

/** Reloads are put together: however many events arrive, the server is asked once in this time. */
const RELOAD_MS = 1_000;

/**
 * A list that stays: a table that redraws itself, or the rows that changed as lines.
 * @param topics the stream topics after which the list may read differently
 * @param below what stands under the table, of what was loaded last
 * @param news what of a row is told as a line once it changed; figures that move with every price are none
 */
export async function watchRows<Row extends object>(
  context: Context,
  resource: Resource<Row>,
  load: () => Promise<readonly Row[]>,
  topics: readonly StreamTopic[],
  below: () => Promise<string> = async () => '',
  news: (row: Row) => unknown = (row) => row,
): Promise<void> {
  let rows = await load();
  const controller = untilEnd(context);
  const text = async (): Promise<string> => {
    const more = await below();
    const room = heightOf(context) - 1 - (more === '' ? 0 : more.split('\n').length + 1);
    return `${await table(context, resource.columns, rows.slice(0, Math.max(1, room)))}${more === '' ? '' : `\n${more}\n`}`;
  };
  const screen = formatOf(context) === 'table' ? openTextScreen(context, text) : undefined;
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.json || context.globals.jsonl, json: false } };
  if (!screen) await printRows(asLines, resource, rows);
  const reload = async () => {
    const before = new Set(rows.map((row) => JSON.stringify(news(row))));
    rows = await load();
    if (screen) screen.changed();
    else {
      const changed = rows.filter((row) => !before.has(JSON.stringify(news(row))));
      if (changed.length > 0) await printRows(asLines, resource, changed);
    }
  };
  let due: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    due ??= setTimeout(() => {
      due = undefined;
      // A failure is not shown here: the stream says that the connection is lost, and the next event tries again.
      void reload().catch(() => undefined);
    }, RELOAD_MS);
  };
  try {
    await follow(context, { topics, signal: controller.signal, onStatus: sayingAndAsking(context, soon), onReset: soon, onMessage: soon });
  } finally {
    clearTimeout(due);
  }
}
