import { BotsPanel } from '../auto-trades/bots-panel.tsx';
import { LandingPage } from '../landing/landing-page.tsx';

/** The landing page with the panel of the bots on it: features meet in app/ only. */
export default function HomePage() {
  return <LandingPage bots={<BotsPanel />} />;
}
