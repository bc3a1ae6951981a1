/** Who may see a route: `guest` is for those not signed in only. */
export type RouteAccess = 'public' | 'guest' | 'user' | 'admin';

export type RouteEntry = {
  path: string;
  /** The lazy page that draws it; also the key of its title, `routes.<page>`. */
  page: string;
  access: RouteAccess;
  /** Phones show the tab bar, except where the specification says no. */
  tabBar: boolean;
};

const route = <const Page extends string>(path: string, page: Page, access: RouteAccess, tabBar = true) => ({ path, page, access, tabBar });

/** Every screen of the product, by the specification's section 2; anything else is not found. */
export const ROUTES = [
  route('/', 'landing', 'public'),
  route('/auth/login', 'login', 'guest', false),
  route('/auth/register', 'register', 'guest', false),
  route('/auth/forgot-password', 'forgotPassword', 'guest', false),
  route('/auth/verify-otp', 'secondFactor', 'guest', false),
  route('/auth/confirm-2fa', 'secondFactor', 'guest', false),
  route('/user/my-account', 'myAccount', 'user'),
  route('/user/telegram-connect', 'telegramConnect', 'user'),
  route('/user/exchange-connect', 'exchangeConnect', 'user'),
  route('/user/security', 'security', 'user'),
  route('/user/notifications', 'notifications', 'user'),
  route('/prices', 'prices', 'public'),
  route('/positions', 'positions', 'user'),
  route('/positions/open-positions', 'openPositions', 'user'),
  route('/positions/closed-positions', 'closedPositions', 'user'),
  route('/positions/detail/:id', 'positionDetail', 'user'),
  route('/positions/orders', 'openOrders', 'user'),
  route('/positions/import', 'tradeImport', 'user'),
  route('/positions/migration', 'migration', 'user'),
  route('/performance', 'performance', 'user'),
  route('/price-alerts', 'priceAlerts', 'user', false),
  route('/auto-trade', 'autoTrades', 'user', false),
  route('/auto-trade/create', 'autoTradeCreate', 'user', false),
  route('/auto-trade/wallets', 'wallets', 'user', false),
  route('/auto-trade/filters', 'coinFilters', 'user', false),
  route('/auto-trade/detail/:id', 'autoTradeDetail', 'user', false),
  route('/auto-trade/detail/:id/edit', 'autoTradeEdit', 'user', false),
  route('/auto-trade/detail/:id/backtest', 'backtest', 'user', false),
  route('/management', 'admin', 'admin'),
  route('/management/market', 'market', 'admin'),
  route('/management/localization-resources', 'localizationResources', 'admin'),
  route('/management/currencies', 'currencies', 'admin'),
  route('/management/app-settings', 'appSettings', 'admin'),
  route('/management/users', 'users', 'admin'),
] as const satisfies readonly RouteEntry[];

export const NOT_FOUND: RouteEntry = route('*', 'notFound', 'public');

export type Viewer = { signedIn: boolean /** Undefined while the account is being asked for. */; isAdmin: boolean | undefined };
export type Decision =
  | { show: true }
  | { show: false; redirect: string }
  | { show: false; wait: true }
  /** The guard itself failed: what it guards is not shown. */
  | { show: false; failed: true };

/** The route guard. `search` is the query with its question mark, kept on the way to the login screen. */
export function guard(entry: RouteEntry, viewer: Viewer, search: string): Decision {
  if (entry.access === 'public') return { show: true };
  if (entry.access === 'guest') return viewer.signedIn ? { show: false, redirect: '/' } : { show: true };
  if (!viewer.signedIn) return { show: false, redirect: `/auth/login${search}` };
  if (entry.access === 'user' || viewer.isAdmin) return { show: true };
  return viewer.isAdmin === undefined ? { show: false, wait: true } : { show: false, redirect: '/' };
}

/** What the console says of a guard that failed: in Turkish whatever the page speaks, as the specification has it. */
export const GUARD_FAILED = 'Sayfa koruması hata verdi; sayfa gösterilmedi';

/** The guard's decision. An error in it is logged and shows nothing that is guarded. */
export function guarded(run: () => Decision, log: (message: string, error: unknown) => void): Decision {
  try {
    return run();
  } catch (error) {
    log(GUARD_FAILED, error);
    return { show: false, failed: true };
  }
}

/** The entry a path belongs to, as the router would match it. */
export function entryOf(pathname: string): RouteEntry {
  const parts = pathname.replace(/\/+$/, '').split('/');
  return (
    ROUTES.find(({ path }) => {
      const wanted = (path === '/' ? '' : path).split('/');
      return (
        wanted.length === parts.length &&
        wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
      );
    }) ?? NOT_FOUND
  );
}
