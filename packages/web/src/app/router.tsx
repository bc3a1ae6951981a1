import { useSelector } from '@xstate/react';
import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { DETOUR_KEY, SIGNED_OUT_KEY } from '../platform/app.ts';
import { useApp } from '../platform/app-context.tsx';
import { entryOf, guard, guarded, NOT_FOUND, ROUTES } from '../platform/route-table.ts';
import { withTexts } from '../platform/texts.ts';
import { Skeleton } from '../ui/state-panels.tsx';
import { Broken, ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame/frame.tsx';
import HomePage from './home-page.tsx';
import type { LatePage } from './page-code.ts';

/** A page with all texts: only the landing page gets by with the first part of them. */
const page = (name: LatePage) =>
  lazy(async () => {
    const { PAGE_CODE } = await withTexts(import('./page-code.ts'));
    return PAGE_CODE[name]();
  });
// In the first chunk: React keeps what stands in for a lazy page for 300 ms, also when its code is there.
const PAGES = new Map(
  [...ROUTES, NOT_FOUND].map(({ page: name }) => [name, name === 'landing' ? HomePage : page(name as LatePage)] as const),
);

export function AppRoutes() {
  return (
    <Frame>
      <RouteAnnouncer />
      <Routes>
        {[...ROUTES, NOT_FOUND].map((entry) => {
          const Page = PAGES.get(entry.page) ?? HomePage;
          return (
            <Route
              key={entry.path}
              path={entry.path}
              element={
                <Guarded>
                  <ErrorBoundary key={entry.path}>
                    <Suspense fallback={<RouteLoading />}>
                      <Page />
                    </Suspense>
                  </ErrorBoundary>
                </Guarded>
              }
            />
          );
        })}
      </Routes>
    </Frame>
  );
}

/** Decides by the route table whether the page may be seen. */
function Guarded({ children }: { children: ReactNode }) {
  const app = useApp();
  const { pathname, search } = useLocation();
  // Subscribed for what the decision is made of; the decision itself is the table's.
  useSelector(app.session, (snapshot) => snapshot.matches('active'));
  useSelector(app.account, (snapshot) => snapshot.value);
  useEffect(() => {
    guarded(() => {
      if (pathname) app.discardExpired();
      return { show: true };
    }, console.error);
  }, [app, pathname]);
  const decision = guarded(() => guard(entryOf(pathname), app.viewer(), search), console.error);
  const away = 'redirect' in decision && decision.redirect.startsWith('/auth/');
  const { tabStorage } = app.browser;
  // Not of who left on purpose: a screen that was shown, and no word why the session ended.
  const wasShown = useRef('');
  useEffect(() => {
    if (decision.show) wasShown.current = pathname;
    else if (away && (wasShown.current !== pathname || tabStorage.get(SIGNED_OUT_KEY) !== null))
      tabStorage.set(DETOUR_KEY, pathname + search);
  }, [decision.show, away, pathname, search, tabStorage]);
  if (decision.show) return children;
  if ('failed' in decision) return <Broken />;
  return 'redirect' in decision ? <Navigate to={decision.redirect} replace /> : <RouteLoading />;
}

/** Shown while a page's code or the account arrives; the loading bar runs with it. */
function RouteLoading() {
  const app = useApp();
  useEffect(() => app.busy.begin(), [app]);
  return <Skeleton rows={5} height={28} />;
}

/** A new screen: its title in the tab and announced, focus on its heading, scrolled to the top. */
function RouteAnnouncer() {
  const { pathname } = useLocation();
  const { t, i18n } = useTranslation();
  const announced = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  const title = t(`routes.${entryOf(pathname).page}`);
  useLayoutEffect(() => {
    document.title = `${title} · Pilotfish`;
    document.documentElement.lang = i18n.language;
  }, [title, i18n.language]);
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    if (!pathname) return;
    window.scrollTo(0, 0);
    const main = document.getElementById('main');
    main?.focus({ preventScroll: true });
    if (announced.current) announced.current.textContent = document.title;
  }, [pathname]);
  return <div ref={announced} className="visually-hidden" aria-live="polite" />;
}

/** Hands the router's navigation to the composition, which may navigate without a component. */
export function NavigationBridge({ onReady }: { onReady: (navigate: (to: string) => void) => void }) {
  const navigate = useNavigate();
  useLayoutEffect(() => onReady((to) => void navigate(to)), [navigate, onReady]);
  return null;
}
