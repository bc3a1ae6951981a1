import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { LevelsDraft } from './use-levels-draft.ts';

/** When the bar of a draft goes with the focus in it, the focus is where it was before: on the grip, in the list or on the chart. */
export function useFocusBack({ open }: LevelsDraft, list: RefObject<HTMLUListElement | null>): void {
  const id = open?.id;
  const opener = useRef<Element>(undefined);
  const last = useRef(id);
  useEffect(() => {
    const active = document.activeElement;
    if (id !== undefined && active?.getAttribute('data-level') === id) opener.current = active;
  });
  useLayoutEffect(() => {
    const was = last.current;
    last.current = id;
    const active = document.activeElement;
    if (was === undefined || id !== undefined || (active && active !== document.body)) return;
    const known = opener.current;
    const spot = known?.isConnected ? known : list.current?.querySelector(`[data-level="${was}"]`);
    if (spot instanceof HTMLElement) spot.focus({ preventScroll: true });
  }, [id, list]);
}
