import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import { FIRST_SORT, printSort, readSort, type Sort } from './bot-order.ts';
import { type BotRow, GROUPS, type Group } from './bot-rows.ts';

export const VIEWS = ['table', 'cards'] as const;
export type View = (typeof VIEWS)[number];

/** All of the list that a link carries. */
export type ListAddress = {
  readonly state: Group | 'all';
  readonly mode: AutoTrade['mode'] | 'all';
  /** A wallet's id. */
  readonly wallet: string | undefined;
  readonly search: string;
  readonly sort: Sort;
  /** Undefined: as this device had it last. */
  readonly view: View | undefined;
};

const one = <Value extends string>(text: string | null, known: readonly Value[]): Value | undefined => known.find((each) => each === text);

export const readAddress = (query: URLSearchParams): ListAddress => ({
  state: one(query.get('state'), GROUPS) ?? 'all',
  mode: one(query.get('mode'), ['live', 'paper']) ?? 'all',
  wallet: query.get('wallet') || undefined,
  search: query.get('search') ?? '',
  sort: readSort(query.get('sort')),
  view: one(query.get('view'), VIEWS),
});

/** The address with some of it changed; what is as at first is left out. */
export function writeAddress(before: URLSearchParams, changes: Partial<ListAddress>): URLSearchParams {
  const next = new URLSearchParams(before);
  const put = (key: keyof ListAddress, text: string | undefined) => {
    if (text === undefined || text === '' || text === 'all') next.delete(key);
    else next.set(key, text);
  };
  if ('state' in changes) put('state', changes.state);
  if ('mode' in changes) put('mode', changes.mode);
  if ('wallet' in changes) put('wallet', changes.wallet);
  if ('search' in changes) put('search', changes.search);
  if ('view' in changes) put('view', changes.view);
  if (changes.sort) put('sort', printSort(changes.sort) === printSort(FIRST_SORT) ? undefined : printSort(changes.sort));
  return next;
}

/** Names and coins without capital letters and accents: `ISTANBUL` is found by `ıstanbul`. */
const fold = (text: string): string => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i');

type Filters = Pick<ListAddress, 'mode' | 'wallet' | 'search'>;
const fits = ({ bot }: BotRow, { mode, wallet }: Filters, wanted: string): boolean =>
  (mode === 'all' || bot.mode === mode) &&
  (wallet === undefined || bot.walletId === wallet) &&
  (wanted === '' || fold(`${bot.name} ${bot.config.coins.symbols.join(' ')}`).includes(wanted));

/** The rows that the filters let through, and how many of them are in each state: each count is what its choice would show. */
export function filtered(rows: readonly BotRow[], address: Filters & Pick<ListAddress, 'state'>) {
  const wanted = fold(address.search.trim());
  const found = rows.filter((row) => fits(row, address, wanted));
  const counts: Record<Group | 'all', number> = { all: found.length, needs: 0, running: 0, paused: 0, stopped: 0 };
  for (const { group } of found) counts[group] += 1;
  return { rows: address.state === 'all' ? found : found.filter(({ group }) => group === address.state), counts };
}
