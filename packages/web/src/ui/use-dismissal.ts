import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Closes what hangs from a button when Escape is pressed or something else is touched; Escape gives the focus back.
 * @returns ref of the box that holds the button (its first) and what hangs from it
 */
export function useDismissal(open: boolean, onClose: () => void) {
  const box = useRef<HTMLDivElement>(null);
  const dismiss = useEffectEvent(onClose);
  useEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      const byKey = event instanceof KeyboardEvent;
      if (byKey ? event.key !== 'Escape' : box.current?.contains(event.target as Node)) return;
      dismiss();
      if (byKey) box.current?.querySelector('button')?.focus();
    };
    document.addEventListener('keydown', close);
    document.addEventListener('pointerdown', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
    };
  }, [open]);
  return box;
}
