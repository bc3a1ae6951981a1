import { Box, Menu as ChakraMenu, chakra } from '@chakra-ui/react';
import { type ComponentProps, type ReactElement, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '../controls.tsx';
import { Icon } from '../icons.tsx';
import type { ButtonProps } from '../primitives.tsx';

/**
 * The menu of a button. It stands over everything: a table that scrolls sideways would cut off what hangs in it.
 * @param children drawn while it is open; `close` for what opens something else, which gives the focus back to the button
 */
export function DropMenu({ button, children }: { button: ReactElement; children: (close: () => void) => ReactNode }) {
  const [open, setOpen] = useState(false);
  const trigger = useId();
  const close = () => {
    document.getElementById(trigger)?.focus();
    setOpen(false);
  };
  return (
    <ChakraMenu.Root
      ids={{ trigger }}
      open={open}
      onOpenChange={(next) => setOpen(next.open)}
      positioning={{ strategy: 'fixed', placement: 'bottom-end', gutter: 4 }}
    >
      <ChakraMenu.Trigger asChild>{button}</ChakraMenu.Trigger>
      <ChakraMenu.Positioner>
        <ChakraMenu.Content>{open && children(close)}</ChakraMenu.Content>
      </ChakraMenu.Positioner>
    </ChakraMenu.Root>
  );
}

/** What is asked for less often, behind three dots. */
export const Menu = ({
  label,
  items,
  ...look
}: { label: string; items: (close: () => void) => ReactNode } & Pick<ButtonProps, 'size' | 'h' | 'w' | 'variant' | 'color'>) => (
  <DropMenu button={<IconButton icon="more" label={label} variant="outline" color="fg" {...look} />}>{items}</DropMenu>
);

export const MenuButton = ({ disabled = false, ...props }: ComponentProps<typeof chakra.button>) => (
  <ChakraMenu.Item value={useId()} disabled={disabled} asChild>
    <chakra.button type="button" disabled={disabled} {...props} />
  </ChakraMenu.Item>
);

export const MenuLink = ({ to, label, children }: { to: string; label?: string; children: ReactNode }) => (
  <ChakraMenu.Item value={useId()} asChild>
    <Link to={to} aria-label={label}>
      {children}
    </Link>
  </ChakraMenu.Item>
);

/** One of several that are on or off; the menu stays open for the next one. */
export const MenuCheck = ({
  checked,
  onChange,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}) => (
  <ChakraMenu.CheckboxItem
    value={useId()}
    checked={checked}
    onCheckedChange={onChange}
    closeOnSelect={false}
    display="flex"
    alignItems="center"
    justifyContent="space-between"
    gap="2"
  >
    {children}
    <Box visibility={checked ? undefined : 'hidden'}>
      <Icon name="check" size={16} />
    </Box>
  </ChakraMenu.CheckboxItem>
);
