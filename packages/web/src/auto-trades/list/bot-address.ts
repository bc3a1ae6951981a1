import { tradeMode } from '@pilotfish/core/http/wire';
import * as z from 'zod';
import type { Address } from '../../platform/use-address.ts';
import { FIRST_SORT, printSort, readSort, type Sort } from './bot-order.ts';
import { type BotRow, GROUPS, type Group } from './bot-rows.ts';

export const VIEWS = ['table', 'cards'] as const;
export type View = (typeof VIEWS)[number];

/** All of the list that a link carries. */
export const LISTED = {
  state: z.enum([...GROUPS, 'all']).default('all'),
  mode: z.enum([...tradeMode.options, 'all']).default('all'),
  /** A wallet's id. */
  wallet: z.string().min(1).optional(),
  search: z.string().default(''),
  sort: z.codec(z.string(), z.custom<Sort>(), { decode: readSort, encode: printSort }).default(() => FIRST_SORT),
  /** Undefined: as this device had it last. */
  view: z.enum(VIEWS).optional(),
};
export type ListAddress = Address<typeof LISTED>;

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
