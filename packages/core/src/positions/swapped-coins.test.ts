import { describe, expect, test } from 'vitest';
import { FOLD_OPTIONS, swap, trade, transfer } from '../../testing/ledger-entries.ts';
import { decimal, toText } from '../money/decimal.ts';
import { foldLedger } from './asset-fold.ts';
import { addFlows, type LedgerEntry } from './ledger-entry.ts';
import { positionFigures } from './position-figures.ts';

const POL = { symbol: 'POLUSDT', baseAsset: 'POL' };
const MATIC = { symbol: 'MATICUSDT', baseAsset: 'MATIC' };

/** Each position in words, and what is known of each asset; what the entries explain of it must be the same. */
function folded(entries: readonly LedgerEntry[]) {
  const flows = new Map();
  for (const entry of entries) addFlows(flows, entry);
  const books = foldLedger(entries, FOLD_OPTIONS);
  for (const { asset, known } of books) expect([asset, toText(known)]).toEqual([asset, toText(flows.get(asset))]);
  return books.flatMap(({ positions }) =>
    positions.map((position) => {
      const { symbol, quantity, cost, realised, closedBy, reasons } = position;
      return [symbol, toText(quantity), toText(cost), toText(realised), closedBy, ...reasons].join(' ');
    }),
  );
}

describe('a coin that was swapped for another', () => {
  const bought = trade('Buy', '100', '1', MATIC);

  test('takes its cost along: the first position ends without a result, the sale of the new coin has it all', () => {
    expect(folded([bought, swap('MATIC', '100', 'POL', '100'), trade('Sell', '100', '1.2', POL)])).toEqual([
      'MATICUSDT 0 0 0 gone',
      'POLUSDT 0 0 20 sell',
    ]);
  });
  test('a part of it takes its share', () => {
    const entries = [bought, swap('MATIC', '25', 'POL', '50'), trade('Buy', '50', '1', POL)];
    expect(folded(entries)).toEqual(['MATICUSDT 75 75 0 ', 'POLUSDT 100 75 0 ']);
  });
  test('joins what is held of the new one already', () => {
    const entries = [bought, trade('Buy', '10', '2', POL), swap('MATIC', '100', 'POL', '100')];
    expect(folded(entries)).toEqual(['MATICUSDT 0 0 0 gone', 'POLUSDT 110 120 0 ']);
  });
  test('dust and what waits go along with their cost', () => {
    const dusty = [trade('Buy', '100', '1', { ...MATIC, fee: '0.0005', feeAsset: 'MATIC' }), trade('Sell', '99.999', '1', MATIC)];
    const entries = [...dusty, transfer('MATIC', '1', 'deposit', '3'), swap('MATIC', '1.0005', 'POL', '1.0005')];
    const [, , sold] = [...dusty, trade('Sell', '1', '5', POL)];
    expect(folded([...entries, sold!])).toEqual([
      expect.stringMatching(/^MATICUSDT 0 0 -0.0004999\d* sell$/),
      // 3.0005 / 1.0005 each: 3 for what came in, 0.0005 for the dust.
      expect.stringMatching(/^POLUSDT 0 0 2\.000999\d* sell$/),
    ]);
  });
  test('swapped twice, its cost goes over twice', () => {
    const entries = [bought, swap('MATIC', '100', 'POL', '50'), swap('POL', '50', 'XYZ', '5000')];
    const sale = trade('Sell', '5000', '0.03', { symbol: 'XYZUSDT', baseAsset: 'XYZ' });
    expect(folded([...entries, sale])).toEqual(['MATICUSDT 0 0 0 gone', 'XYZUSDT 0 0 50 sell']);
  });

  test.each<[string, LedgerEntry[]]>([
    ['what came in at a cost that is not known', [transfer('MATIC', '100', 'deposit')]],
    ['what no entry explains', []],
    ['what was bought with a fee that has no value', [trade('Buy', '100', '1', { ...MATIC, fee: '1', feeAsset: 'BNB' })]],
    [
      'what was paid for with another coin',
      [trade('Buy', '100', '1', { ...MATIC, symbol: 'MATICBTC', quoteAsset: 'BTC', feeAsset: 'BTC' })],
    ],
    ['a part that no entry explains', [trade('Buy', '99', '1', MATIC)]],
  ])('%s makes new coins of unknown cost', (_name, before) => {
    const books = foldLedger([...before, swap('MATIC', '100', 'POL', '100'), trade('Sell', '100', '1.2', POL)], FOLD_OPTIONS);
    const [position] = books.find(({ asset }) => asset === 'POL')!.positions;
    expect([...position!.reasons]).toEqual(['MISSING_COST']);
  });
  test('a crumb that no entry explains does not', () => {
    const entries = [trade('Buy', '99.95', '1', MATIC), swap('MATIC', '100', 'POL', '100'), trade('Sell', '100', '1.2', POL)];
    const [position] = foldLedger(entries, FOLD_OPTIONS).find(({ asset }) => asset === 'POL')!.positions;
    expect([toText(position!.realised), position!.reasons.size]).toEqual(['20.05', 0]);
  });
});

describe('a coin that has a new unit', () => {
  test.each([
    ['a hundred new ones for an old one', '2', '200', '0.5'],
    ['one new one for a thousand old ones', '2', '0.002', '50000'],
  ])('%s: the cost stays, the position goes on', (_name, from, to, price) => {
    const entries = [trade('Buy', '3', '100'), trade('Sell', '1', '130'), swap('BTC', from, 'BTC', to)];
    expect(folded(entries)).toEqual([`BTCUSDT ${to} 200 30 `]);
    const [position] = foldLedger(entries, FOLD_OPTIONS)[0]!.positions;
    const figures = positionFigures(position!, { price: decimal(price), taker: decimal('0') });
    // (300 − 130) / 2, in the new unit.
    expect(Number(toText(figures.averageAsOnExchange!))).toBeCloseTo(85 * (Number(from) / Number(to)), 9);
    expect(position!.lines.at(-1)).toMatchObject({ detail: 'swap', realised: null });
    expect(position!.lines.at(-1)!.costAfter).toEqual(position!.cost);
  });
  test('what a sale leaves of a position is dust by the most that was held in the new unit', () => {
    // 15 of 10,000 are 1.65 USDT, too little to sell; of the 10 old ones they would be more than there ever were.
    const entries = [trade('Buy', '10', '100'), swap('BTC', '10', 'BTC', '10000'), trade('Sell', '9985', '0.11')];
    expect(folded(entries)[0]).toMatch(/ sell$/);
  });
  test('positions of two pairs and what waits share it by what they hold', () => {
    const inBtc = { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', feeAsset: 'BTC' };
    const inUsdt = { symbol: 'ETHUSDT', baseAsset: 'ETH' };
    const entries = [
      trade('Buy', '1', '100'),
      trade('Buy', '3', '0.05', inBtc),
      transfer('ETH', '1', 'deposit', '70'),
      trade('Buy', '6', '10', inUsdt),
    ];
    expect(folded([...entries, swap('ETH', '10', 'ETH', '100')]).slice(1)).toEqual(['ETHBTC 30 0.15 0 ', 'ETHUSDT 70 130 0 ']);
  });
  test('what no entry explained before is of unknown cost after it', () => {
    const entries = [trade('Buy', '1', '100'), swap('BTC', '2', 'BTC', '200')];
    const [book] = foldLedger(entries, FOLD_OPTIONS);
    const [position] = book!.positions;
    expect([toText(book!.known), toText(position!.cost), ...position!.reasons]).toEqual(['199', '100', 'MISSING_COST']);
  });
});
