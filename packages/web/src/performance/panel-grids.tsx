import { Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';

const gap = { base: '2.5', md: '3' } as const;

/** The equity, with the calendar beside it. */
export const EquityGrid = ({ children }: { children: ReactNode }) => (
  <Grid templateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 396px' }} gap={gap} alignItems="stretch">
    {children}
  </Grid>
);

/** Where results came from: up to three panels in a row. */
export const PanelGrid = ({ children }: { children: ReactNode }) => (
  <Grid
    templateColumns={{ base: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))', xl: 'repeat(3, minmax(0, 1fr))' }}
    gap={gap}
    alignItems="stretch"
  >
    {children}
  </Grid>
);
