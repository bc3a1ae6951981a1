import { lazy, Suspense } from 'react';
import { BotsPanel } from '../auto-trades/bots-panel.tsx';
import { AccountPanels } from '../landing/account-panels.tsx';
import type { ChosenViews } from '../landing/landing-page.tsx';
import { useIsAdmin } from './use-session.ts';

const MarketQuestion = lazy(() => import('../admin/market-question.tsx'));

/** What the landing page shows to who is signed in. What waits for an Admin's answer stands first. */
export default function SignedInHome(views: ChosenViews) {
  const isAdmin = useIsAdmin();
  return (
    <>
      {isAdmin && (
        <Suspense fallback={null}>
          <MarketQuestion />
        </Suspense>
      )}
      <AccountPanels {...views} bots={<BotsPanel />} />
    </>
  );
}
