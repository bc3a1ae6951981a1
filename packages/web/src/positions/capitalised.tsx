import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';

/** A word that also stands within sentences, here by itself: the browser knows that a Turkish i becomes İ. */
export const Capitalised = ({ children }: { children: ReactNode }) => (
  <chakra.span display="inline-block" _firstLetter={{ textTransform: 'uppercase' }}>
    {children}
  </chakra.span>
);
