import { type MouseEvent, useEffect, useId, useRef } from 'react';

/**
 * The browser's own dialog, open or not: it keeps the focus inside, closes on Escape or a click beside it, and gives
 * the focus back. The id is for its heading.
 */
export function useModal(open: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  const onClick = (event: MouseEvent) => event.target === ref.current && onClose();
  return { id, dialog: { ref, 'aria-labelledby': id, onClose, onClick } };
}
