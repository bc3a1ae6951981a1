import { Box, chakra } from '@chakra-ui/react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '../controls.tsx';
import type { ButtonProps } from '../primitives.tsx';
import { useDismissal } from '../use-dismissal.ts';

/**
 * What is asked for less often, behind three dots. What an item opens is drawn elsewhere: inside it would be gone with the
 * menu, which closes first and keeps the focus on its dots.
 * @param items what hangs from it, drawn while it is open; `close` is for those that do something
 */
export function Menu({
  label,
  above = false,
  items,
  ...button
}: { label: string; above?: boolean; items: (close: () => void) => ReactNode } & Pick<ButtonProps, 'size' | 'h' | 'w'>) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useDismissal(open, () => setOpen(false));
  const close = () => {
    box.current?.querySelector('button')?.focus();
    setOpen(false);
  };
  return (
    <Box ref={box} position="relative" flexShrink="0">
      <IconButton
        icon="more"
        label={label}
        variant="outline"
        color="fg"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
        {...button}
      />
      <Box
        id={id}
        hidden={!open}
        position="absolute"
        insetEnd="0"
        {...(above ? { bottom: 'calc(100% + 6px)' } : { top: 'calc(100% + 6px)' })}
        minW="220px"
        maxW="calc(100vw - 24px)"
        zIndex="10"
        p="1.5"
        className="rings-inside"
        bg="bg.panel"
        borderWidth="1px"
        borderColor="border"
        borderRadius="panel"
        boxShadow="0 12px 32px rgb(0 0 0 / 35%)"
      >
        {open && items(close)}
      </Box>
    </Box>
  );
}

const item = {
  display: 'block',
  w: '100%',
  px: '2.5',
  py: { base: '2.5', md: '1.5' },
  borderRadius: 'control',
  textAlign: 'start',
  fontSize: '13px',
  lineHeight: '20px',
  cursor: 'pointer',
  _hover: { bg: 'bg.raised' },
  _disabled: { opacity: '0.5', cursor: 'not-allowed' },
} as const;

export const MenuButton = (props: ComponentProps<typeof chakra.button>) => <chakra.button type="button" {...item} {...props} />;

export const MenuLink = ({ to, children }: { to: string; children: ReactNode }) => (
  <chakra.span asChild {...item}>
    <Link to={to}>{children}</Link>
  </chakra.span>
);
