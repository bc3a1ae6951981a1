import { digits, type Figure } from '@pilotfish/core/money/figure';
import { type BotRow, GROUPS } from './bot-rows.ts';

/** The columns between the name of a bot and what can be done with it; all but the curve can be sorted by. */
export const COLUMNS = ['state', 'open', 'today', 'curve', 'total', 'winRate', 'profitFactor', 'drawdown', 'inUse', 'lastEvent'] as const;
export type Column = (typeof COLUMNS)[number];
export type SortKey = 'bot' | Exclude<Column, 'curve'>;
export const SORT_KEYS: readonly SortKey[] = ['bot', ...COLUMNS.filter((column) => column !== 'curve')];
export type Sort = { readonly key: SortKey; readonly falls: boolean };

/** Needs you first, then live, then the open result. */
export const FIRST_SORT: Sort = { key: 'state', falls: true };

/** `-total`: by the total, falling. */
export const printSort = ({ key, falls }: Sort): string => `${falls ? '-' : ''}${key}`;
export function readSort(text: string | null): Sort {
  const key = SORT_KEYS.find((each) => each === text?.replace(/^-/, ''));
  return key === undefined ? FIRST_SORT : { key, falls: text?.startsWith('-') === true };
}

/** The order after a press on a heading: figures fall first, names rise. */
export const nextSort = (sort: Sort, key: SortKey): Sort => ({ key, falls: sort.key === key ? !sort.falls : key !== 'bot' });

/** Floats: an order needs no more digits than they have. */
const number = (figure: Figure | null | undefined): number | undefined => (figure == null ? undefined : Number(digits(figure)));

/** What a row is ordered by; undefined is unknown, and comes last in both directions. */
function sortValue({ bot, figures, group }: BotRow, key: SortKey): number | string | undefined {
  switch (key) {
    case 'bot':
      return bot.name;
    case 'state':
      return -GROUPS.indexOf(group);
    case 'winRate':
      return number(figures?.winRatePct);
    case 'drawdown':
      return number(figures?.maxDrawdownPct);
    case 'lastEvent':
      return figures?.lastEventAt == null ? undefined : Date.parse(figures.lastEventAt);
    default:
      return number(figures?.[key]);
  }
}

/** Live before paper, the larger open result before the smaller, then by name: the order within equal ones. */
const beside = (a: BotRow, b: BotRow): number =>
  Number(b.bot.mode === 'live') - Number(a.bot.mode === 'live') ||
  (number(b.figures?.open) ?? Number.NEGATIVE_INFINITY) - (number(a.figures?.open) ?? Number.NEGATIVE_INFINITY) ||
  0;

/** Made once for each language: the first of one takes longer than all that it compares. */
const collators = new Map<string, Intl.Collator>();
function collatorOf(language: string): Intl.Collator {
  const collator = collators.get(language) ?? new Intl.Collator(language, { numeric: true, sensitivity: 'base' });
  collators.set(language, collator);
  return collator;
}

/** The rows in an order. @param language whose alphabet names are in */
export function sorted(rows: readonly BotRow[], { key, falls }: Sort, language: string): readonly BotRow[] {
  const { compare } = collatorOf(language);
  const keyed = rows.map((row) => ({ row, value: sortValue(row, key) }));
  const way = falls ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined)
      return Number(a.value === undefined) - Number(b.value === undefined) || compare(a.row.bot.name, b.row.bot.name);
    const order =
      typeof a.value === 'string' || typeof b.value === 'string' ? compare(String(a.value), String(b.value)) : a.value - b.value;
    return way * order || (key === 'state' ? beside(a.row, b.row) : 0) || compare(a.row.bot.name, b.row.bot.name);
  });
  return keyed.map(({ row }) => row);
}
