import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FOLD_OPTIONS as OPTIONS, trade, transfer } from '../../testing/ledger-entries.ts';
import { runs } from '../../testing/tiers.ts';
import { add, decimal, divide, equals, isNegative, isPositive, multiply, subtract, sum, toText, ZERO } from '../money/decimal.ts';
import { type FoldOptions, foldLedger, LedgerFold } from './asset-fold.ts';
import type { FoldedPosition } from './folded-position.ts';
import { compareEntries, type LedgerEntry, type TradeEntry } from './ledger-entry.ts';
import { positionFigures } from './position-figures.ts';

const fold = (entries: readonly LedgerEntry[], more: Partial<FoldOptions> = {}) => foldLedger(entries, { ...OPTIONS, ...more });
const positionsOf = (entries: readonly LedgerEntry[], asset = 'BTC', more: Partial<FoldOptions> = {}) =>
  fold(entries, more).find((book) => book.asset === asset)?.positions ?? [];
const only = (entries: readonly LedgerEntry[], asset = 'BTC'): FoldedPosition => {
  const positions = positionsOf(entries, asset);
  expect(positions).toHaveLength(1);
  return positions[0]!;
};
const text = (value: Parameters<typeof toText>[0] | null) => (value === null ? null : toText(value));
const TAKER = decimal('0.001');
const at = (position: FoldedPosition, price: string, gross = true) =>
  positionFigures(position, { price: decimal(price), taker: TAKER, gross });

describe('golden vectors', () => {
  test('A: a fee in the base asset is expensed by owning less', () => {
    const position = only([
      trade('Buy', '2', '100', { fee: '0.002', feeAsset: 'BTC' }),
      trade('Sell', '1', '110', { fee: '0.11', feeAsset: 'USDT' }),
    ]);
    expect(text(position.quantity)).toBe('0.998');
    expect(text(position.cost)).toMatch(/^99\.89989989/);
    expect(text(position.realised)).toMatch(/^9\.78989989/);
    const figures = at(position, '110');
    expect(text(figures.averageCost)).toMatch(/^100\.1001001/);
    expect(text(figures.unrealised)).toMatch(/^9\.8801001/);
    expect(text(figures.total)).toBe('19.67');
    expect(text(figures.breakEven)).toMatch(/^90\.38096/);
  });
  test('B: a fee in a third asset adds to the cost at its price of that minute', () => {
    const bnb = (side: 'Buy' | 'Sell', price: string, value: string) =>
      trade(side, '1', price, { fee: '0.0001', feeAsset: 'BNB', feeInQuote: value, feeInPrimary: value });
    const position = only([bnb('Buy', '100', '0.075'), bnb('Buy', '80', '0.06'), bnb('Sell', '95', '0.07125')]);
    expect(text(position.realised)).toBe('4.86125');
    expect(text(position.cost)).toBe('90.0675');
    expect(text(at(position, '90').averageCost)).toBe('90.0675');
    expect(text(at(position, '90').averageAsOnExchange)).toBe('85');
  });
  test('C: what was sold without having been held is in no result', () => {
    const position = only([trade('Buy', '1', '100'), trade('Sell', '1.5', '120')]);
    expect(text(position.realised)).toBe('20');
    expect([text(position.unmatched.quantity), text(position.unmatched.proceeds)]).toEqual(['0.5', '60']);
    expect([...position.reasons]).toEqual(['OVERSOLD']);
    expect(at(position, '120').total).toBeNull();
  });
});

describe('boundaries', () => {
  test('a sell of everything closes, the next buy opens number 2', () => {
    const positions = positionsOf([trade('Buy', '1', '100'), trade('Sell', '1', '110'), trade('Buy', '1', '90')]);
    expect(positions.map(({ number, closedBy }) => [number, closedBy])).toEqual([
      [1, 'sell'],
      [2, null],
    ]);
  });
  test('less than a lot is dust, with its cost, carried into the next position', () => {
    const positions = positionsOf([
      trade('Buy', '1', '100', { fee: '0.0005', feeAsset: 'BTC' }),
      trade('Sell', '0.999', '110'),
      trade('Buy', '1', '90'),
    ]);
    expect(text(positions[0]!.dust.quantity)).toBe('0.0005');
    expect(text(positions[1]!.quantity)).toBe('1.0005');
    expect(text(positions[1]!.cost)).toBe(text(add(decimal('90'), positions[0]!.dust.cost)));
    expect(positions[1]!.lines.map(({ kind }) => kind)).toEqual(['carried', 'buy']);
  });
  test('a rest too small to sell is dust only when it is small against the peak', () => {
    expect(positionsOf([trade('Buy', '10', '100'), trade('Sell', '9.98', '100')])[0]!.closedBy).toBe('sell');
    expect(positionsOf([trade('Buy', '1', '100'), trade('Sell', '0.96', '100')])[0]!.closedBy).toBeNull();
  });
  test('a withdrawal takes its cost along and has no result; of everything, it closes', () => {
    const position = only([trade('Buy', '2', '100'), transfer('BTC', '-0.5', 'withdrawal'), transfer('BTC', '-1.5', 'withdrawal')]);
    expect([text(position.realised), position.closedBy]).toEqual(['0', 'gone']);
    expect(text(position.lines[1]!.costAfter)).toBe('150');
  });
  test('a deposit opens nothing, and joins the first trade with its cost', () => {
    expect(positionsOf([transfer('BTC', '1', 'deposit', '50')])).toEqual([]);
    const position = only([transfer('BTC', '1', 'deposit', '50'), trade('Sell', '1', '80')]);
    expect([text(position.realised), position.reasons.size]).toEqual(['30', 0]);
  });
  test('a deposit without a cost makes results unknown, never wrong', () => {
    const position = only([transfer('BTC', '1', 'deposit'), trade('Buy', '1', '100')]);
    expect([...position.reasons]).toEqual(['MISSING_COST']);
    expect([at(position, '100').total, at(position, '100').averageCost]).toEqual([null, null]);
    expect(text(position.quantity)).toBe('2');
  });
  test('what is earned cost nothing', () => {
    const position = only([trade('Buy', '1', '100'), transfer('BTC', '0.1', 'reward'), trade('Sell', '1.1', '100')]);
    expect([text(position.realised), position.reasons.size]).toEqual(['10', 0]);
  });
  test('a fee without a known price says so and is not taken for zero', () => {
    const position = only([trade('Buy', '1', '100', { fee: '0.1', feeAsset: 'BNB' })]);
    expect([...position.reasons]).toEqual(['FEE_UNVALUED']);
    expect(at(position, '100').total).toBeNull();
  });
});

describe('within a second of a file', () => {
  const row = (side: 'Buy' | 'Sell', quantity: string, price: string, ms: number) =>
    trade(side, quantity, price, { at: 5000 + ms, tradeId: null, source: 'trade-history' });

  test('what is sold must have been bought: the purchase that stands after it comes first', () => {
    const position = only([row('Sell', '1', '110', 0), row('Buy', '1', '100', 1)]);
    expect([text(position.realised), position.closedBy, ...position.reasons]).toEqual(['10', 'sell']);
  });
  test('where enough is held the order of the file stays', () => {
    const held = trade('Buy', '1', '50', { at: 1000, source: 'trade-history' });
    const [first, second] = positionsOf([held, row('Sell', '1', '110', 0), row('Buy', '1', '100', 1)]);
    expect([text(first!.realised), text(second!.cost)]).toEqual(['60', '100']);
  });
  test('what the exchange itself told of has its own order', () => {
    const sold = trade('Sell', '1', '110', { at: 5000 });
    const bought = trade('Buy', '1', '100', { at: 5001 });
    expect([...positionsOf([sold, bought])[0]!.reasons]).toEqual(['OVERSOLD']);
  });
  test('the exchange tells of another coin between two rows: a fold of one coin says what a fold of all says', () => {
    const other = trade('Buy', '1', '10', { symbol: 'ETHUSDT', baseAsset: 'ETH', at: 5001 });
    const entries = [row('Sell', '1', '110', 0), other, row('Buy', '1', '100', 2)];
    const alone = new LedgerFold(OPTIONS, new Set(['BTC']));
    alone.push(entries.filter((entry) => entry !== other));
    expect([...alone.end()]).toEqual(fold(entries).filter(({ asset }) => asset === 'BTC'));
    expect([...only(entries).reasons]).toEqual([]);
  });
});

describe('other assets', () => {
  const bnbFee = { fee: '0.1', feeAsset: 'BNB', feeInQuote: '60', feeInPrimary: '60' };
  const bnb = { symbol: 'BNBUSDT', baseAsset: 'BNB' };
  test('a fee is a disposal in the position of its own asset, at the same price', () => {
    const entries = [trade('Buy', '1', '500', bnb), trade('Buy', '1', '100', bnbFee)];
    const position = only(entries, 'BNB');
    expect([text(position.quantity), text(position.realised), text(position.cost)]).toEqual(['0.9', '10', '450']);
    expect(position.lines.at(-1)).toMatchObject({ kind: 'gave', detail: 'fee' });
  });
  test('a fee in an asset nobody is known to hold breaks nothing', () => {
    expect(positionsOf([trade('Buy', '1', '100', bnbFee)], 'BNB')).toEqual([]);
  });
  test('paying with a coin disposes of it at its worth; a coin received waits with its worth as cost', () => {
    const ethbtc = { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', feeAsset: 'BTC' };
    const entries = [
      trade('Buy', '1', '50000'),
      trade('Buy', '10', '0.05', { ...ethbtc, quoteRate: '60000' }),
      trade('Sell', '10', '0.06', { ...ethbtc, quoteRate: '60000' }),
    ];
    const position = only(entries);
    // 0.5 BTC went at 60,000 and had cost 50,000; 0.6 came back at 60,000.
    expect([text(position.realised), text(position.quantity), text(position.cost)]).toEqual(['5000', '1.1', '61000']);
    expect(text(only(entries, 'ETH').realised)).toBe('0.1');
    expect(text(fold(entries).find(({ asset }) => asset === 'BTC')!.known)).toBe('1.1');
  });
  test('a fee in the coin that pays leaves with it, and one in the coin received never comes', () => {
    const ethbtc = { symbol: 'ETHBTC', baseAsset: 'ETH', quoteAsset: 'BTC', feeAsset: 'BTC', fee: '0.001', feeInQuote: '0.001' };
    const known = (entries: Parameters<typeof fold>[0]) => text(fold(entries).find(({ asset }) => asset === 'BTC')!.known);
    const bought = [trade('Buy', '1', '50000'), trade('Buy', '10', '0.05', { ...ethbtc, quoteRate: '60000' })];
    expect(known(bought)).toBe('0.499');
    expect(known([...bought, trade('Sell', '10', '0.06', { ...ethbtc, quoteRate: '60000' })])).toBe('1.098');
  });
});

describe('a person closes by hand', () => {
  const buy = () => trade('Buy', '1', '100');
  test('at cost nothing is earned, at market the difference is', () => {
    const entry = buy();
    const closing = { position: entry.id, at: entry.at + 1, price: '130' };
    const [atCost] = positionsOf([entry], 'BTC', { closings: [{ ...closing, remainder: 'at-cost' }] });
    const [atMarket] = positionsOf([entry], 'BTC', { closings: [{ ...closing, remainder: 'at-market' }] });
    expect([atCost!.closedBy, text(atCost!.realised), text(atMarket!.realised)]).toEqual(['hand', '0', '30']);
  });
  test('at the moment of a trade it is closed after that trade, also when more is bought later', () => {
    const entry = buy();
    const later = trade('Buy', '2', '100');
    const closing = { position: entry.id, at: entry.at, remainder: 'at-cost', price: '0' } as const;
    const positions = positionsOf([entry, later], 'BTC', { closings: [closing] });
    expect(positions.map(({ closedBy, quantity }) => [closedBy, text(quantity)])).toEqual([
      ['hand', '0'],
      [null, '2'],
    ]);
  });
});

// ---- whatever happened ----
const amount = (digits: number) =>
  fc.integer({ min: 1, max: 10 ** 6 }).map((units) => toText(divide(decimal(units), decimal(10 ** digits), digits)));
const histories = fc.array(
  fc.record({
    buy: fc.boolean(),
    quantity: amount(3),
    price: amount(2),
    fee: fc.integer({ min: 0, max: 100 }),
    feeAsset: fc.constantFrom('BTC', 'USDT', 'BNB'),
    step: fc.integer({ min: 0, max: 3 }),
  }),
  { minLength: 1, maxLength: 40 },
);
type Step = typeof histories extends fc.Arbitrary<(infer Item)[]> ? Item : never;
function entriesOf(steps: readonly Step[]): TradeEntry[] {
  let now = 0;
  return steps.map(({ buy, quantity, price, fee, feeAsset, step }, index) => {
    now += step;
    const quote = multiply(decimal(quantity), decimal(price));
    const share = divide(multiply(feeAsset === 'BTC' ? decimal(quantity) : quote, decimal(fee)), decimal(100_000), 8);
    return trade(buy ? 'Buy' : 'Sell', quantity, price, {
      id: `h${String(index).padStart(4, '0')}`,
      at: now,
      tradeId: String(index + 1),
      fee: toText(share),
      feeAsset,
      ...(feeAsset === 'BNB' ? { feeInQuote: toText(share), feeInPrimary: toText(share) } : {}),
    });
  });
}
const summary = (positions: readonly FoldedPosition[]) =>
  positions.map((position) => ({
    key: position.key,
    number: position.number,
    realised: text(position.realised),
    quantity: text(position.quantity),
    cost: text(position.cost),
    dust: text(position.dust.quantity),
    reasons: [...position.reasons].sort(),
  }));

describe('whatever was traded', () => {
  test('R + U = Σ sold + H·P − Σ bought, to the last digit, over 10,000 histories', () => {
    fc.assert(
      fc.property(histories, amount(2), (steps, price) => {
        const entries = entriesOf(steps);
        const positions = positionsOf(entries);
        let all = ZERO;
        for (const position of positions) {
          const worth = multiply(position.quantity, decimal(price));
          const result = add(position.realised, subtract(worth, position.cost));
          // What is left as dust took its cost along.
          const expected = subtract(add(position.sold, worth), position.bought);
          expect(toText(result)).toBe(toText(add(expected, position.dust.cost)));
          all = add(all, result);
          expect(isNegative(position.quantity) || isNegative(position.cost)).toBe(false);
        }
        // The same over the fills themselves, wherever nothing was sold that was not held.
        if (positions.some(({ reasons }) => reasons.has('OVERSOLD'))) return;
        const flows = entries.map((entry) => {
          const feeOther = entry.feeAsset === 'BTC' ? ZERO : decimal(entry.fee);
          const quote = decimal(entry.quoteQuantity);
          return entry.side === 'Buy' ? subtract(ZERO, add(quote, feeOther)) : subtract(quote, feeOther);
        });
        const open = positions.at(-1)!;
        const worth = multiply(open.quantity, decimal(price));
        // Dust that nobody picked up again is the only difference: its cost is in no result.
        const dust = open.closedAt === null ? ZERO : open.dust.cost;
        expect(toText(all)).toBe(toText(add(add(sum(flows), worth), dust)));
      }),
      { numRuns: runs(10_000) },
    );
  });
  test('the order in which entries are given changes nothing', () => {
    fc.assert(
      fc.property(histories, fc.infiniteStream(fc.nat()), (steps, draws) => {
        const entries = entriesOf(steps);
        const shuffled = entries
          .map((entry) => ({ entry, key: draws.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
          .map(({ entry }) => entry);
        expect(summary(positionsOf(shuffled))).toEqual(summary(positionsOf(entries)));
      }),
      { numRuns: runs(500) },
    );
  });
  test('wherever a history is cut into parts, also in the middle of a moment, the positions are the same', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 1, max: 5 }), fc.boolean(), (steps, size, closes) => {
        const entries = entriesOf(steps);
        const [first] = entries;
        // Closed by hand in the moment of one of them: after all that happened in it.
        const closing = { position: first?.id ?? '', at: first?.at ?? 0, remainder: 'at-cost' as const, price: '1' };
        const options = { ...OPTIONS, marked: new Set([closing.position]), closings: closes ? [closing] : [] };
        const parts = new LedgerFold(options);
        // Of one moment the parts may come in any order.
        const ordered = entries.toSorted((one, other) => one.at - other.at || compareEntries(other, one));
        for (let start = 0; start < ordered.length; start += size) parts.push(ordered.slice(start, start + size));
        const whole = foldLedger(entries, options);
        const told = (books: typeof whole) => books.map((book) => [book.asset, toText(book.known), summary(book.positions)]);
        expect(told([...parts.end()])).toEqual(told(whole));
      }),
      { numRuns: runs(500) },
    );
  });
  test('units are never lost: known = bought − sold − fees in the base asset, unless more was sold than held', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const entries = entriesOf(steps);
        const books = fold(entries);
        const book = books.find(({ asset }) => asset === 'BTC')!;
        const unmatched = sum(book.positions.map((position) => position.unmatched.quantity));
        const net = sum(
          entries.map((entry) => {
            const fee = entry.feeAsset === 'BTC' ? decimal(entry.fee) : ZERO;
            const quantity = decimal(entry.quantity);
            return entry.side === 'Buy' ? subtract(quantity, fee) : subtract(ZERO, add(quantity, fee));
          }),
        );
        expect(equals(book.known, add(net, unmatched))).toBe(true);
        expect(isPositive(book.known) || equals(book.known, ZERO)).toBe(true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

describe('a position is remembered by an entry of it', () => {
  test('an earlier buy turns up: the closing by hand still finds its position', () => {
    const [first, second, later] = [trade('Buy', '1', '90'), trade('Buy', '1', '100'), trade('Buy', '1', '120')];
    const closings = [{ position: second.id, at: later.at - 1, remainder: 'at-cost', price: '0' }] as const;
    const marked = new Set([second.id]);
    const without = positionsOf([second, later], 'BTC', { closings, marked });
    const withEarlier = positionsOf([first, second, later], 'BTC', { closings, marked });
    for (const positions of [without, withEarlier]) {
      expect(positions.map(({ closedBy }) => closedBy)).toEqual(['hand', null]);
      expect(positions[0]!.marks).toEqual([second.id]);
    }
    expect(withEarlier[0]!.key).toBe(first.id);
  });
});

describe('a position that was sold out and opened again', () => {
  const entries = [
    trade('Buy', '2', '100'),
    trade('Sell', '2', '110'),
    trade('Buy', '1', '90'),
    trade('Sell', '1', '99'),
    trade('Buy', '1', '80'),
  ];
  const [first, sold, second, soldAgain] = entries;
  const reopened = (at: number, of = first) =>
    positionsOf(entries, 'BTC', { reopenings: new Map([[of!.id, at]]), marked: new Set([of!.id]) });

  test('takes in what was bought next, with the results it has, and ends at the next sale of everything', () => {
    const [joined, last] = reopened(sold!.at);
    expect([joined!.key, joined!.number, joined!.closedAt, joined!.trades]).toEqual([first!.id, 1, soldAgain!.at, 4]);
    expect(toText(joined!.realised)).toBe('29');
    expect([last!.number, toText(last!.quantity), last!.closedAt]).toEqual([2, '1', null]);
  });

  test('is open with nothing held until the next buy', () => {
    const [only] = positionsOf(entries.slice(0, 2), 'BTC', { reopenings: new Map([[first!.id, sold!.at]]) });
    expect([only!.closedAt, toText(only!.quantity), toText(only!.realised)]).toEqual([null, '0', '20']);
  });

  test('is found by an entry that belongs to it, when an earlier one turned up and opened it', () => {
    const earlier = { ...trade('Buy', '1', '50'), at: 1 };
    const all = [earlier, ...entries.slice(0, 1), { ...sold!, quantity: '3', quoteQuantity: '330' }, ...entries.slice(2)];
    const options = { reopenings: new Map([[first!.id, sold!.at]]), marked: new Set([first!.id]) };
    expect(positionsOf(all, 'BTC', options).map(({ key, trades }) => [key, trades])).toEqual([
      [earlier.id, 5],
      [entries[4]!.id, 1],
    ]);
  });

  test('changes no sum: what was bought, sold and realised over all positions is the same', () => {
    const sums = (positions: readonly FoldedPosition[]) =>
      (['bought', 'sold', 'realised', 'cost'] as const).map((key) => toText(sum(positions.map((each) => each[key]))));
    expect(sums(reopened(sold!.at))).toEqual(sums(positionsOf(entries)));
    expect(sums(reopened(soldAgain!.at))).toEqual(sums(positionsOf(entries)));
    expect(sums(reopened(soldAgain!.at, second))).toEqual(sums(positionsOf(entries)));
  });
});
