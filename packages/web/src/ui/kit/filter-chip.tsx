import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Icon } from '../icons.tsx';

/**
 * A filter in the row above a list. `menu` opens choices and says the chosen one; else it is on or off.
 */
export const FilterChip = ({
  active,
  menu = false,
  clears = false,
  onClick,
  children,
}: {
  active: boolean;
  menu?: boolean;
  /** Pressing it takes the filter away, which a cross says. */
  clears?: boolean;
  onClick: () => void;
  children: ReactNode;
}) => (
  <chakra.button
    type="button"
    display="inline-flex"
    alignItems="center"
    gap="1.5"
    h={{ base: '11', md: '7' }}
    px="2.5"
    borderRadius="control"
    borderWidth="1px"
    borderColor={active ? 'border.control' : 'border'}
    color={active ? 'fg' : 'fg.muted'}
    fontSize="12px"
    fontWeight="520"
    whiteSpace="nowrap"
    cursor="pointer"
    transition="background 150ms ease-out"
    _hover={{ bg: 'bg.raised' }}
    aria-pressed={menu ? undefined : active}
    aria-haspopup={menu ? 'menu' : undefined}
    onClick={onClick}
  >
    {children}
    {menu && <Icon name="chevron" size={13} />}
    {clears && <Icon name="close" size={12} />}
  </chakra.button>
);
