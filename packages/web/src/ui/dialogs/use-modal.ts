import { type MouseEvent, type SyntheticEvent, useEffect, useId, useRef } from 'react';

/** For a field's `ref`: a dialog focuses what says so itself when it opens; React's own autoFocus comes before that. */
export const focusedFirst = (element: HTMLElement | null): void => element?.setAttribute('autofocus', '');

/**
 * The browser's own dialog, open or not: it keeps the focus inside, closes on Escape or a click beside it, and gives
 * the focus back. The id is for its heading.
 */
export function useModal(open: boolean, onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  const closedHere = useRef(false);
  const isPressedHere = useRef(false);
  const id = useId();
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    if (open && !element.open) {
      isPressedHere.current = false;
      element.showModal();
    }
    if (open || !element.open) return;
    closedHere.current = true;
    element.close();
  }, [open]);
  // Escape closes it by its owner, too: the browser tells of a close only after it gave the focus back, and a key pressed
  // in between would open what is then closed.
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== ref.current) return;
    event.preventDefault();
    onClose();
  };
  const onClosed = () => {
    if (!closedHere.current) onClose();
    closedHere.current = false;
  };
  const onClick = (event: MouseEvent) => event.target === ref.current && onClose();
  // The second half of the double press that opened it answers nothing: the button that sells may lie where the one that
  // asked for it was. `detail` counts presses in a row; a key has none.
  const onClickCapture = (event: MouseEvent) => {
    if (event.detail <= 1) isPressedHere.current = true;
    if (isPressedHere.current) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { id, dialog: { ref, 'aria-labelledby': id, onCancel, onClose: onClosed, onClick, onClickCapture } };
}
