import { useEffect, useEffectEvent } from 'react';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('textarea, select, input:not([type=checkbox])');

/** Keys of the market that stand alone: j and k to another pair, a an alert, f a favourite, v the next view. */
export function useMarketKeys(keys: Readonly<Record<string, (() => void) | undefined>>) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
    // A question or a menu that is open takes the keys itself.
    if (document.querySelector('dialog[open], main [aria-expanded=true][aria-controls]')) return;
    const run = keys[key];
    if (!run) return;
    event.preventDefault();
    run();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
