import { expect, test } from 'vitest';
import { autoTrade } from '../../testing/auto-trade-fixture.ts';
import { enabling } from './dashboard-commands.ts';

test('enabling a bot with a live wallet is asked about, whatever its exchange; with paper money it is done', () => {
  const isAsked = (mode: 'paper' | 'live', exchange: 'simulated' | 'binance') =>
    enabling({ ...autoTrade('Disabled'), allowed: ['enable'], mode, exchange }, (key) => String(key));
  for (const exchange of ['simulated', 'binance'] as const) {
    expect(isAsked('live', exchange)).toMatchObject({ action: { kind: 'enable', dangerous: true } });
    expect(isAsked('paper', exchange)).toMatchObject({ action: { kind: 'enable', dangerous: false } });
  }
});
