import { chakra } from '@chakra-ui/react';
import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '../controls.tsx';
import { DropDown } from '../drop-down.tsx';
import type { ButtonProps } from '../primitives.tsx';

/**
 * What is asked for less often, behind three dots. What an item opens is drawn elsewhere: inside it would be gone with the
 * menu, which closes first and keeps the focus on its dots.
 * @param items what hangs from it, drawn while it is open; `close` is for those that do something
 */
export const Menu = ({
  label,
  items,
  ...look
}: { label: string; items: (close: () => void) => ReactNode } & Pick<ButtonProps, 'size' | 'h' | 'w' | 'variant' | 'color'>) => (
  <DropDown button={(props) => <IconButton icon="more" label={label} variant="outline" color="fg" {...look} {...props} />}>
    {items}
  </DropDown>
);

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
