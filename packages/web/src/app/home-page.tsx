import { lazy } from 'react';
import { LandingPage } from '../landing/landing-page.tsx';
import { withTexts } from '../platform/texts.ts';

// A guest needs none of it; it arrives within the page's own boundary.
const SignedInHome = lazy(() => withTexts(import('./signed-in-home.tsx')));

/** The landing page with the panels of the account on it: features meet in app/ only. */
export default function HomePage() {
  return <LandingPage Account={SignedInHome} />;
}
