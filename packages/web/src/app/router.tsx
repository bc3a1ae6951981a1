import { useSelector } from '@xstate/react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { Skeleton } from '../ui/state-panels.tsx';
import { useApp } from './app-context.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { entryOf, guard, NOT_FOUND, ROUTES } from './route-table.ts';

type PageName = (typeof ROUTES)[number]['page'] | 'notFound';

// Named by feature; each page is a chunk of its own.
const PAGES: Record<PageName, ComponentType> = {
  landing: lazy(() => import('./home-page.tsx')),
  login: lazy(() => import('../auth/login-page.tsx')),
  register: lazy(() => import('../auth/register-page.tsx')),
  forgotPassword: lazy(() => import('../auth/forgot-password-page.tsx')),
  secondFactor: lazy(() => import('../auth/second-factor-page.tsx')),
  myAccount: lazy(() => import('../account/my-account-page.tsx')),
  security: lazy(() => import('../account/security-page.tsx')),
  telegramConnect: lazy(() => import('../telegram-connection/telegram-connect-page.tsx')),
  exchangeConnect: lazy(() => import('../exchange-connection/exchange-connect-page.tsx')),
  prices: lazy(() => import('../prices/prices-page.tsx')),
  positions: lazy(() => import('../positions/positions-page.tsx')),
  openPositions: lazy(() => import('../positions/open-positions-page.tsx')),
  closedPositions: lazy(() => import('../positions/closed-positions-page.tsx')),
  positionDetail: lazy(() => import('../positions/position-detail-page.tsx')),
  openOrders: lazy(() => import('../orders/open-orders-page.tsx')),
  tradeImport: lazy(() => import('../trade-import/import-page.tsx')),
  migration: lazy(() => import('../migration/migration-page.tsx')),
  priceAlerts: lazy(() => import('../price-alerts/price-alerts-page.tsx')),
  autoTrades: lazy(() => import('../auto-trades/auto-trades-page.tsx')),
  autoTradeCreate: lazy(() => import('../auto-trades/auto-trade-create-page.tsx')),
  wallets: lazy(() => import('../auto-trades/wallets-page.tsx')),
  coinFilters: lazy(() => import('../auto-trades/coin-filters-page.tsx')),
  autoTradeDetail: lazy(() => import('../auto-trades/auto-trade-detail-page.tsx')),
  backtest: lazy(() => import('../backtest/backtest-page.tsx')),
  autoTradeEdit: lazy(() => import('../auto-trades/auto-trade-edit-page.tsx')),
  admin: lazy(() => import('../admin/admin-page.tsx')),
  localizationResources: lazy(() => import('../admin/localization-resources-page.tsx')),
  currencies: lazy(() => import('../admin/currencies-page.tsx')),
  appSettings: lazy(() => import('../admin/app-settings-page.tsx')),
  users: lazy(() => import('../admin/users-page.tsx')),
  notFound: lazy(() => import('./not-found-page.tsx')),
};

export function AppRoutes() {
  return (
    <Frame>
      <RouteAnnouncer />
      <Routes>
        {[...ROUTES, NOT_FOUND].map((entry) => {
          const Page = PAGES[entry.page as PageName];
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
    if (pathname) app.discardExpired();
  }, [app, pathname]);
  const decision = guard(entryOf(pathname), app.viewer(), search);
  if (decision.show) return children;
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
