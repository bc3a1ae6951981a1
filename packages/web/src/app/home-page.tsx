import { useEffect } from 'react';
import { BotsPanel } from '../auto-trades/bots-panel.tsx';
import { LandingPage } from '../landing/landing-page.tsx';
import { useApp } from './app-context.tsx';

/** The landing page with the panel of the bots on it: features meet in app/ only. */
export default function HomePage() {
  const app = useApp();
  useEffect(() => app.mounted(), [app]);
  return <LandingPage bots={<BotsPanel />} />;
}
