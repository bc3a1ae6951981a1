import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FOLD_OPTIONS } from '../../testing/ledger-entries.ts';
import { add, compare, type Decimal, decimal, ONE, subtract, sum, toText, ZERO } from '../money/decimal.ts';
import { foldLedger } from '../positions/asset-fold.ts';
import { addFlows, type LedgerEntry, type SwapEntry, type TradeEntry, type TransferEntry } from '../positions/ledger-entry.ts';
import { crossDuplicates } from './cross-duplicates.ts';
import { halfSwaps, joinGiven, momentOf, proposalOf } from './half-swaps.ts';

const HOUR = 3_600_000;
const NOW = 1000 * HOUR;
const trade = (hour: number, side: 'Buy' | 'Sell', quantity: string, price = '1', base = 'MATIC'): TradeEntry => ({
  kind: 'trade',
  id: `t${hour}${base}`,
  at: hour * HOUR,
  symbol: `${base}USDT`,
  baseAsset: base,
  quoteAsset: 'USDT',
  side,
  price,
  quantity,
  quoteQuantity: toText({ units: decimal(quantity).units * decimal(price).units, scale: decimal(quantity).scale + decimal(price).scale }),
  fee: '0',
  feeAsset: 'USDT',
  tradeId: null,
  orderId: null,
  source: 'trade-history',
  feeInQuote: null,
  feeInPrimary: null,
  quoteRate: '1',
});
const moved = (hour: number, asset: string, change: string, more: Partial<TransferEntry> = {}): TransferEntry => ({
  kind: 'transfer',
  id: `${asset}${hour}${change}`,
  at: hour * HOUR,
  asset,
  change,
  transfer: change.startsWith('-') ? 'unknown' : 'airdrop',
  cost: null,
  source: 'transaction-records',
  ...more,
});
const given = (fromQuantity: string, quantity: string, hour = 100, asset = 'POL') => ({
  at: hour * HOUR,
  fromAsset: 'MATIC',
  fromQuantity,
  asset,
  quantity,
});
const names = (entries: readonly LedgerEntry[]) => entries.map(({ id }) => id);
/** The ids that give way, or the reason why not with what would be taken. */
const joined = (swap: ReturnType<typeof given>, entries: readonly LedgerEntry[]) => {
  const result = joinGiven(swap, entries, NOW);
  return 'code' in result ? `${result.path} ${result.code} ${result.limit ?? ''}`.trim() : names(result);
};

describe('what is offered', () => {
  test('coins that went first, newest first; both sides are one offer, at the time of the first', () => {
    const entries = [
      moved(10, 'OLD', '-5'),
      moved(300, 'XYZ', '3'),
      moved(100, 'POL', '100'),
      moved(90, 'USDT', '-100'),
      moved(101, 'MATIC', '-100'),
      moved(102, 'ABC', '1', { cost: '3' }),
      moved(103, 'DEF', '-1', { transfer: 'withdrawal' }),
    ];
    const halves = halfSwaps(entries);
    expect(names(halves.map(({ entry }) => entry))).toEqual(['MATIC101-100', 'OLD10-5', 'XYZ3003']);
    expect(proposalOf(halves[0]!)).toEqual({ fromAsset: 'MATIC', fromQuantity: '100', asset: 'POL', quantity: '100', at: 100 * HOUR });
    expect(proposalOf(halves[2]!)).toEqual({ fromAsset: null, fromQuantity: null, asset: 'XYZ', quantity: '3', at: 300 * HOUR });
  });
  test('of several that could be meant only the one of as many units is proposed; a reward never otherwise', () => {
    const went = moved(100, 'MATIC', '-100');
    const other = (...came: TransferEntry[]) => halfSwaps([went, ...came])[0]!.other?.id;
    expect(other(moved(101, 'POL', '100'), moved(102, 'XYZ', '7'))).toBe('POL101100');
    expect(other(moved(101, 'POL', '50'), moved(102, 'XYZ', '7'))).toBeUndefined();
    expect(other(moved(101, 'BNB', '0.1', { transfer: 'reward' }), moved(102, 'POL', '55', { transfer: 'deposit' }))).toBe('POL10255');
    expect(other(moved(101, 'BNB', '0.1', { transfer: 'reward' }))).toBeUndefined();
    expect(other(moved(101, 'POL', '100', { transfer: 'reward' }))).toBe('POL101100');
    expect(other(moved(180, 'POL', '100'))).toBeUndefined();
  });
});

test('a history with many gifts is not gone through once for each of them', () => {
  let looks = 0;
  const gifts = Array.from({ length: 500 }, (_, index) =>
    Object.defineProperty(moved(100 * index, `C${index}`, '1'), 'change', {
      get: () => {
        looks += 1;
        return '1';
      },
    }),
  );
  expect(halfSwaps(gifts)).toHaveLength(500);
  expect(looks).toBeLessThan(100 * gifts.length);
});

describe('what gives way', () => {
  const bought = trade(1, 'Buy', '100');
  test.each<[string, ReturnType<typeof given>, LedgerEntry[], string[] | string]>([
    ['both sides', given('100', '100'), [bought, moved(100, 'MATIC', '-100'), moved(150, 'POL', '100')], ['MATIC100-100', 'POL150100']],
    ['no row that is far', given('100', '100'), [bought, moved(180, 'POL', '100')], []],
    ['the nearest of two alike', given('100', '5'), [bought, moved(90, 'POL', '5'), moved(101, 'POL', '5')], ['POL1015']],
    [
      'the gift before the reward',
      given('100', '5'),
      [bought, moved(100, 'POL', '5', { transfer: 'reward' }), moved(120, 'POL', '5')],
      ['POL1205'],
    ],
    ['all rows that add up', given('100', '9'), [bought, moved(90, 'POL', '5'), moved(101, 'POL', '4')], ['POL905', 'POL1014']],
    ['not what is of another amount', given('100', '9'), [bought, moved(90, 'POL', '5')], 'quantity otherAmount 5'],
    [
      'nor where they do not add up',
      given('100', '9'),
      [bought, moved(90, 'POL', '5'), moved(91, 'POL', '5')],
      'quantity otherAmount 5 + 5',
    ],
    ['no reward of another amount', given('100', '9'), [bought, moved(90, 'POL', '5', { transfer: 'reward' })], []],
    ['nothing that has a cost and is of another amount', given('100', '9'), [bought, moved(90, 'POL', '8', { cost: '4' })], []],
    ['just as many with a cost, or they would count twice', given('100', '9'), [bought, moved(90, 'POL', '9', { cost: '4' })], ['POL909']],
    ['those without a cost first', given('100', '9'), [bought, moved(100, 'POL', '9', { cost: '4' }), moved(90, 'POL', '9')], ['POL909']],
    [
      'not what is said twice',
      given('50', '9'),
      [bought, { ...given('50', '9'), kind: 'swap', id: 's', source: 'user' }],
      'fromAsset known',
    ],
    ['crumbs that no record explains', given('100', '9'), [trade(1, 'Buy', '99.95'), moved(100, 'MATIC', '-100')], ['MATIC100-100']],
    ['but not without the row', given('100', '9'), [trade(1, 'Buy', '99.95')], 'fromQuantity moreThanHeld 99.95'],
    [
      'nor what is short beyond crumbs',
      given('100', '9'),
      [trade(1, 'Buy', '60'), moved(100, 'MATIC', '-100')],
      'fromQuantity moreThanHeld 60',
    ],
    ['what was bought later is not held yet', given('100', '9'), [trade(101, 'Buy', '100')], 'fromQuantity moreThanHeld 0'],
    ['what is sold later did not go', given('60', '9'), [bought, trade(200, 'Sell', '70')], 'fromQuantity goneLater 30'],
    [
      'a later purchase covers no earlier sale',
      given('60', '9'),
      [bought, trade(200, 'Sell', '70'), trade(300, 'Buy', '70')],
      'fromQuantity goneLater 30',
    ],
    [
      'a shortage of before is no hindrance',
      given('100', '9'),
      [bought, moved(100, 'MATIC', '-100'), trade(200, 'Sell', '5')],
      ['MATIC100-100'],
    ],
    ['the difference of a new unit', given('100', '9900', 100, 'MATIC'), [bought, moved(99, 'MATIC', '9800')], ['MATIC999800']],
    [
      'both rows of a new unit',
      given('100', '1', 100, 'MATIC'),
      [bought, moved(99, 'MATIC', '-100'), moved(101, 'MATIC', '1')],
      ['MATIC99-100', 'MATIC1011'],
    ],
    ['a new unit is of all of it', given('60', '6000', 100, 'MATIC'), [bought], 'fromQuantity wholeCoin 100'],
  ])('%s', (_name, swap, entries, expected) => expect(joined(swap, entries)).toEqual(expected));
});

test('coins bought in the second of a swap are there for it, as its ledger is folded', () => {
  const swap = given('100', '9', 100);
  const entries = [{ ...trade(100, 'Buy', '60'), at: swap.at + 7 }, { ...trade(99, 'Buy', '40') }];
  expect(joined(swap, entries)).toBe('fromQuantity moreThanHeld 40');
  const at = momentOf(swap, entries);
  expect(at).toBe(swap.at + 8);
  expect(joined({ ...swap, at }, entries)).toEqual([]);
  const folded = foldLedger([...entries, { ...swap, at, kind: 'swap', id: 's', source: 'user' }], FOLD_OPTIONS);
  expect(folded.map(({ asset, known }) => [asset, toText(known)])).toEqual([
    ['MATIC', '0'],
    ['POL', '9'],
  ]);
  // What of them is sold in the same second before is not there for it.
  expect(joined({ ...swap, at }, [...entries, { ...trade(100, 'Sell', '1'), id: 'u', at: at - 1 }])).toBe('fromQuantity moreThanHeld 99');
});

/** All that is held of both coins and what it cost; a purchase at the end brings what waits into a position. */
function totals(entries: readonly LedgerEntry[]) {
  const flows = new Map<string, Decimal>();
  for (const entry of entries) addFlows(flows, entry);
  const bound = [trade(900, 'Buy', '1', '1', 'MATIC'), trade(900, 'Buy', '1', '1', 'POL')];
  const positions = foldLedger([...entries, ...bound], FOLD_OPTIONS).flatMap((each) => each.positions);
  const reasons = positions.flatMap((each) => [...each.reasons]);
  const cost = subtract(sum(positions.map((each) => add(each.cost, each.dust.cost))), add(ONE, ONE));
  return { flows, cost, realised: sum(positions.map(({ realised }) => realised)), reasons };
}

test('whatever was bought and sold before, neither unit nor cost is lost or doubled by a swap, and its rows count once after it', () => {
  const amount = fc.integer({ min: 1, max: 50_000 }).map((units) => toText({ units: BigInt(units), scale: 3 }));
  const step = fc.record({ side: fc.constantFrom('Buy' as const, 'Sell' as const), quantity: amount, price: amount });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 8 }),
      amount,
      amount,
      fc.boolean(),
      fc.boolean(),
      (steps, from, to, isOut, isIn) => {
        const history = steps.map(({ side, quantity, price }, index) => trade(index + 1, side, quantity, price));
        const rows = [...(isOut ? [moved(100, 'MATIC', `-${from}`)] : []), ...(isIn ? [moved(101, 'POL', to)] : [])];
        const swapped = given(from, to);
        const result = joinGiven(swapped, [...history, ...rows], NOW);
        const held = history.reduce((units, { side, quantity }) => {
          const next = add(units, side === 'Buy' ? decimal(quantity) : subtract(ZERO, decimal(quantity)));
          return compare(next, ZERO) < 0 ? ZERO : next;
        }, ZERO);
        if ('code' in result) {
          expect(result.code).toBe('moreThanHeld');
          expect(compare(decimal(from), held)).toBe(1);
          return;
        }
        expect(names(result)).toEqual(names(rows));
        const swap: SwapEntry = { ...swapped, kind: 'swap', id: 's', source: 'user' };
        const [before, after] = [totals(history), totals([...history, swap])];
        expect(toText(after.cost)).toBe(toText(before.cost));
        expect(toText(after.realised)).toBe(toText(before.realised));
        expect(after.reasons).toEqual(before.reasons);
        const change = (asset: string) => toText(subtract(after.flows.get(asset) ?? ZERO, before.flows.get(asset) ?? ZERO));
        expect([change('MATIC'), change('POL')]).toEqual([toText(decimal(`-${from}`)), toText(decimal(to))]);
        // The rows come again, from a file or the exchange: the swap tells of them.
        const again = [moved(100, 'MATIC', `-${from}`, { id: 'a' }), moved(101, 'POL', to, { id: 'b', source: 'api', transfer: 'reward' })];
        expect([...crossDuplicates(again, [...history, swap]).known].toSorted()).toEqual(['a', 'b']);
      },
    ),
    { numRuns: 200 },
  );
});
