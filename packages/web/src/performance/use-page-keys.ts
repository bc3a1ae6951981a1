import { useEffect, useEffectEvent } from 'react';
import { RANGES, type RangeName } from './performance-address.ts';

/** Where a key is a letter, or moves something of its own: fields, charts, and what is open. */
const OF_OTHERS = 'input, textarea, select, [role=img], [contenteditable]';
const OPEN = 'dialog[open], main [aria-expanded=true]';
const MONTHS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

/** The keys of the page: the arrows go from month to month, 1 to 5 choose a range, 6 opens days of one's own. */
export function usePageKeys({
  onMonth,
  onRange,
  onOwn,
}: {
  onMonth: (by: number) => boolean;
  onRange: (range: RangeName) => void;
  onOwn: () => void;
}): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey, target } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || shiftKey) return;
    if ((target instanceof HTMLElement && target.closest(OF_OTHERS)) || document.querySelector(OPEN)) return;
    const month = MONTHS[key];
    const range = /^[1-5]$/.test(key) ? RANGES[Number(key) - 1] : undefined;
    if (month === undefined && range === undefined && key !== '6') return;
    event.preventDefault();
    if (month !== undefined) onMonth(month);
    else if (range) onRange(range);
    else onOwn();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
