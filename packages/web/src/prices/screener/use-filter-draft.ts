import type { FilterGroup, FilterOption } from '@pilotfish/core/prices/screener-contract';
import { useEffect, useMemo, useReducer } from 'react';
import { afterEcho, changed, type OwnWrites } from '../own-writes.ts';
import { type DraftGroup, emptyGroup, fromFilter, toFilter } from './filter-draft.ts';

const ADDRESS_MS = 400;
const keyOf = (filter: FilterGroup | undefined): string => (filter ? JSON.stringify(filter) : '');

/**
 * The filter being written, and the address it is written to. The screen follows at once, the address after a pause
 * (browsers allow only so many changes); an address that changed by itself (back, a loaded filter) begins a new draft.
 */
export function useFilterDraft(
  address: FilterGroup | undefined,
  options: ReadonlyMap<string, FilterOption> | undefined,
  write: (filter: FilterGroup | undefined) => void,
) {
  const addressKey = keyOf(address);
  const [held, setHeld] = useReducer(changed<OwnWrites & { key: string; root: DraftGroup; ready: boolean }>, undefined, () => ({
    key: addressKey,
    from: addressKey,
    sent: [],
    root: emptyGroup(),
    ready: false,
  }));
  let current = held;
  if (options && (!held.ready || addressKey !== held.from)) {
    const own = held.ready ? afterEcho(held, addressKey) : undefined;
    current = own ? { ...held, ...own } : { key: addressKey, from: addressKey, sent: [], root: fromFilter(address, options), ready: true };
    const seen = current;
    setHeld(() => seen);
  }
  const asked = useMemo(() => toFilter(current.root, options ?? new Map()), [current.root, options]);
  const onChange = (root: DraftGroup) =>
    setHeld((before) => ({ ...before, key: keyOf(toFilter(root, options ?? new Map()).filter), root, ready: true }));
  const isAhead = current.ready && current.key !== addressKey;
  useEffect(() => {
    if (!isAhead) return;
    const timer = setTimeout(() => {
      setHeld((before) => ({ ...before, sent: [...before.sent, keyOf(asked.filter)] }));
      write(asked.filter);
    }, ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [isAhead, asked.filter, write]);
  return { root: current.root, ...asked, onChange, clear: () => onChange(emptyGroup()) };
}
