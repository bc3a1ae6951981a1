import type { AutoTrade } from '@pilotfish/core/auto-trades/auto-trades-contract';
import type { Page } from '@pilotfish/core/http/wire';
import type { Notification, NotificationSettings } from '@pilotfish/core/notifications/notifications-contract';
import type { ClosedPosition, OpenPosition } from '@pilotfish/core/positions/positions-contract';
import type { AlertFiring, PriceAlert } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Wallet } from '@pilotfish/core/wallets/wallets-contract';

type Ask = <Body>(path: string) => Promise<Body>;
export type FixtureView = Readonly<Record<string, unknown>>;

const chosen = <Row extends object, Key extends keyof Row>(rows: readonly Row[], ...keys: Key[]): Pick<Row, Key>[] =>
  rows.map((row) => Object.fromEntries(keys.map((key) => [key, row[key]])) as Pick<Row, Key>);

/** Reasons that follow from the ledger alone. The others come and go with what the exchange is asked meanwhile. */
const OF_THE_LEDGER: ReadonlySet<string> = new Set(['USER', 'OVERSOLD', 'MISSING_COST']);
const withReasons = <Row extends { broken: { code: string }[] }>(rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, broken: row.broken.filter(({ code }) => OF_THE_LEDGER.has(code)) }));
/** As it is in a file: without fields that are undefined. */
const written = (view: FixtureView): FixtureView => JSON.parse(JSON.stringify(view)) as FixtureView;

/**
 * What users of a fixture read over HTTP, as far as it is theirs and no clock's or market's: the same for every version
 * that keeps its promise. A field that a later version renames is mapped here, its value stays.
 *
 * @param endedAt of the fixture: a server that was started on it adds notifications of its own
 */
export async function viewOfUser(ask: Ask, endedAt: number): Promise<FixtureView> {
  const open = await ask<{ items: OpenPosition[] }>('/bff/v2/positions/open');
  const closed = await ask<{ items: ClosedPosition[] }>('/bff/v2/positions/closed?pageSize=100');
  const wallets = await ask<Wallet[]>('/bff/v2/wallets');
  const bots = await ask<AutoTrade[] | { items: AutoTrade[] }>('/bff/v2/auto-trades');
  const alerts = await ask<PriceAlert[]>('/bff/v2/price-alerts');
  const firings = await ask<Page<AlertFiring>>('/bff/v2/price-alerts/history?pageSize=100');
  const settings = await ask<NotificationSettings>('/bff/v2/notifications/settings');
  const notices = await ask<{ items: Notification[]; total: number }>('/bff/v2/notifications?pageSize=100');
  return written({
    open: chosen(
      withReasons(open.items),
      'id',
      'symbol',
      'quantity',
      'averageCost',
      'openedAt',
      'targetPrice',
      'excludedFromTotals',
      'broken',
    ),
    closed: chosen(withReasons(closed.items), 'id', 'symbol', 'realised', 'closedAt', 'closedBy', 'excludedFromTotals', 'broken'),
    wallets,
    bots: chosen(
      Array.isArray(bots) ? bots : bots.items,
      'id',
      'name',
      'state',
      'stateReason',
      'openPositions',
      'realised',
      'runNo',
      'configVersion',
    ),
    halts: await ask('/bff/v2/auto-trades/halts'),
    alerts: chosen(alerts, 'id', 'symbol', 'state', 'firedCount', 'condition', 'expiresAt', 'note', 'channels'),
    firings: chosen(firings.items, 'id', 'priceAlertId', 'at', 'delivery', 'price', 'acknowledgedAt'),
    imports: await ask('/bff/v2/import-trades/Binance'),
    coinFilters: await ask('/bff/v2/coin-filters'),
    notifications: chosen(
      notices.items.filter(({ createdAt }) => Date.parse(createdAt) < endedAt),
      'id',
      'code',
      'kind',
      'at',
      'facts',
      'read',
    ),
    quietHours: settings.quietHours,
    preferences: await ask('/bff/v2/account/preferences'),
    connection: await ask('/gateway/v2/account/connect/binance'),
  });
}

/** What an Admin reads of the instance. */
export async function viewOfAdmin(ask: Ask): Promise<FixtureView> {
  const users = await ask<{ items: { username: string; roles: string[] }[] }>('/bff/v2/admin/users?pageSize=100');
  return written({
    users: chosen(users.items, 'username', 'roles'),
    appSettings: await ask('/bff/v2/admin/app-settings'),
    currencies: await ask('/bff/v2/admin/currencies?state=changed'),
    tags: await ask('/bff/v2/admin/tags'),
    texts: await ask('/bff/v2/localization-resources/export'),
  });
}
