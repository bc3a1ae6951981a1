import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { entryOf } from '../platform/route-table.ts';

/** The height of the app's bar at the lower edge of a phone. */
const TAB_BAR = '60px';

/**
 * What a page is for, where a thumb reaches it: on phones only, above the app's bar on pages that have one. What it would
 * cover stays in sight by the room below it.
 */
export const ThumbBar = ({ label, children }: { label: string; children: ReactNode }) => {
  const hasTabBar = entryOf(useLocation().pathname).tabBar;
  return (
    <>
      <Flex display={{ base: 'block', md: 'none' }} h="14" aria-hidden="true" />
      <Flex
        role="group"
        aria-label={label}
        className="thumb-bar"
        display={{ base: 'flex', md: 'none' }}
        position="fixed"
        insetX="0"
        bottom={hasTabBar ? `calc(${TAB_BAR} + env(safe-area-inset-bottom))` : '0'}
        pb={hasTabBar ? '2' : 'calc(8px + env(safe-area-inset-bottom))'}
        zIndex="900"
        gap="2"
        px="2.5"
        pt="2"
        bg="bg.panel"
        borderTopWidth="1px"
        borderColor="border.subtle"
        // What hangs behind dots keeps the width of these.
        css={{ '& > :not(div)': { flex: '1 1 0', minWidth: '0', height: '44px' } }}
      >
        {children}
      </Flex>
    </>
  );
};
