import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** The height of the app's bar at the lower edge of a phone. */
const TAB_BAR = 'calc(60px + env(safe-area-inset-bottom))';

/** What a page is for, where a thumb reaches it: on phones only, above the app's bar. What it would cover stays in sight by the room below it. */
export const ThumbBar = ({ children }: { children: ReactNode }) => (
  <>
    <Flex display={{ base: 'block', md: 'none' }} h="14" aria-hidden="true" />
    <Flex
      className="thumb-bar"
      display={{ base: 'flex', md: 'none' }}
      position="fixed"
      insetX="0"
      bottom={TAB_BAR}
      zIndex="900"
      gap="2"
      px="2.5"
      py="2"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border.subtle"
      css={{ '& > *': { flex: '1', height: '44px' } }}
    >
      {children}
    </Flex>
  </>
);
