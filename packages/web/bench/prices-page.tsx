import type { FilterOption, FilterResult } from '@pilotfish/core/prices/screener-contract';
import { operationsOf, SCREENER_FIELDS } from '@pilotfish/core/prices/screener-fields';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { PricesGrid } from '../src/prices/screener/prices-grid.tsx';
import { useLiveTickers } from '../src/prices/use-prices.ts';
import { benchApp } from './bench-app.tsx';

const PAIRS = 3000;
const COLUMNS = [
  'price',
  'change.24h',
  'change.1h',
  'quoteVolume',
  'highDistance.24h',
  'lowDistance.24h',
  'rsi.1h',
  'natr.1h',
  'spreadPct',
];
const options: ReadonlyMap<string, FilterOption> = new Map(
  SCREENER_FIELDS.map((field) => [
    field.key,
    {
      key: field.key,
      label: field.key,
      type: field.type,
      operations: [...operationsOf(field)],
      ...(field.unit ? { unit: field.unit } : {}),
    },
  ]),
);
let seed = 11;
const random = () => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const symbolOf = (index: number) => `C${index}USDT`;
const price = new Float64Array(PAIRS).map(() => 1 + random() * 1000);
const rowOf = (index: number): FilterResult => ({
  symbol: symbolOf(index),
  baseAsset: `C${index}`,
  quoteAsset: 'USDT',
  price: price[index]!.toFixed(4),
  values: Object.fromEntries(COLUMNS.map((id) => [id, (random() - 0.5) * 100])),
});

const sparklines = Array.from({ length: PAIRS }, (_, index) => ({
  symbol: symbolOf(index),
  points: Array.from({ length: 24 }, () => Math.floor(random() * 101)),
}));
const { around, feed } = await benchApp({ listSparklines: async () => ({ items: sparklines, until: '' }) });
const table: { renew: (rows: FilterResult[]) => void } = { renew: () => undefined };
/** An answer of the screener: new objects in another order. */
const newAnswer = () => Array.from({ length: PAIRS }, (_, index) => rowOf((index * 7 + 3) % PAIRS));
const nothing = new Set<string>();
const sort = [{ key: 'quoteVolume', direction: 'desc' as const }];
const ignore = () => undefined;
const precisionOf = () => 4;
const tag = (key: string) => key;

function Table() {
  useLiveTickers();
  const [rows, setRows] = useState(() => Array.from({ length: PAIRS }, (_, index) => rowOf(index)));
  useEffect(() => {
    table.renew = setRows;
  }, []);
  return (
    <PricesGrid
      rows={rows}
      columns={COLUMNS}
      options={options}
      precisionOf={precisionOf}
      tag={tag}
      sort={sort}
      onSort={ignore}
      favourites={nothing}
      onToggleFavourite={ignore}
      open={undefined}
      onOpen={ignore}
      density="comfortable"
    />
  );
}
createRoot(document.getElementById('root') as HTMLElement).render(around(<Table />));

const TICK_MS = 20;
const REFRESH_MS = 5000;

type Made = { updates: string[][]; answers: FilterResult[][] };
let made: Made = { updates: [], answers: [] };
/** Makes what `run` feeds, before anybody measures: the making of updates is not the table's work. */
function prepare(perSecond: number, milliseconds: number): void {
  const updates = Array.from({ length: Math.ceil((perSecond * milliseconds) / 1000) + perSecond }, () => {
    const index = Math.floor(random() * PAIRS);
    price[index]! *= 1 + (random() - 0.5) * 0.01;
    const text = price[index]!.toFixed(4);
    return [symbolOf(index), text, (random() * 10 - 5).toFixed(2), (random() * 1e8).toFixed(2), text, text];
  });
  made = { updates, answers: Array.from({ length: Math.ceil(milliseconds / REFRESH_MS) }, newAnswer) };
}

/**
 * Feeds `perSecond` updates for some time, as the stream does; answers frame intervals, long tasks and what was fed.
 * Without `counts` no frame is asked for but those of the table itself: to count frames is work at every one of them.
 */
async function run(perSecond: number, milliseconds: number, scroll: boolean, counts = true) {
  const longTasks: number[] = [];
  const observer = new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ entryTypes: ['longtask'] });
  const { updates, answers } = made;
  let fed = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    // By the clock, not by the tick: a late timer owes what it missed.
    const due = Math.min(updates.length, Math.floor(((performance.now() - began) / 1000) * perSecond));
    if (due > fed) feed({ at: '', items: updates.slice(fed, due), stale: false });
    fed = due;
  }, TICK_MS);
  const refresh = setInterval(() => table.renew(answers.pop() ?? []), REFRESH_MS);
  const scroller = document.querySelector('.prices-grid') as HTMLElement;
  const intervals: number[] = [];
  if (!counts) await new Promise((resolve) => setTimeout(resolve, milliseconds));
  else
    await new Promise<void>((resolve) => {
      let before: number | undefined;
      const step = (now: number) => {
        if (before !== undefined) intervals.push(now - before);
        before = now;
        if (scroll) scroller.scrollTop = (scroller.scrollTop + 60) % (PAIRS * 36 - 900);
        if (now - began < milliseconds) requestAnimationFrame(step);
        else resolve();
      };
      requestAnimationFrame(step);
    });
  clearInterval(timer);
  clearInterval(refresh);
  observer.disconnect();
  const rows = document.querySelectorAll('.prices-row').length;
  return { intervals, longTasks, fed, rows, seconds: (performance.now() - began) / 1000 };
}

Object.assign(globalThis, { prepare, run, ready: true });
