import { Box, chakra } from '@chakra-ui/react';
import { useLayoutEffect, useRef } from 'react';
import { NavLink } from 'react-router-dom';

/** The screens of one section; each has an address of its own. */
export function SectionTabs({ label, tabs }: { label: string; tabs: readonly { to: string; label: string }[] }) {
  const nav = useRef<HTMLElement>(null);
  // On a phone there is room for some: the one that is open is among them.
  useLayoutEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  return (
    <chakra.nav
      ref={nav}
      className="scroll-hint"
      aria-label={label}
      display="flex"
      gap="1"
      mb="5"
      borderBottomWidth="1px"
      borderColor="border.subtle"
      overflowX="auto"
      css={{ scrollbarWidth: 'none' }}
    >
      {tabs.map((tab) => (
        <Box
          key={tab.to}
          asChild
          px="3"
          py="2.5"
          mb="-1px"
          color="fg.muted"
          fontWeight="550"
          whiteSpace="nowrap"
          borderBottomWidth="2px"
          borderColor="transparent"
          _hover={{ color: 'fg' }}
          css={{ '&[aria-current=page]': { color: 'fg', borderColor: 'var(--chakra-colors-brand-solid)' } }}
        >
          <NavLink to={tab.to} end>
            {tab.label}
          </NavLink>
        </Box>
      ))}
    </chakra.nav>
  );
}
