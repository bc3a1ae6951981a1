import { listTickers, type Ticker } from '@pilotfish/core/prices/prices-contract';
import { formatSpan } from '@pilotfish/core/time/duration';
import type { Context } from '../app/context.ts';
import { offeredPairs } from '../app/price-places.ts';
import { colours } from '../ui/colour.ts';
import { formatOf, printRows, table } from '../ui/output.ts';
import { follow, sayingConnection, untilEnd } from '../ui/stream.ts';
import { heightOf } from '../ui/terminal-size.ts';
import { openTextScreen } from '../ui/text-screen.ts';
import { livePrices } from './live-prices.ts';
import { choose, noSuchPair, type PriceChoice } from './price-choice.ts';
import { prices } from './price-columns.ts';
import { emptyText, taggedSymbols, watchedSymbols } from './prices.ts';

/** The status line counts seconds, and marks of changes fade, although nothing arrives. */
const BEAT_MS = 500;

/** Live prices: a table that redraws itself, or one row per change. */
export async function watch(context: Context, { symbols, ...choice }: PriceChoice & { symbols: string[] }): Promise<void> {
  choose([], choice);
  const wanted = new Set(symbols.map((symbol) => symbol.toUpperCase()));
  const client = await context.client({ listTickers });
  const [tagged, watched, isOffered] = await Promise.all([
    taggedSymbols(context, choice.tag),
    watchedSymbols(context, choice.watchlist),
    offeredPairs(context),
  ]);
  const live = livePrices(context.now);
  const load = async (): Promise<void> => {
    const { items, stale, asOf } = await client.listTickers();
    if (live.rows().length === 0) {
      const known = new Set(items.map(({ symbol }) => symbol));
      for (const symbol of wanted) if (!known.has(symbol)) throw noSuchPair(symbol, [...known]);
    }
    live.load(items, { stale, asOf });
  };
  // What somebody names is watched, as what somebody holds keeps its price.
  const isNamed = ({ symbol }: Ticker) => (wanted.size === 0 ? isOffered(symbol) : wanted.has(symbol)) && watched?.has(symbol) !== false;
  const chosen = (rows: readonly Ticker[]) => choose(rows.filter(isNamed), choice, tagged);
  await load();
  const controller = untilEnd(context);
  const t = await context.texts();
  const paint = colours(context, context.stdout);
  const text = async (): Promise<string> => {
    const rows = chosen(live.rows()).slice(0, Math.max(1, heightOf(context) - 3));
    const body =
      rows.length === 0
        ? `${t(`cli.empty.${emptyText(watched)}`)}\n`
        : await table(context, live.columns(prices.columns, context.unicode), rows);
    const { status, age } = live.state();
    const said = t(`cli.prices.state.${status}`, { time: formatSpan(age, context.language), at: live.asOfText() });
    return `${body}\n${status === 'live' ? paint.dim(said) : paint.yellow(said)}\n`;
  };
  const screen = formatOf(context) === 'table' ? openTextScreen(context, text) : undefined;
  const beat = screen ? setInterval(screen.changed, BEAT_MS) : undefined;
  const asLines = { ...context, globals: { ...context.globals, jsonl: context.globals.jsonl || context.globals.json, json: false } };
  const say = sayingConnection(context);
  if (!screen) await printRows(asLines, prices, chosen(live.rows()));
  try {
    await follow(context, {
      topics: ['tickers'],
      signal: controller.signal,
      onReset: () =>
        void load().then(
          () => screen?.changed(),
          () => undefined,
        ),
      onStatus: (status) => {
        live.connection(status);
        if (screen) screen.changed();
        else say(status);
      },
      onMessage: (topic, payload) => {
        if (topic !== 'tickers' || !('items' in payload)) return;
        const changed = live.apply(payload);
        if (screen) screen.changed();
        else if (changed.length > 0) void printRows(asLines, prices, chosen(changed));
      },
    });
  } finally {
    clearInterval(beat);
  }
}
