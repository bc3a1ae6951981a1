import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { entryOf } from '../../app/route-table.ts';

/**
 * What is done most on a page of a phone, where the thumb is: above the bar of the app, where the page has that. The page leaves room for it below
 * its last line (`THUMB_ROOM`).
 */
export const ThumbBar = ({ label, children }: { label: string; children: ReactNode }) => {
  const { tabBar } = entryOf(useLocation().pathname);
  return (
    <Flex
      role="group"
      aria-label={label}
      className="thumb-bar"
      display={{ base: 'flex', md: 'none' }}
      position="fixed"
      insetInline="0"
      bottom={tabBar ? 'calc(64px + env(safe-area-inset-bottom))' : '0'}
      pb={tabBar ? '2' : 'calc(8px + env(safe-area-inset-bottom))'}
      zIndex="800"
      gap="2"
      px="2.5"
      pt="2"
      bg="bg.panel"
      borderTopWidth="1px"
      borderColor="border.subtle"
      css={{ '& > button': { flex: '1 1 0', minWidth: '0', height: '44px' } }}
    >
      {children}
    </Flex>
  );
};

/** Room below the last line of a page that has a thumb bar. */
export const THUMB_ROOM = '68px';
