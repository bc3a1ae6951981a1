import { absolute, compare, decimal, isDecimalText } from '../money/decimal.ts';
import { formatFixed, formatPercent, formatQuantity, formatSigned } from '../money/format.ts';

type Facts = Readonly<Record<string, string | number>>;

/** Names people gave and codes: shown as they are, even when they look like numbers. */
const AS_WRITTEN = new Set([
  'bot',
  'wallet',
  'symbol',
  'coin',
  'asset',
  'currency',
  'username',
  'device',
  'address',
  'note',
  'file',
  'keyEnding',
]);
/** Profit and loss: with its sign. */
const SIGNED = new Set(['pnl', 'realised', 'change']);
/** Sums and averages of the engine, which have more digits than anybody reads. */
const MONEY = new Set(['reserved', 'fees', 'quote', 'averageCost']);
const ONE = decimal('1');

/**
 * Facts as a reader sees them: digits grouped as everywhere in the apps, percentages (`…Pct`) and results with their
 * sign, times (`…At`, epoch ms) in the reader's zone, and a fact `xKey` as the text it names, under the name `x`.
 * @param text looks up a text key; undefined when there is none
 */
export function shownFacts(facts: Facts, text: (key: string) => string | undefined, timeZone: string): Record<string, string | number> {
  const shown: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(facts)) {
    if (name.endsWith('Key')) shown[name.slice(0, -3)] = text(String(value)) ?? String(value).split('.').at(-1) ?? '';
    else if (name.endsWith('At')) shown[name] = localTime(Number(value), timeZone);
    else if (typeof value === 'number' || AS_WRITTEN.has(name) || !isDecimalText(value)) shown[name] = value;
    else if (name.endsWith('Pct')) shown[name] = formatPercent(value);
    else if (SIGNED.has(name)) shown[name] = money(value, formatSigned);
    else shown[name] = MONEY.has(name) ? money(value, formatFixed) : formatQuantity(value);
  }
  return shown;
}

/** Two decimals at the least; at the most four, and below one, where Bitcoin is counted, eight. */
const money = (value: string, format: (value: string, places: number) => string): string =>
  format(value, compare(absolute(decimal(value)), ONE) < 0 ? 8 : 4).replace(/(\.\d\d)(\d*?)0+$/, '$1$2');

/** `2026-11-22 03:15` on the clock of a zone. */
export function localTime(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}
