import { expect, test } from 'vitest';
import { tradingPermission } from './trading-permission.ts';

const NOW = Date.UTC(2026, 0, 15);

/** Keys of Ada's, about which the exchange says what is in `said`. */
async function keysOf(said: Record<string, boolean | number>, stored: readonly string[] = [], hasWallet = true) {
  const seen: { asked: number; followed: string[]; published: string[]; saved: object[]; byRole: string[]; now: number } = {
    asked: 0,
    followed: [],
    published: [],
    saved: [],
    byRole: [],
    now: NOW,
  };
  const afterRoles: ((accountIds: readonly string[]) => Promise<void>)[] = [];
  const trading = tradingPermission(
    {
      log: { info: () => undefined } as never,
      now: () => seen.now,
      marketSource: 'simulated',
      accountExtras: { afterRoles } as never,
      stream: { publish: (topic: string) => void seen.published.push(topic) } as never,
    },
    {
      exchange: {
        restrictions: async () => {
          seen.asked += 1;
          return { ...said } as never;
        },
        hasWallet,
        rest: { time: () => seen.now } as never,
      },
      roles: { without: async () => new Set(seen.byRole), of: async () => [] },
      store: {
        deniedAccounts: async () => [...stored],
        keys: async () => ({ apiKey: 'k'.repeat(64), apiSecret: 's'.repeat(64) }),
        savePermissions: async (_: string, permissions: object) => void seen.saved.push(permissions),
      } as never,
    },
  );
  await trading.load();
  trading.onChange((accountId) => seen.followed.push(accountId));
  const rolesChanged = () => Promise.all(afterRoles.map((follow) => follow(['ada'])));
  return { trading, seen, said, rolesChanged };
}

test('what the exchange does not say is not a no: neither warned of nor refused', async () => {
  const { trading, seen } = await keysOf({});
  const { permissions } = await trading.refresh('ada');
  expect(permissions.warnings).not.toContain('trading-disabled');
  expect(trading.isDenied('ada')).toBe(false);
  await trading.require('ada');
  expect(seen).toMatchObject({ asked: 1, followed: [], published: [] });
});

test.each([
  ['enableInternalTransfer', 'internal-transfers-enabled'],
  ['permitsUniversalTransfer', 'universal-transfers-enabled'],
  ['enableMargin', 'margin-enabled'],
  ['enablePortfolioMarginTrading', 'portfolio-margin-enabled'],
  ['enableFutures', 'futures-enabled'],
  ['enableVanillaOptions', 'options-enabled'],
])('a key with a right that nothing here needs (%s) is warned of', async (right, warning) => {
  const rights = { ipRestrict: true, enableSpotAndMarginTrading: true };
  const told = async (more: object) => (await (await keysOf({ ...rights, ...more })).trading.refresh('ada')).permissions.warnings;
  expect(await told({ [right]: true })).toEqual([warning]);
  expect(await told({ [right]: false })).toEqual([]);
});

test('the end of the right to trade is told where the exchange gives one', async () => {
  const { trading, said } = await keysOf({ enableSpotAndMarginTrading: true, tradingAuthorityExpirationTime: NOW + 1000 });
  expect((await trading.refresh('ada')).permissions.tradingEndsAt).toBe('2026-01-15T00:00:01.000Z');
  for (const none of [0, -1]) {
    said.tradingAuthorityExpirationTime = none;
    expect((await trading.refresh('ada')).permissions).not.toHaveProperty('tradingEndsAt');
  }
});

test('an exchange without a wallet says nothing of addresses: nothing is warned of', async () => {
  const rights = { enableReading: true, enableSpotAndMarginTrading: true };
  const warned = async (hasWallet: boolean) => (await (await keysOf(rights, [], hasWallet)).trading.refresh('ada')).permissions.warnings;
  expect(await warned(false)).toEqual([]);
  expect(await warned(true)).toEqual(['no-ip-restriction']);
});

test('a no is told once, refused with its code, and asked again before each refusal', async () => {
  const { trading, seen, said } = await keysOf({ enableSpotAndMarginTrading: false });
  await trading.refresh('ada');
  await trading.refresh('ada');
  expect(seen).toMatchObject({ followed: ['ada'], published: ['account'] });
  await expect(trading.require('ada')).rejects.toMatchObject({ code: 'trading-disabled' });
  said.enableSpotAndMarginTrading = true;
  await trading.require('ada');
  expect(seen).toMatchObject({ followed: ['ada', 'ada'], asked: 4 });
});

test('a stored no holds from the start; keys that go take it with them', async () => {
  const { trading } = await keysOf({}, ['ada']);
  expect([trading.isDenied('ada'), trading.isDenied('bob')]).toEqual([true, false]);
  trading.learn('ada', undefined);
  expect(trading.isDenied('ada')).toBe(false);
});

test('orders that are refused one after the other lead to one question a minute', async () => {
  const { trading, seen } = await keysOf({ enableSpotAndMarginTrading: false });
  for (let order = 0; order < 5; order += 1) trading.doubt('ada');
  expect(seen.asked).toBeLessThanOrEqual(1);
  await expect.poll(() => trading.isDenied('ada')).toBe(true);
  seen.now += 60_000;
  trading.doubt('ada');
  await expect.poll(() => seen.asked).toBe(2);
});

test('a role that does not allow it denies, whatever the keys may do, and is told once', async () => {
  const { trading, seen, rolesChanged } = await keysOf({ enableSpotAndMarginTrading: true });
  seen.byRole = ['ada'];
  await rolesChanged();
  await rolesChanged();
  expect(trading.isDenied('ada')).toBe(true);
  await trading.refresh('ada');
  await expect(trading.require('ada')).rejects.toMatchObject({ code: 'trading-disabled', parameters: { context: 'role' } });
  expect(seen.followed).toEqual(['ada']);
  seen.byRole = [];
  await rolesChanged();
  await trading.require('ada');
  expect(seen.followed).toEqual(['ada', 'ada']);
});

test('roles that did not allow it before the server stopped deny from the start', async () => {
  const { trading, seen } = await keysOf({ enableSpotAndMarginTrading: true });
  seen.byRole = ['bob'];
  await trading.load();
  expect([trading.isDenied('ada'), trading.isDenied('bob')]).toEqual([false, true]);
});
