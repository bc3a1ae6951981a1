import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { dashboardState } from '../../testing/dashboard-fixture.ts';
import { loadTexts } from '../app/texts.ts';
import { disabling, enabling, offerOf } from './dashboard-commands.ts';
import type { DashboardData } from './dashboard-data.ts';
import { perform } from './perform.ts';

test('enabling a bot with a live wallet is asked about, whatever its exchange; with paper money it is done', () => {
  const isAsked = (mode: 'paper' | 'live', exchange: 'simulated' | 'binance') =>
    enabling({ ...autoTrade('Disabled'), allowed: ['enable'], mode, exchange }, (key) => String(key));
  for (const exchange of ['simulated', 'binance'] as const) {
    expect(isAsked('live', exchange)).toMatchObject({ action: { kind: 'enable', dangerous: true } });
    expect(isAsked('paper', exchange)).toMatchObject({ action: { kind: 'enable', dangerous: false } });
  }
});

test.each(['en', 'tr'] as const)(
  'what is asked of a bot says what follows: money, what is exposed, halts and exits (%s)',
  async (language) => {
    const t = await loadTexts(language);
    const asked = (offer: ReturnType<typeof enabling>) => ('action' in offer && 'asks' in offer.action ? offer.action.asks : undefined);
    const bot = { ...autoTrade('Disabled'), openPositions: 2 };
    const live = { ...bot, allowed: ['enable' as const], mode: 'live' as const };
    const money = { name: 'Dip', wallet: 'Main', spend: t('autoTrades.spend.fixed', { count: 3, amount: '15.00 USDT' }) };
    expect(asked(enabling({ ...live, exchange: 'binance' }, t))).toEqual([t('autoTrades.exposed.noStop'), t('cli.bots.enableLive', money)]);
    expect(asked(enabling(live, t))).toEqual([t('autoTrades.exposed.noStop'), t('cli.bots.enableTest', money)]);
    expect(asked(disabling({ ...bot, allowed: ['disable'], mustAcknowledge: true }, t))?.[0]).toBe(t('autoTrades.stillHalted'));
    expect(asked(disabling({ ...bot, allowed: ['unfreeze'] }, t))).toEqual([
      t('autoTrades.ask.unfreeze.what', { count: 2 }),
      t('autoTrades.ask.unfreeze.title', { name: 'Dip' }),
    ]);
  },
);

test('what was asked for is called for; consent to a sale goes with it only where the sale was named', async () => {
  const calls: [string, unknown][] = [];
  const call = (name: string) => async (given: { body: unknown }) => {
    calls.push([name, given.body]);
    return autoTrade();
  };
  const client = { enableAutoTrade: call('enable'), disableAutoTrade: call('disable') };
  const store = { change: () => undefined, newest: () => ({ bots: [] }) };
  const data = { client, store, reload: () => undefined } as unknown as DashboardData;
  const base = { id: 'dip', name: 'Dip', version: 4, dangerous: true };
  for (const kind of ['enable', 'disable', 'unfreeze'] as const)
    for (const sale of [{}, { sale: 'BTCUSDT is sold at once.' }])
      expect(await perform({} as never, data, { ...base, kind, ...sale })).toMatchObject({ key: `cli.dashboard.done.${kind}` });
  expect(calls).toEqual([
    ['enable', { acknowledge: false, version: 4 }],
    ['enable', { acknowledge: false, sellNow: true, version: 4 }],
    ['disable', { exits: 'continue' }],
    ['disable', { exits: 'continue', sellNow: true }],
    ['disable', { exits: 'continue' }],
    ['disable', { exits: 'continue', sellNow: true }],
  ]);
});

test('an alert that takes no snooze is not asked for one: the line says which, its state and why, as the command does', async () => {
  const t = await loadTexts('en');
  const [alert] = dashboardState.alerts ?? [];
  expect(offerOf('snooze', alert, t)).toMatchObject({ action: { kind: 'snooze', id: 'a1' } });
  const failed = { ...alert!, state: 'Failed' as const, reason: 'pair-delisted', allowed: ['enable' as const, 'disable' as const] };
  const offer = offerOf('snooze', failed, t);
  expect(offer).toMatchObject({ refused: { tone: 'refused' } });
  const { key, values } = (offer as { refused: { key: string; values: Record<string, string> } }).refused;
  expect(t(key, values)).toBe('“BTCUSDT” is “Failed”: it cannot be snoozed. Turn it on first (alerts enable).');
});
