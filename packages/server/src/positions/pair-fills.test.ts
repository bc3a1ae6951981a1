import { digits } from '@pilotfish/core/money/figure';
import { fillKey } from '@pilotfish/core/positions/position-origin';
import { expect, test } from 'vitest';
import { describeEachDialect } from '../database/database-fixture.ts';
import { account, MINUTE, NOW, OWNER, trade } from './ledger-fixture.ts';
import { ledgerStore } from './ledger-store.ts';
import { type PaperFills, pairFills } from './pair-fills.ts';

const BOT = '018f0000-0000-7000-8000-0000000000b1';
const PAPER_BOT = '018f0000-0000-7000-8000-0000000000b2';
const fill = { autoTradeId: BOT, symbol: 'ETHUSDT', side: 'Buy', at: NOW, reason: null } as const;
const onPaper: Awaited<ReturnType<PaperFills>> = [
  { id: 'p:1', at: NOW + 2.5 * MINUTE, side: 'Sell', price: '12', quantity: '4', autoTradeId: PAPER_BOT, botName: 'Trial' },
];

describeEachDialect('fills in a pair', (open) => {
  test('newest first, with the bot or nobody beside each, paper told apart, and no other pair', async (context) => {
    const database = await open(context);
    await account(database);
    const ledger = ledgerStore(database);
    const errors: unknown[] = [];
    const fills = pairFills({
      ledger,
      botFills: async () => ({ fills: new Map([[fillKey('ETHUSDT', '2'), fill]]), bots: new Map([[BOT, { name: 'Majors' }]]) }),
      paperFills: async (_, { limit }) => onPaper.slice(0, limit),
      log: { error: (facts: unknown) => void errors.push(facts) },
    });
    await ledger.append(OWNER, [
      trade(1, 'Buy', '1', '10'),
      trade(2, 'Buy', '2', '11'),
      trade(3, 'Sell', '0.5', '13', { tradeId: null }),
      trade(2, 'Buy', '9', '99', { id: 'other', symbol: 'BTCUSDT', baseAsset: 'BTC' }),
    ]);
    const shown = async (limit: number) =>
      (await fills(OWNER, { symbol: 'ETHUSDT', limit })).map(({ mode, at, side, price, quantity, botName }) =>
        [mode, (Date.parse(at) - NOW) / MINUTE, side, digits(quantity), digits(price), botName].join(' '),
      );
    expect(await shown(10)).toEqual(['live 3 Sell 0.5 13 ', 'paper 2.5 Sell 4 12 Trial', 'live 2 Buy 2 11 Majors', 'live 1 Buy 1 10 ']);
    expect(await shown(2)).toEqual(['live 3 Sell 0.5 13 ', 'paper 2.5 Sell 4 12 Trial']);
    const [byHand, , ofBot] = await fills(OWNER, { symbol: 'ETHUSDT', limit: 10 });
    expect([byHand?.autoTradeId, ofBot?.autoTradeId]).toEqual([null, BOT]);
    // Damaged rows cost themselves, and the log names them once.
    await database.queries.updateTable('ledger_entries').set({ price: null }).where('trade_id', '=', '1').execute();
    await database.queries.updateTable('ledger_entries').set({ quantity: 'x' }).where('side', '=', 'Sell').execute();
    expect(await shown(10)).toEqual(['paper 2.5 Sell 4 12 Trial', 'live 2 Buy 2 11 Majors']);
    await shown(10);
    expect(errors).toMatchObject([{ table: 'ledger_entries' }, { table: 'ledger_entries', field: 'quantity' }]);
  });
});
