import { lazy, Suspense } from 'react';
import { HoldingsPanel } from '../landing/holdings-panel.tsx';
import type { ChosenViews } from '../landing/landing-page.tsx';
import { Home } from '../overview/home.tsx';
import { useIsAdmin } from '../platform/use-session.ts';
import { Onward } from './onward.tsx';

const MarketQuestion = lazy(() => import('../admin/market-question.tsx'));

/** What the landing page shows to who is signed in. What waits for an Admin's answer stands first. */
export default function SignedInHome({ interval, query, put, market }: ChosenViews) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {isAdmin && (
        <Suspense fallback={null}>
          <MarketQuestion />
        </Suspense>
      )}
      <Onward />
      <Home query={query} put={put} holdings={<HoldingsPanel interval={interval} />} market={market} />
    </>
  );
}
