import { chakra } from '@chakra-ui/react';
import type { Percent } from '@pilotfish/core/money/figure';
import type { ReactNode } from 'react';
import { Distance } from './price.tsx';

/** What something holds or why it rests, in bold; then what happens next, at which price, and how far away that is. */
export const StatusSentence = ({ lead, next, distance }: { lead: ReactNode; next?: string; distance?: Percent | null }) => (
  <chakra.span color="fg.muted" css={{ fontVariantNumeric: 'tabular-nums' }}>
    <chakra.strong color="fg" fontWeight="600">
      {lead}
    </chakra.strong>
    {next !== undefined && (
      <>
        {' '}
        {next}
        {distance !== undefined && distance !== null && (
          <>
            , <Distance value={distance} reason="" />
          </>
        )}
        {/[.!?]$/.test(next) && !distance ? '' : '.'}
      </>
    )}
  </chakra.span>
);
