import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Trace, TraceKind } from '../auto-trades/trace.ts';
import { decimal, sum, toText } from '../money/decimal.ts';
import { digits } from '../money/figure.ts';
import { type ComparedRun, compareRuns, knownById } from './run-comparison.ts';

const START = Date.UTC(2026, 0, 15, 12);
const MINUTE = 60_000;

/** One position of a run: what it bought and sold, at minutes from the start. */
type Story = {
  readonly symbol?: string;
  readonly at: number;
  /** The best ask when the entry was decided. */
  readonly ask?: string;
  readonly buys?: readonly { readonly price: string; readonly quantity: string; readonly reason?: string }[];
  readonly sells?: readonly { readonly price: string; readonly quantity: string; readonly offered?: string }[];
  readonly exit?: { readonly at: number; readonly reason: string };
  /** Fee of every fill, in parts of its quote amount. */
  readonly fee?: string;
};
const times = (a: string, b: string): string =>
  toText({ units: decimal(a).units * decimal(b).units, scale: decimal(a).scale + decimal(b).scale });
const minus = (a: string, b: string): string => toText(sum([decimal(a), decimal(`-${b}`)]));
const total = (texts: readonly string[]): string => toText(sum(texts.map((text) => decimal(text))));

function tracesOf(stories: readonly Story[]): Trace[] {
  let seq = 0;
  return stories.flatMap(({ symbol = 'BTCUSDT', at, ask = '100', buys = [], sells = [], exit, fee = '0.001' }, index) => {
    const row = (kind: TraceKind, reason: string, minute: number, price: string, after: Trace['after'], clientOrderId?: string): Trace => ({
      seq: ++seq,
      autoTradeId: 'bot',
      runNo: 1,
      positionId: `p${index}`,
      kind,
      symbol,
      at: new Date(START + minute * MINUTE).toISOString(),
      price,
      bid: price,
      ask: kind === 'Entry' ? ask : price,
      configVersion: 1,
      reason,
      before: {},
      after,
      mode: 'paper',
      ...(clientOrderId === undefined ? {} : { clientOrderId }),
    });
    const filled = ({ price, quantity }: { price: string; quantity: string }) => {
      const quoteQuantity = times(price, quantity);
      return { quantity, quoteQuantity, feeInQuote: times(quoteQuantity, fee) };
    };
    const spent = buys.map((buy) => filled(buy));
    const got = sells.map((sell) => filled(sell));
    const fees = total([...spent, ...got].map(({ feeInQuote }) => feeInQuote));
    const realised = minus(minus(total(got.map((sell) => sell.quoteQuantity)), total(spent.map((buy) => buy.quoteQuantity))), fees);
    return [
      row('Entry', 'Drop', at, ask, {}),
      ...buys.map((buy, order) => row('Buy', buy.reason ?? 'Entry', at, buy.price, filled(buy), `b${index}-${order}`)),
      ...sells.map((sell) =>
        row('Sell', 'TakeProfit', exit?.at ?? at, sell.price, {
          ...filled(sell),
          ...(sell.offered === undefined ? {} : { offered: sell.offered }),
        }),
      ),
      ...(exit ? [row('Exit', exit.reason, exit.at, '100', { realised })] : []),
    ];
  });
}
const run = (stories: readonly Story[], slots = 3): ComparedRun => ({ traces: tracesOf(stories), slots });
const compared = (real: readonly Story[], other: readonly Story[], since = START) => compareRuns(run(real), run(other), since);
const trade = (more: Partial<Story> = {}): Story => ({
  at: 0,
  buys: [{ price: '100', quantity: '2' }],
  sells: [{ price: '110', quantity: '2' }],
  exit: { at: 10, reason: 'TakeProfit' },
  ...more,
});

describe('where the gap between two runs comes from', () => {
  test('two runs that did the same differ by nothing, and no reason is named', () => {
    const { gap, positions, real, other } = compared([trade()], [trade()]);
    expect(gap).toEqual({ entry: '0', exit: '0', fees: '0', size: '0', missed: '0', rest: '0', total: '0' });
    expect(positions).toMatchObject([{ reasons: [], real: { entryPrice: '100', exitPrice: '110', result: '19.58', resultPct: '9.79' } }]);
    expect(real).toEqual(other);
  });

  test('a worse entry, a worse exit and higher fees are told apart, at the size that was really traded', () => {
    const real = trade({
      ask: '100',
      buys: [{ price: '101', quantity: '2' }],
      sells: [{ price: '108', quantity: '2', offered: '109' }],
      fee: '0.002',
    });
    const { gap, positions } = compared([real], [trade()]);
    // Really 216 − 202 − 0.836; on paper 220 − 200 − 0.42.
    expect(gap).toEqual({ entry: '2', exit: '4', fees: '0.416', size: '0', missed: '0', rest: '0', total: '6.416' });
    expect(positions[0]).toMatchObject({
      reasons: ['slippage', 'fees'],
      real: { entrySlippagePct: '1', exitSlippagePct: '0.9174', feePct: '0.2' },
      other: { entrySlippagePct: '0', exitSlippagePct: '0', feePct: '0.1' },
    });
  });

  test('another size is a part of its own', () => {
    const paper = trade({ buys: [{ price: '100', quantity: '6' }], sells: [{ price: '110', quantity: '6' }] });
    const { gap, positions } = compared([trade()], [paper]);
    expect(gap).toMatchObject({ entry: '0', exit: '0', fees: '0', size: '39.16', total: '39.16' });
    expect(positions[0]?.reasons).toEqual(['size']);
  });

  const price = fc.integer({ min: 50_00, max: 150_00 }).map((cents) => toText({ units: BigInt(cents), scale: 2 }));
  const units = fc.integer({ min: 1, max: 9_999 }).map((milli) => toText({ units: BigInt(milli), scale: 3 }));
  const anyTrade = fc.record({
    at: fc.integer({ min: 0, max: 30 }),
    buy: price,
    sell: price,
    quantity: units,
    kept: fc.boolean(),
    closed: fc.boolean(),
  });
  const storyOf = ({
    at,
    buy,
    sell,
    quantity,
    kept,
    closed,
  }: {
    at: number;
    buy: string;
    sell: string;
    quantity: string;
    kept: boolean;
    closed: boolean;
  }) =>
    trade({
      at,
      buys: [{ price: buy, quantity }],
      sells: closed ? [{ price: sell, quantity: kept ? minus(quantity, '0.0005') : quantity }] : [],
      ...(closed ? { exit: { at: at + 5, reason: 'StopLoss' } } : {}),
    });
  test('whatever two runs did, the parts add up to the difference of their results', () => {
    fc.assert(
      fc.property(fc.array(anyTrade, { maxLength: 6 }), fc.array(anyTrade, { maxLength: 6 }), (ours, theirs) => {
        const { gap, real, other, positions, open } = compared(
          ours.map(storyOf),
          theirs.map(storyOf).map((story) => ({ ...story, closed: true })),
        );
        const { total: whole, ...parts } = gap;
        expect(total(Object.values(parts).map(digits))).toBe(digits(whole));
        expect(minus(digits(other.result), '0')).toBe(total([digits(real.result), digits(whole)]));
        expect(positions.filter((position) => position.gap === null)).toHaveLength(open);
        // Every position that bought is in exactly one row.
        const ids = positions.map(({ real: one }) => one?.positionId).filter((id) => id !== undefined);
        expect(new Set(ids).size).toBe(ours.length);
        expect(positions.filter((position) => position.other !== null)).toHaveLength(theirs.length);
      }),
    );
  });
});

describe('a position that only one run had', () => {
  const eth = (more: Partial<Story> = {}) => trade({ symbol: 'ETHUSDT', at: 2, ...more });
  const reasonOf = (real: readonly Story[], other: readonly Story[], slots = 3) =>
    compareRuns(run(real), run(other, slots), START).positions.find((row) => row.other === null)?.reasons;

  test.each([
    ['its order bought nothing', [{ symbol: 'ETHUSDT', at: 2, exit: { at: 3, reason: 'Abandoned' } }], 3, ['unfilled']],
    ['it held the coin already', [eth({ at: 1, exit: { at: 20, reason: 'TakeProfit' } })], 3, ['held']],
    ['it had no slot free', [trade({ exit: { at: 20, reason: 'TakeProfit' } })], 1, ['full']],
    ['it did not decide to', [], 3, ['notDecided']],
  ] as const)('%s', (_, other, slots, reasons) => {
    const real = reasons[0] === 'held' ? [eth({ at: 1.5, exit: { at: 1.7, reason: 'TakeProfit' } }), eth()] : [eth()];
    expect(reasonOf(real, other, slots)).toEqual(reasons);
  });

  test('counts whole as missed, and an open one counts nowhere', () => {
    const { gap, open, positions, real } = compared([trade(), eth({ sells: [], exit: undefined } as never)], []);
    expect(gap).toMatchObject({ missed: '-19.58', total: '-19.58' });
    expect({ open, positions: real.positions }).toEqual({ open: 1, positions: 1 });
    expect(positions.map(({ reasons, gap: part }) => ({ reasons, isOpen: part === null }))).toEqual([
      { reasons: ['open', 'notDecided'], isOpen: true },
      { reasons: ['notDecided'], isOpen: false },
    ]);
  });

  test('an order that bought nothing on both sides, or was decided before both ran, is in no row', () => {
    const unfilled = { at: 1, exit: { at: 2, reason: 'Abandoned' } };
    expect(compared([unfilled], [unfilled]).positions).toEqual([]);
    expect(compared([trade()], [trade({ at: 2 })], START + MINUTE).positions).toMatchObject([{ real: null, reasons: ['held'] }]);
  });

  test('one that bought at its second try is held against the one that bought at once', () => {
    const tries: Story[] = [{ at: 0, exit: { at: 1, reason: 'Abandoned' } }, trade({ at: 1.5 })];
    expect(compared([trade({ at: 0.1 })], tries).positions).toMatchObject([{ other: { positionId: 'p1' }, reasons: ['entryTime'] }]);
  });
});

test('one that its owner took over has ended, is in no sum, and is no other trade later', () => {
  const [taken, later] = [{ at: 0, buys: [{ price: '100', quantity: '2' }] }, trade({ at: 30, exit: { at: 40, reason: 'TakeProfit' } })];
  const known = new Map([['p0', { takenOverAt: START + 20 * MINUTE, realised: '0', fees: '0.2' }]]);
  const { positions, open, real } = compareRuns({ ...run([taken]), known }, run([later]), START);
  expect(positions.map(({ reasons }) => reasons)).toEqual([['notDecided'], ['takenOver', 'notDecided']]);
  expect({ open, positions: real.positions }).toEqual({ open: 1, positions: 0 });
  // Its twin, which was sold while it was held, is the same trade.
  const twin = compareRuns({ ...run([taken]), known }, run([trade({ at: 0.1 })]), START);
  expect(twin).toMatchObject({ gap: { total: '0' }, positions: [{ reasons: ['takenOver'], gap: null }] });
});

test('coins that were found missing were not sold at 0, and an end at cost is no other size', () => {
  const missing = tracesOf([trade({ sells: [{ price: '110', quantity: '1' }], fee: '0' })]);
  const last = missing.findIndex(({ kind }) => kind === 'Sell');
  missing.splice(last, 0, {
    ...missing[last]!,
    reason: 'SoldOutside',
    price: '0',
    after: { quantity: '1', quoteQuantity: '0', feeInQuote: '0' },
  });
  const { positions, gap } = compareRuns({ traces: missing, slots: 3 }, run([trade({ fee: '0' })]), START);
  expect(positions[0]?.real?.exitPrice).toBe('110');
  expect(gap).toMatchObject({ entry: '0', exit: '0', size: '0', rest: digits(gap.total) });
  const jumped = trade({ sells: [{ price: '110', quantity: '1.2' }], exit: { at: 10, reason: 'PriceJump' }, fee: '0' });
  const jump = compared([jumped], [trade({ fee: '0' })]).gap;
  expect(jump).toMatchObject({ size: '0', rest: digits(jump.total) });
});

test('what one bought a moment before the other was enabled is held against what that bought at once', () => {
  const late = trade({ at: 0.5 });
  expect(compared([trade()], [late], START + MINUTE / 4)).toMatchObject({ positions: [{ reasons: [] }], gap: { total: '0' } });
});

test('what was entered before both ran still says why a later trade is missing', () => {
  const before = trade({ at: -5, exit: { at: 60, reason: 'TakeProfit' } });
  expect(compared([trade()], [before]).positions.map(({ reasons }) => reasons)).toEqual([['held']]);
});

test('fees that were valued after the end are in the result', () => {
  const known = new Map([['p0', { takenOverAt: null, realised: '19.08', fees: '0.92' }]]);
  const { real, gap, positions } = compareRuns({ ...run([trade()]), known }, run([trade()]), START);
  expect({ result: real.result, fees: gap.fees, total: gap.total }).toEqual({ result: '19.08', fees: '0.5', total: '0.5' });
  expect(positions[0]?.reasons).toEqual(['fees']);
});

test('what was counted in a new unit meanwhile is not split by prices of two units', () => {
  const swapped = trade({ sells: [{ price: '1.1', quantity: '200' }] });
  expect(compared([swapped], [trade({ fee: '0' })]).gap).toMatchObject({ entry: '0', exit: '0', size: '0', rest: '0.42', total: '0.42' });
});

test('what a person ended, other exits, rebuys and what is still open are named', () => {
  const bought = [{ price: '100', quantity: '2' }];
  const rebuy = { price: '90', quantity: '2', reason: 'Rebuy' };
  const byHand = trade({ exit: { at: 5, reason: 'Manual' } });
  expect(compared([byHand], [trade()]).positions[0]?.reasons).toEqual(['byHand', 'exitReason']);
  expect(compared([trade()], [{ at: 0, buys: bought }]).positions[0]).toMatchObject({ reasons: ['open'], gap: null });
  const twice = trade({ at: 3, buys: [...bought, rebuy], sells: [{ price: '110', quantity: '4' }] });
  expect(compared([trade()], [twice]).positions[0]?.reasons).toEqual(['entryTime', 'rebuys', 'size']);
});

test('a bot that was not at work is told from one that did not decide, also where it held the coin', () => {
  const held = trade({ at: -5, exit: { at: 60, reason: 'TakeProfit' } });
  const reasonsOf = (idle: 'disabled' | 'halted' | undefined) => {
    const asked: string[] = [];
    const idleAt = ({ at, kind }: Trace) => {
      asked.push(`${kind} ${at}`);
      return idle;
    };
    const [row] = compareRuns(run([trade({ at: 3 })]), { ...run([held]), idleAt }, START).positions;
    return { reasons: row?.reasons, asked };
  };
  const at = new Date(START + 3 * MINUTE).toISOString();
  for (const idle of ['disabled', 'halted'] as const) expect(reasonsOf(idle)).toEqual({ reasons: [idle], asked: [`Entry ${at}`] });
  expect(reasonsOf(undefined).reasons).toEqual(['held']);
});

test('tens of thousands of entries that bought nothing are no hundreds of millions of pairs', () => {
  const tries = (begin: number): Story[] =>
    Array.from({ length: 20_000 }, (_, index) => ({ at: begin + index * 2, exit: { at: begin + index * 2 + 1, reason: 'Abandoned' } }));
  const last = trade({ at: 50_000, exit: { at: 50_010, reason: 'TakeProfit' } });
  expect(compared([...tries(0), last], [...tries(0.5), last]).positions).toMatchObject([{ reasons: [] }]);
});

test('what the server knows of positions is read by their ids', () => {
  const rows = [{ positionId: 'p', takenOverAt: new Date(START).toISOString(), realised: '1.5', fees: '0.1' }] as const;
  expect([...knownById(rows as never)]).toEqual([['p', { takenOverAt: START, realised: '1.5', fees: '0.1' }]]);
});
