import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * Closes what hangs from a button when Escape is pressed or something else is touched or focused; Escape gives the focus back.
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
    // By Tab the focus leaves what stays open, and stands behind it unseen.
    document.addEventListener('focusin', close);
    return () => {
      document.removeEventListener('keydown', close);
      document.removeEventListener('pointerdown', close);
      document.removeEventListener('focusin', close);
    };
  }, [open]);
  return box;
}
