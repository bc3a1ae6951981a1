import { newPriceAlertContext } from '@pilotfish/core/price-alerts/price-alert-machine';
import type { PriceAlertInput } from '@pilotfish/core/price-alerts/price-alerts-contract';
import { priceAlertBody } from '@pilotfish/core/price-alerts/price-alerts-contract';
import type { Pair } from '@pilotfish/core/prices/prices-contract';
import { expect, test } from 'vitest';
import { type Rows, withUnread } from '../exchange/exchange-rows.ts';
import type { LiveAlert } from './alert-live.ts';
import { alertPolls, type PollParts } from './alert-polls.ts';
import type { Trigger } from './price-alerts-store.ts';

const live = (id: string, input: PriceAlertInput): LiveAlert => ({
  id,
  accountId: 'a',
  createdAt: 0,
  body: { ...priceAlertBody.parse(input), expiresAt: null },
  state: 'armed',
  context: newPriceAlertContext({ repeat: 'every', needsHistory: false, snoozedUntil: null }),
  memory: { since: 0 },
  rule: undefined,
  isDirty: false,
  isGone: false,
});

/** Looks at lists of pairs, and answers what each look told. */
function looking(alerts: readonly LiveAlert[]) {
  const told: string[] = [];
  let known = '{}';
  let pairs: Rows<Partial<Pair>> = [];
  const polls = alertPolls({
    runner: {
      alerts: new Map(alerts.map((alert) => [alert.id, alert])),
      pairs: {
        get: () => known,
        set: (text: string) => {
          known = text;
        },
      },
      advance: () => false,
      trigger: (alert: LiveAlert, { symbol, facts }: Trigger) => told.push(`${alert.id} ${symbol} ${facts.found}`) > 0,
      settle: () => undefined,
      fail: (alert: LiveAlert, reason: string) => told.push(`${alert.id} ${reason}`),
      judgePricesBy: () => undefined,
    },
    database: { queries: {} },
    market: { asOf: 1000, price: () => '1' },
    pairs: async () => pairs,
    now: () => 1000,
  } as unknown as PollParts);
  const look = async (next: Rows<Partial<Pair>>): Promise<string[]> => {
    pairs = next;
    told.length = 0;
    await polls.judgePairs();
    return [...told];
  };
  return {
    look,
    forgetTo: (before: Readonly<Record<string, string>>) => {
      known = JSON.stringify(before);
    },
  };
}
const btc = { symbol: 'BTCUSDT', quoteAsset: 'USDT', status: 'TRADING' } as const;
const old = { symbol: 'OLDUSDT', quoteAsset: 'USDT', status: 'TRADING' } as const;

test('pairs that are new, that change their status, and that are gone', async () => {
  const alerts = [
    live('any', { condition: { kind: 'newListing' } }),
    live('usdt', { condition: { kind: 'newListing', quoteAsset: 'USDT' } }),
    live('status', { symbol: 'BTCUSDT', condition: { kind: 'statusChange' } }),
    live('halt', { symbol: 'BTCUSDT', condition: { kind: 'statusChange', status: 'HALT' } }),
    live('gone', { symbol: 'OLDUSDT', condition: { kind: 'above', level: '1' } }),
  ];
  const { look, forgetTo } = looking(alerts);
  // The first look only says what there is.
  expect(await look([btc, old])).toEqual([]);
  expect(await look([btc, old, { symbol: 'NEWBTC', quoteAsset: 'BTC', status: 'TRADING' }])).toEqual(['any NEWBTC NEWBTC']);
  const halted = { ...btc, status: 'HALT' } as const;
  expect(await look([halted, old])).toEqual(['status BTCUSDT TRADING → HALT', 'halt BTCUSDT TRADING → HALT']);
  expect(await look([btc, old])).toEqual(['status BTCUSDT HALT → TRADING']);
  expect(await look([btc])).toEqual(['gone pair-delisted']);
  expect(await look([])).toEqual([]);
  alerts[alerts.length - 1]!.isGone = true;
  // Several at once are all told; what comes or changes while it cools down is told afterwards.
  const pair = (symbol: string) => ({ symbol, quoteAsset: 'USDT', status: 'TRADING' }) as const;
  expect(await look([btc, pair('AUSDT'), pair('BUSDT')])).toEqual(['any null AUSDT, BUSDT', 'usdt null AUSDT, BUSDT']);
  for (const alert of alerts) alert.state = 'cooldown';
  expect(await look([halted, pair('AUSDT'), pair('BUSDT'), pair('CUSDT')])).toEqual([]);
  for (const alert of alerts) alert.state = 'armed';
  expect(await look([halted, pair('AUSDT'), pair('BUSDT'), pair('CUSDT')])).toEqual([
    'any CUSDT CUSDT',
    'usdt CUSDT CUSDT',
    'status BTCUSDT TRADING → HALT',
    'halt BTCUSDT TRADING → HALT',
  ]);
  // The firing was written, the pairs known then were not: it is not told twice.
  forgetTo({ BTCUSDT: 'HALT', AUSDT: 'TRADING', BUSDT: 'TRADING' });
  expect(await look([halted, pair('AUSDT'), pair('BUSDT'), pair('CUSDT')])).toEqual([]);
});

test.each([
  ['names its pair', { symbol: 'BTCUSDT', status: null }],
  ['names none', {}],
])('a row that cannot be read and %s: what it was stays, and is neither gone nor new', async (_what, given) => {
  const alerts = [
    live('any', { condition: { kind: 'newListing' } }),
    live('status', { symbol: 'BTCUSDT', condition: { kind: 'statusChange' } }),
    live('level', { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' } }),
  ];
  const { look } = looking(alerts);
  const unread = (...read: Partial<Pair>[]) => withUnread(read, [{ list: 'symbols', name: '', field: 'status', given }]);
  expect(await look([btc, old])).toEqual([]);
  expect(await look(unread(old))).toEqual([]);
  expect(await look(unread(old))).toEqual([]);
  expect(await look([btc, old])).toEqual([]);
  expect(await look(unread(old))).toEqual([]);
  expect(await look([{ ...btc, status: 'HALT' }, old])).toEqual(['status BTCUSDT TRADING → HALT']);
  expect(await look([old])).toEqual(['status BTCUSDT HALT → DELISTED', 'level pair-delisted']);
});

test('a pair that could not be read at the first look is no new one at the second', async () => {
  const alerts = [
    live('any', { condition: { kind: 'newListing' } }),
    live('status', { symbol: 'BTCUSDT', condition: { kind: 'statusChange' } }),
    live('level', { symbol: 'BTCUSDT', condition: { kind: 'above', level: '1' } }),
  ];
  const { look } = looking(alerts);
  expect(await look(withUnread([old], [{ list: 'symbols', name: '', field: 'status', given: { symbol: 'BTCUSDT' } }]))).toEqual([]);
  expect(await look([btc, old])).toEqual([]);
});
