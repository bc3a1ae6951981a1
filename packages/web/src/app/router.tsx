import { useSelector } from '@xstate/react';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, Route, Routes, useLocation, useNavigate } from 'react-router-dom';
import { Skeleton } from '../ui/state-panels.tsx';
import { useApp } from './app-context.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Frame } from './frame.tsx';
import { entryOf, guard, NOT_FOUND, ROUTES } from './route-table.ts';
import { allTexts } from './texts.ts';

type PageName = (typeof ROUTES)[number]['page'] | 'notFound';

/** A page with all texts: only the landing page gets by with the first part of them. */
const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazy(async () => {
    const [loaded] = await Promise.all([load(), allTexts()]);
    return loaded;
  });

// Named by feature; each page is a chunk of its own.
const PAGES: Record<PageName, ComponentType> = {
  landing: lazy(() => import('./home-page.tsx')),
  login: page(() => import('../auth/login-page.tsx')),
  register: page(() => import('../auth/register-page.tsx')),
  forgotPassword: page(() => import('../auth/forgot-password-page.tsx')),
  secondFactor: page(() => import('../auth/second-factor-page.tsx')),
  myAccount: page(() => import('../account/my-account-page.tsx')),
  security: page(() => import('../account/security-page.tsx')),
  notifications: page(() => import('../notifications/notifications-page.tsx')),
  telegramConnect: page(() => import('../telegram-connection/telegram-connect-page.tsx')),
  exchangeConnect: page(() => import('../exchange-connection/exchange-connect-page.tsx')),
  prices: page(() => import('../prices/prices-page.tsx')),
  positions: page(() => import('../positions/positions-page.tsx')),
  openPositions: page(() => import('../positions/open-positions-page.tsx')),
  closedPositions: page(() => import('../positions/closed-positions-page.tsx')),
  positionDetail: page(() => import('../positions/position-detail-page.tsx')),
  openOrders: page(() => import('../orders/open-orders-page.tsx')),
  tradeImport: page(() => import('../trade-import/import-page.tsx')),
  migration: page(() => import('../migration/migration-page.tsx')),
  priceAlerts: page(() => import('../price-alerts/price-alerts-page.tsx')),
  autoTrades: page(() => import('../auto-trades/auto-trades-page.tsx')),
  autoTradeCreate: page(() => import('../auto-trades/auto-trade-create-page.tsx')),
  wallets: page(() => import('../auto-trades/wallets-page.tsx')),
  coinFilters: page(() => import('../auto-trades/coin-filters-page.tsx')),
  autoTradeDetail: page(() => import('../auto-trades/auto-trade-detail-page.tsx')),
  backtest: page(() => import('../backtest/backtest-page.tsx')),
  autoTradeEdit: page(() => import('../auto-trades/auto-trade-edit-page.tsx')),
  admin: page(() => import('../admin/admin-page.tsx')),
  localizationResources: page(() => import('../admin/localization-resources-page.tsx')),
  currencies: page(() => import('../admin/currencies-page.tsx')),
  appSettings: page(() => import('../admin/app-settings-page.tsx')),
  users: page(() => import('../admin/users-page.tsx')),
  notFound: page(() => import('./not-found-page.tsx')),
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
