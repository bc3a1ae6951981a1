// @vitest-environment happy-dom
import { AppError } from '@pilotfish/core/http/problem';
import { screen } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import AutoTradesPage from '../auto-trades/list/auto-trades-page.tsx';
import WalletsPage from '../auto-trades/list/wallets-page.tsx';
import ExchangeConnectPage from '../exchange-connection/exchange-connect-page.tsx';
import PriceAlertsPage from '../price-alerts/price-alerts-page.tsx';
import ImportPage from '../trade-import/import-page.tsx';
import { show, signedIn, testApp } from './testing/shown-app.tsx';

// What the roles of an account do not allow is disabled, with its reason beside it, before anything is filled in.

const none = async () => [];
const empty = async () => ({ items: [], page: 1, pageSize: 20, total: 0 });

async function open(page: React.ReactNode, ...permissions: string[]) {
  const claims = [{ name: 'role', value: 'Analyst' }, ...permissions.map((value) => ({ name: 'permission', value }))];
  const account = { id: 'a', username: 'ada', email: 'ada@example.com', claims, exchanges: [], hasTelegram: false };
  const calls = {
    getAccount: async () => account,
    getAppConfig: async () => ({ demoAccounts: true }),
    getBinancePermissions: () => Promise.reject(new AppError('not-connected')),
    listAutoTrades: none,
    listWallets: none,
    listAutoTradeFigures: none,
    getNeeds: async () => ({ items: [], checkedAt: '1970-01-01T00:00:00.000Z' }),
    listPairs: none,
    listCoinHalts: none,
    listPriceAlerts: none,
    listUnreadable: empty,
    listImports: none,
  };
  const app = signedIn(testApp({ calls }));
  await show(app, page);
  return { account: () => app.account.getSnapshot().context.data };
}

const PLACES = [
  { permission: 'bots', page: <AutoTradesPage />, name: 'New bot' },
  { permission: 'bots', page: <WalletsPage />, name: 'Open a wallet' },
  { permission: 'price-alerts', page: <PriceAlertsPage />, name: 'Create alert' },
  { permission: 'trade-import', page: <ImportPage />, name: 'Choose a file' },
  { permission: 'trade-import', page: <ImportPage />, name: 'Another swap' },
  { permission: 'exchange-connection', page: <ExchangeConnectPage />, name: 'Connect' },
];

describe.each(PLACES)('$name', ({ permission, page, name }) => {
  test('is disabled without its permission, and says why', async () => {
    await open(page, 'live-trading');
    const [button] = await screen.findAllByRole('button', { name });
    await expect.poll(() => button?.getAttribute('aria-describedby')).toBe(`not-permitted-${permission}`);
    expect((button as HTMLButtonElement).disabled).toBe(true);
    expect(document.getElementById(`not-permitted-${permission}`)?.textContent).toMatch(/Your roles do not allow you/);
  });

  test('is not withheld with it', async () => {
    const { account } = await open(page, permission);
    await expect.poll(() => account()?.claims.length).toBe(2);
    const [control] = await screen.findAllByText(name);
    expect(control?.closest('[aria-describedby^=not-permitted]')).toBeNull();
    expect(document.getElementById(`not-permitted-${permission}`)).toBeNull();
  });
});
