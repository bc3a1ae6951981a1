import { expect, test } from 'vitest';
import type { AutoTradeFigures } from './bot-figures-contract.ts';
import { type BotWithFigures, botTotals } from './bot-totals.ts';

const row = (bot: Partial<BotWithFigures['bot']>, figures: Partial<AutoTradeFigures> | undefined = {}): BotWithFigures => ({
  bot: { mode: 'live', currency: 'USDT', walletId: 'w1', ...bot },
  figures: figures && {
    id: 'b',
    holds: [],
    slots: { used: 0, most: 3 },
    next: null,
    open: '0',
    realised: '0',
    total: '0',
    today: '0',
    inUse: '0',
    budget: '1000',
    returnPct: '0',
    atRisk: { amount: '0', without: 0 },
    exits: 0,
    wins: 0,
    winRatePct: null,
    profitFactor: null,
    maxDrawdownPct: '0',
    averageHoldSeconds: null,
    fees: '0',
    curve: [],
    lastEventAt: null,
    ...figures,
  },
});
const missing = (bot: Partial<BotWithFigures['bot']> = {}): BotWithFigures => ({ ...row(bot), figures: undefined });

test('sums are exact, and a wallet that two bots share is one budget', () => {
  const totals = botTotals(
    [
      row({}, { open: '0.1', total: '10', inUse: '200', exits: 3, wins: 2, atRisk: { amount: '5', without: 1 } }),
      row({}, { open: '0.2', total: '-4', inUse: '100', exits: 1, wins: 0, atRisk: { amount: '7.5', without: 2 } }),
      row({ walletId: 'w2' }, { budget: '500' }),
    ],
    'live',
  );
  expect(totals).toMatchObject({ open: '0.3', total: '6', inUse: '300', budget: '1500', bots: 3, exits: 4 });
  expect(totals).toMatchObject({ returnPct: '0.4', inUsePct: '20', winRatePct: '50', atRisk: { amount: '12.5', without: 3 } });
});

test('live and paper are never added, nor are sums of several currencies', () => {
  const rows = [
    row({}, { total: '10' }),
    row({ mode: 'paper' }, { total: '7' }),
    row({ currency: 'BTC', walletId: 'w3' }, { total: '1' }),
    row({ currency: 'BTC', walletId: 'w3' }, { total: '1' }),
  ];
  expect(botTotals(rows, 'live')).toMatchObject({ currency: 'USDT', total: '10', leftOut: [{ currency: 'BTC', bots: 2 }] });
  expect(botTotals(rows, 'paper')).toMatchObject({ currency: 'USDT', total: '7', leftOut: [] });
  // Without the primary currency the one that most bots have is read.
  expect(botTotals(rows.slice(2), 'live')).toMatchObject({ currency: 'BTC', total: '2' });
});

test('an unknown part makes its sum unknown, and only that one; figures that are missing make all unknown', () => {
  const price = botTotals([row({}, { open: null, total: null, realised: '4' }), row({}, { open: '1', total: '9' })], 'live');
  expect(price).toMatchObject({ open: null, total: null, returnPct: null, today: '0', inUse: '0', unknown: 'price' });
  const figures = botTotals([row({}, { open: '1' }), missing()], 'live');
  expect(figures).toMatchObject({ open: null, today: null, inUse: null, budget: null, winRatePct: null, unknown: 'figures' });
});

test('what is won of nothing is unknown, and no budget has no percentage', () => {
  expect(botTotals([row({}, { budget: '0', total: '3' })], 'live')).toMatchObject({ winRatePct: null, returnPct: null, inUsePct: null });
  expect(botTotals([], 'live')).toMatchObject({ bots: 0, open: '0', leftOut: [] });
});
