import { BY_HAND } from '@pilotfish/core/auto-trades/exit-reason-contract';
import { isId } from '@pilotfish/core/http/id-text';
import type { TradeMode } from '@pilotfish/core/http/wire';
import { HELD_STATES, type HeldFilter, type HeldSort, readSort, writeSort } from '../positions/held-order.ts';

/** What the address chooses of the page, beside the filters of the closed list. */
export type WorkspaceAddress = HeldFilter & {
  readonly mode: TradeMode;
  readonly sort: HeldSort;
  /** The position whose detail stands beside the tables. */
  readonly position: string | undefined;
};

/** Filters that leave every open position. */
export const NO_OPEN_FILTERS = { search: '', bot: undefined, state: undefined } as const satisfies HeldFilter;

/** Reads what the address says; nonsense is as if it were not there. */
export function readWorkspace(query: URLSearchParams): WorkspaceAddress {
  const [bot, position] = [query.get('by'), query.get('position')];
  return {
    mode: query.get('mode') === 'paper' ? 'paper' : 'live',
    position: position !== null && isId(position) ? position : undefined,
    search: query.get('search') ?? '',
    bot: bot !== null && (bot === BY_HAND || isId(bot)) ? bot : undefined,
    state: HELD_STATES.find((each) => each === query.get('state')),
    sort: readSort(query.get('sort')),
  };
}

/** Of the other money nothing is the same: no bot, no coin, no page of a list. Only the order stays. */
const KEPT_BY_MODE = ['sort', 'order', 'pageSize'];

/** The address with some of it changed; what is as usual is left out. */
export function writeWorkspace(query: URLSearchParams, changes: Partial<WorkspaceAddress>): URLSearchParams {
  const entries = [...query].filter(([key]) => changes.mode === undefined || KEPT_BY_MODE.includes(key));
  const written = new URLSearchParams(entries);
  const put = (key: string, value: string | undefined) => {
    if (value === undefined || value === '') written.delete(key);
    else written.set(key, value);
  };
  if (changes.mode !== undefined) put('mode', changes.mode === 'paper' ? 'paper' : undefined);
  if ('position' in changes) put('position', changes.position);
  if ('search' in changes) put('search', changes.search);
  if ('bot' in changes) put('by', changes.bot);
  if ('state' in changes) put('state', changes.state);
  if (changes.sort !== undefined) {
    const [sort, usual] = [writeSort(changes.sort), writeSort(readSort(null))];
    put('sort', sort === usual ? undefined : sort);
  }
  return written;
}
