import { Box } from '@chakra-ui/react';
import { type ReactNode, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { useDismissal } from './use-dismissal.ts';

/** Room between the button, the edges of the window, and what hangs from it. */
const GAP = 4;

/**
 * What hangs from a button until something else is pressed. It stands over everything: a table that scrolls sideways would
 * cut off what hangs in it.
 * @param button draws the button with what it is given
 * @param children drawn while it is open; `close` for what ends it
 */
export function DropDown({
  button,
  width = 220,
  children,
}: {
  button: (props: { 'aria-expanded': boolean; 'aria-controls': string | undefined; onClick: () => void }) => ReactNode;
  width?: number;
  children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const close = () => setOpen(false);
  const box = useDismissal(open, close);
  /** What hung from the button is gone: the focus does not go with it. */
  const giveBack = () => {
    document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus();
    close();
  };
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const from = box.current?.querySelector('button')?.getBoundingClientRect();
    const hung = panel.current;
    if (!open || !from || !hung) return;
    const below = from.bottom + GAP;
    const fits = below + hung.offsetHeight <= window.innerHeight - GAP;
    hung.style.top = `${Math.max(GAP, fits ? below : from.top - GAP - hung.offsetHeight)}px`;
    hung.style.left = `${Math.min(Math.max(GAP, from.right - hung.offsetWidth), window.innerWidth - hung.offsetWidth - GAP)}px`;
  }, [open, box]);
  // The button moves away from it.
  const onScroll = useEffectEvent((event: Event) => {
    if (!panel.current?.contains(event.target as Node)) close();
  });
  useEffect(() => {
    if (!open) return;
    document.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onScroll);
    return () => {
      document.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onScroll);
    };
  }, [open]);
  return (
    <Box ref={box} display="inline-block">
      {button({ 'aria-expanded': open, 'aria-controls': open ? id : undefined, onClick: () => setOpen(!open) })}
      {open && (
        <Box
          ref={panel}
          id={id}
          position="fixed"
          zIndex="1100"
          w={`min(${width}px, calc(100vw - 8px))`}
          maxH="calc(100dvh - 8px)"
          overflowY="auto"
          className="rings-inside"
          p="1.5"
          bg="bg.panel"
          color="fg"
          borderWidth="1px"
          borderColor="border"
          borderRadius="panel"
          boxShadow="0 12px 32px rgb(0 0 0 / 35%)"
          textAlign="start"
          whiteSpace="normal"
        >
          {children(giveBack)}
        </Box>
      )}
    </Box>
  );
}
