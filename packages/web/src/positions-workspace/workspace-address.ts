import { isId } from '@pilotfish/core/http/id-text';
import { type TradeMode, tradeMode } from '@pilotfish/core/http/wire';
import * as z from 'zod';
import { type Address, under, whoseField, writeAddress } from '../platform/use-address.ts';
import { HELD_STATES, type HeldFilter, type HeldSort, readSort, writeSort } from '../positions/open/held-order.ts';

/** What the address chooses of the page, beside the filters of the closed list. */
export const WORKSPACE = {
  mode: tradeMode.default('live'),
  /** The position whose detail stands beside the tables. */
  position: z.string().refine(isId).optional(),
  search: z.string().default(''),
  bot: under(['by'], whoseField.optional()),
  state: z.enum(HELD_STATES).optional(),
  sort: z.codec(z.string(), z.custom<HeldSort>(), { decode: readSort, encode: writeSort }).default(() => readSort(null)),
};
export type WorkspaceAddress = Address<typeof WORKSPACE>;

/** Filters that leave every open position. */
export const NO_OPEN_FILTERS = { search: '', bot: undefined, state: undefined } as const satisfies HeldFilter;

const KEPT_BY_MODE = ['sort', 'order', 'pageSize'];
/** Of the other money nothing is the same: no bot, no coin, no page of a list. Only the order stays. */
export const ofMode = (query: URLSearchParams, mode: TradeMode): URLSearchParams =>
  writeAddress(WORKSPACE, new URLSearchParams([...query].filter(([key]) => KEPT_BY_MODE.includes(key))), { mode });
