import { Popover } from '@chakra-ui/react';
import { type ReactElement, type ReactNode, useId, useState } from 'react';

/**
 * Fields that hang from a button until something else is pressed; actions are a `DropMenu`. It stands over everything: a
 * table that scrolls sideways would cut off what hangs in it.
 * @param children drawn while it is open; `close` for what ends it
 */
export function DropDown({ button, width, children }: { button: ReactElement; width: number; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  const trigger = useId();
  return (
    <Popover.Root
      ids={{ trigger }}
      open={open}
      onOpenChange={(next) => setOpen(next.open)}
      lazyMount
      unmountOnExit
      positioning={{ strategy: 'fixed', placement: 'bottom-end', gutter: 4 }}
    >
      <Popover.Trigger asChild>{button}</Popover.Trigger>
      <Popover.Positioner>
        <Popover.Content aria-labelledby={trigger} w={`min(${width}px, calc(100vw - 8px))`} className="rings-inside">
          {open && children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Positioner>
    </Popover.Root>
  );
}
