import { type RefObject, useEffect, useEffectEvent } from 'react';

const ROW = '[data-row]';
const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 };

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=checkbox])');

/**
 * The keys of a list whose rows carry `data-row` with their id and hold a link first: j and k go from link to link (arrows too,
 * once in a row), x chooses the row, c compares, Esc gives up what is chosen. Enter opens, as a link does.
 */
export function useRowKeys(
  list: RefObject<HTMLElement | null>,
  { onToggle, onCompare, onGiveUp }: { onToggle: (id: string) => void; onCompare: () => void; onGiveUp: () => void },
) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
    // A question or a menu that is open takes the keys itself.
    if (document.querySelector('dialog[open], main [aria-expanded=true]')) return;
    const rows = [...(list.current?.querySelectorAll<HTMLElement>(ROW) ?? [])];
    const at = rows.findIndex((row) => row.contains(document.activeElement));
    const step = STEPS[key];
    if (step !== undefined) {
      if (key.startsWith('Arrow') && at < 0) return;
      event.preventDefault();
      const next = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
      next?.querySelector('a')?.focus();
    } else if (key === 'x' && at >= 0) onToggle(rows[at]?.dataset.row ?? '');
    else if (key === 'c') onCompare();
    else if (key === 'Escape') onGiveUp();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
