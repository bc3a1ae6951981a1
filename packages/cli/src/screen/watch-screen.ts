import type { FilterOptions } from '@pilotfish/core/prices/screener-contract';
import type { Context } from '../app/context.ts';
import { exactText } from '../ui/cell-text.ts';
import { formatOf, pickedRows, table } from '../ui/output.ts';
import { follow, sayingConnection, untilEnd } from '../ui/stream.ts';
import { heightOf } from '../ui/terminal-size.ts';
import { openTextScreen } from '../ui/text-screen.ts';
import { results } from './result-columns.ts';
import { type ScreenAnswer, summaryText } from './screen-run.ts';

/** The figures behind the screener are made once a second; it is asked half as often. */
const ASK_EVERY_MS = 2_000;

type Watched = { first: ScreenAnswer; load: () => Promise<ScreenAnswer>; options: FilterOptions };

/**
 * Results that stay: a table, or as lines what entered, changed and left (`event`).
 * Asked again when prices came in, at most every two seconds.
 */
export async function watchScreen(context: Context, { first, load, options }: Watched): Promise<void> {
  let answer = first;
  const resource = results(answer.columns, options);
  const controller = untilEnd(context);
  const text = async () =>
    `${await table(context, resource.columns, answer.items.slice(0, heightOf(context) - 3))}\n${await summaryText(context, answer)}\n`;
  const screen = formatOf(context) === 'table' ? openTextScreen(context, text) : undefined;
  const print = (event: 'entered' | 'changed' | 'left', items: ScreenAnswer['items']) => {
    if (context.globals.json || context.globals.jsonl) {
      for (const row of pickedRows(context, resource, items)) context.stdout.write(`${JSON.stringify({ event, ...row })}\n`);
      return;
    }
    for (const row of items) context.stdout.write(`${[event, ...resource.columns.map((column) => exactText(column, row))].join('\t')}\n`);
  };
  if (!screen) print('entered', answer.items);
  const ask = async () => {
    const before = new Map(answer.items.map((row) => [row.symbol, JSON.stringify(row)]));
    answer = await load();
    if (screen) return screen.changed();
    const now = new Set(answer.items.map(({ symbol }) => symbol));
    const gone = [...before].flatMap(([symbol, row]) => (now.has(symbol) ? [] : [JSON.parse(row) as ScreenAnswer['items'][number]]));
    print('left', gone);
    print(
      'entered',
      answer.items.filter(({ symbol }) => !before.has(symbol)),
    );
    print(
      'changed',
      answer.items.filter((row) => before.has(row.symbol) && before.get(row.symbol) !== JSON.stringify(row)),
    );
  };
  let due: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    due ??= setTimeout(() => {
      // One question at a time; a lost connection is told by the stream, and the next prices ask again.
      void ask()
        .catch(() => undefined)
        .finally(() => {
          due = undefined;
        });
    }, ASK_EVERY_MS);
  };
  try {
    await follow(context, {
      topics: ['tickers'],
      signal: controller.signal,
      onStatus: sayingConnection(context),
      onReset: soon,
      onMessage: soon,
    });
  } finally {
    clearTimeout(due);
  }
}
